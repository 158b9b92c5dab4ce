"""One start of ``pnk eval``: from a question set to measured answers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pinakes_ask.budget import Limits
from pinakes_ask.cli import common
from pinakes_ask.config import Config
from pinakes_ask.evaluation.answer import USAGE, Answer
from pinakes_ask.evaluation.answers import read_answers
from pinakes_ask.evaluation.documents import Held, corpus_documents, digest_of, own_documents, write_corpus
from pinakes_ask.evaluation.measuring import measure_all, search_all
from pinakes_ask.evaluation.metric import Value
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.evaluation.reading import QuestionSet, choose, read_bytes, read_set
from pinakes_ask.evaluation.reporting import EvalRun
from pinakes_ask.evaluation.run_folder import RunFolder, RunInfo, settings_of, versions
from pinakes_ask.seams import SystemClock
from retrieval.errors import UsageError


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for. ``limits`` are calls, tokens and money, of the whole run."""

    dataset: Path
    corpus: Path | None
    answers: Path | None
    limit: int | None
    seed: int
    out: Path | None
    state: Path | None
    flags: dict[str, dict[str, Any]]
    judge: bool | None
    limits: tuple[int | None, int | None, float | None]
    yes: bool


def run_evaluation(wanted: Wanted) -> EvalRun | int:
    """Read, ask, judge and measure. Returns an exit code instead where the questions were not all asked.

    :raises UsageError: when the files or flags cannot be used; nothing was spent then.
    """
    common.quiet_native_libraries()
    questions = read_set(wanted.dataset)
    chosen = choose(questions.questions, wanted.limit, wanted.seed)
    given = None if wanted.answers is None else _read_answers(wanted.answers, chosen)
    config = common.read_config(wanted.corpus or wanted.dataset, wanted.flags).config
    if config.model.local and "concurrency" not in wanted.flags["model"]:
        # One after the other, so that the seconds of a question are its own.
        config = config.model_copy(update={"model": config.model.model_copy(update={"concurrency": 1})})
    judge = _judge(wanted, config)
    documents = _documents(wanted, questions)
    info = _info(wanted, questions, documents, config, judge)
    folder = wanted.out
    if folder is None and given is None:
        folder = Path("eval") / f"{questions.name}-{info.fingerprint}"
        common.notice(f"The run lies in {folder}.")
    run = None if folder is None else RunFolder(folder)
    if run is not None:
        run.begin(info)
        info = run.info()
    searched = None
    if given is None:
        assert run is not None  # noqa: S101
        from pinakes_ask.cli.eval_ask import ask_all, open_corpus

        library = wanted.corpus or write_corpus(documents, run.path)
        with open_corpus(library, wanted.state) as opened:
            code = ask_all(chosen, run, library, config, wanted)
            if code not in (0, 5):
                common.notice("Run the same command again to go on.")
                return code
            given = read_answers(run.answers, chosen).by_id
            with common.progress_bar() as bar:
                searched = search_all(chosen, opened, lambda done: bar("searching", done, len(chosen)))
    judged = _judgements(chosen, given, run, config, wanted) if judge else None
    with common.progress_bar() as bar:
        rows = measure_all(
            chosen,
            given,
            documents,
            searched=searched,
            judged=judged,
            progress=lambda done: bar("measuring", done, len(chosen)),
        )
    if run is not None:
        run.finish(rows)
    return EvalRun(str(folder or wanted.answers), info, rows)


def _read_answers(file: Path, chosen: Sequence[EvalQuestion]) -> Mapping[str, Answer]:
    with common.progress_bar() as bar:
        answers = read_answers(file, chosen, lambda done: bar("reading", done, len(chosen)))
    if answers.strangers:
        common.notice(f"{answers.strangers} answers in {file} are to other questions, and were passed over.")
    missing = len(chosen) - len(answers.by_id)
    if missing:
        common.notice(f"{missing} of {len(chosen)} questions have no answer in {file}.")
    return answers.by_id


def _judge(wanted: Wanted, config: Config) -> bool:
    if wanted.judge and config.model.local:
        raise UsageError("--judge cannot be used", "no model was named", "Name one with --model")
    return not config.model.local and wanted.judge is not False


def _documents(wanted: Wanted, questions: QuestionSet) -> list[Held]:
    """What evidence can come from: the corpus that was named, else the paragraphs of the whole set.

    :raises UsageError: when a model is to be run and there is neither.
    """
    if wanted.corpus is not None:
        return corpus_documents(wanted.corpus)
    documents = own_documents(questions.questions)
    if documents:
        return documents
    if wanted.answers is None:
        raise UsageError(
            f"The questions in {wanted.dataset} cannot be asked",
            "they bring no paragraphs along, and no library was named",
            "Name one with --corpus",
        )
    # Documents are only names here, and answers must cite them by these.
    names = dict.fromkeys(name for one in questions.questions for name in one.supporting)
    return [Held(name, name, "") for name in names]


def _info(
    wanted: Wanted, questions: QuestionSet, documents: Sequence[Held], config: Config, judge: bool
) -> RunInfo:
    import hashlib

    from pinakes_ask.models.endpoint.prompts import prompt_digest

    settings = config.settings()
    answers = None
    if wanted.answers is not None:
        digest = hashlib.sha256(read_bytes(wanted.answers)).hexdigest()
        answers = {"name": wanted.answers.name, "sha256": digest}
    return RunInfo(
        dataset={"name": questions.name, "sha256": questions.sha256, "questions": len(questions.questions)},
        corpus={
            "name": wanted.corpus.name if wanted.corpus else "the questions' own paragraphs",
            "documents": len(documents),
            "sha256": digest_of(documents),
        },
        answers=answers,
        model=None if answers else config.model.name,
        judge={"model": config.model.name, "prompt": prompt_digest("judge")} if judge else None,
        settings={} if answers else settings_of({**asdict(settings.loop), "check": settings.extractor}),
        limit=wanted.limit,
        seed=wanted.seed,
        created=SystemClock().now().isoformat(timespec="seconds"),
        versions=versions(),
    )


def _left(limits: Limits, taken: Collection[Mapping[str, float | None]]) -> Limits:
    """What the answers left of the run's limits, so that asking and judging together keep them."""
    spent = {name: sum(one.get(name) or 0 for one in taken) for name in USAGE}
    tokens = int(spent["prompt_tokens"] + spent["completion_tokens"])
    return Limits(
        calls=None if limits.calls is None else max(0, limits.calls - int(spent["calls"])),
        tokens=None if limits.tokens is None else max(0, limits.tokens - tokens),
        cost=None if limits.cost is None else max(0.0, limits.cost - spent["cost"]),
    )


def _judgements(
    chosen: Sequence[EvalQuestion],
    answers: Mapping[str, Answer],
    run: RunFolder | None,
    config: Config,
    wanted: Wanted,
) -> dict[str, Value]:
    from pinakes_ask.budget import Budget
    from pinakes_ask.cli.endpoint import named_model
    from pinakes_ask.cli.eval_ask import confirm_judge
    from pinakes_ask.evaluation.judging import judge_all
    from pinakes_ask.metered import MeteredModel
    from pinakes_ask.models.endpoint.prompts import prompt_digest

    pairs = [(one, answers[one.id]) for one in chosen if one.id in answers]
    confirm_judge(sum(one.answerable and answer.short is not None for one, answer in pairs), config, wanted)
    taken = () if wanted.answers is not None else [answer.usage for answer in answers.values()]
    budget = Budget(_left(Limits(*wanted.limits), taken), SystemClock())
    endpoint = named_model(config.model)

    async def judged() -> dict[str, Value]:
        try:
            with common.progress_bar() as bar:
                return await judge_all(
                    pairs,
                    MeteredModel(endpoint, budget),
                    None if run is None else run.judged,
                    prompt=prompt_digest("judge"),
                    jobs=config.model.concurrency,
                    progress=lambda done: bar("judging", done, len(pairs)),
                )
        finally:
            await endpoint.aclose()

    found = asyncio.run(judged())
    spent = budget.spent
    cost = "an unknown cost" if spent.cost is None else f"a cost of {spent.cost:.4f}"
    tokens = spent.prompt_tokens + spent.completion_tokens
    common.notice(f"Judging took {budget.calls} calls and {tokens:,} tokens, at {cost}.")
    return found
