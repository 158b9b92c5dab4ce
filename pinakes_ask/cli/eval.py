"""``pnk eval``: measure answers to questions with known answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, StateOption
from pinakes_ask.cli.endpoint import BaseUrlOption, ModelOption
from pinakes_ask.cli.options import (
    ForceAnswerOption,
    MaxCallsOption,
    MaxCostOption,
    MaxRoundsOption,
    MaxTokensOption,
    PassagesOption,
    YesOption,
    given,
)
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.cli.eval_run import Wanted
    from pinakes_ask.evaluation.reporting import EvalReport, EvalRun

#: Bad lines that are shown one by one; the rest is counted.
_SHOWN = 50


def evaluate(
    dataset: Annotated[
        Path | None,
        typer.Argument(
            show_default=False,
            help="Questions with known answers, in the shape of HotpotQA, 2WikiMultiHopQA or MuSiQue, or "
            '{"id", "question", "answer"} a line.',
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            show_default=False,
            help="The library to answer from. Default: the paragraphs that the questions bring along.",
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            show_default=False,
            help="Measure these answers instead of running a model: rows of pnk batch, or any engine's "
            '{"id", "answer"}.',
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, show_default=False, help="Only so many questions, at random.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            max=2**32 - 1,
            show_default="0",
            help="Of the choice, the intervals and the tests. A run that is reported again keeps its own.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="RUN",
            show_default=False,
            help="Folder of the run; the same command goes on where it was interrupted. Default where a model "
            "is run: eval/ and the set's name.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="RUN", show_default=False, help="Compare with this run, pair by pair."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="RUN", show_default=False, help="Report a run again; ask nothing."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", show_default=False, help="Write the report as one web page."),
    ] = None,
    as_json: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    judge: Annotated[
        bool | None,
        typer.Option(
            "--judge/--no-judge",
            show_default=False,
            help="Let the named model judge the answers, one call each. Default: where a model is named.",
        ),
    ] = None,
    k: PassagesOption = None,
    max_rounds: MaxRoundsOption = None,
    force_answer: ForceAnswerOption = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", min=1, max=64, show_default=False, help="Questions at once. Default: 4, locally 1."
        ),
    ] = None,
    max_cost: MaxCostOption = None,
    max_calls: MaxCallsOption = None,
    max_tokens: MaxTokensOption = None,
    state: StateOption = None,
    yes: YesOption = False,
) -> int:
    """Measure answers: run the model over a question set, or read any engine's answers.

    Reports exact match, F1, retrieval, citations, LogicScore, abstention and cost, each with its interval and
    by type and hops, and what did not apply with its reason. `pnk eval --report RUN` reports a run again.
    Ends with 5 where answers failed.
    """
    settings = {
        "--corpus": corpus, "--answers": answers, "--limit": limit, "--out": out, "--model": model,
        "--base-url": base_url, "--judge": judge, "-k": k, "--max-rounds": max_rounds,
        "--force-answer": force_answer or None, "--jobs": jobs, "--max-cost": max_cost, "--max-calls": max_calls,
        "--max-tokens": max_tokens, "--state": state,
    }  # fmt: skip
    from pinakes_ask.evaluation.reporting import EvalReport, EvalRun, load_run

    if report is not None:
        _none_of(settings | {"a DATASET": dataset}, "a run is reported as it is", "Leave it out, or --report")
        run = load_run(report)
    else:
        if dataset is None:
            raise UsageError(
                "There is nothing to measure", "no DATASET was named", "Name one, or a run with --report"
            )
        if answers is not None:
            asking = ("-k", "--max-rounds", "--force-answer", "--state")
            _none_of(
                {flag: settings[flag] for flag in asking},
                "answers are read, not asked for",
                "Leave one of them out",
            )
        from pinakes_ask.cli.eval_run import Wanted, run_evaluation

        wanted = Wanted(
            dataset=dataset,
            corpus=corpus,
            answers=answers,
            limit=limit,
            seed=seed or 0,
            out=out,
            state=state,
            flags={
                "ask": given(k=k, max_rounds=max_rounds, force_answer=force_answer or None),
                "model": given(name=model, base_url=base_url, concurrency=jobs),
            },
            judge=judge,
            limits=(max_calls, max_tokens, max_cost),
            yes=yes,
        )
        if baseline is not None:
            # Before anything is asked: a name misspelt is found out now, not after a night.
            load_run(baseline)
        ended = _named(run_evaluation, wanted)
        if not isinstance(ended, EvalRun):
            return ended
        run = ended
    other = load_run(baseline) if baseline is not None else None
    shown = EvalReport.of(run, other, run.info.seed if seed is None else seed)
    if html is not None:
        _write(html, shown)
    if as_json:
        common.print_json(shown.to_json())
    else:
        from pinakes_ask.cli.show_eval import show_evaluation

        show_evaluation(common.console(), shown)
    return 5 if any(row.status == "failed" for row in run.rows) else 0


def _write(file: Path, shown: EvalReport) -> None:
    from pinakes_ask.evaluation.report.page import page

    text = page(shown)
    try:
        draft = file.with_name(f".{file.name}.draft")
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        draft.replace(file)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"The report cannot go to {file}", why, "Name another file with --html") from error


def _named(run: Callable[[Wanted], EvalRun | int], wanted: Wanted) -> EvalRun | int:
    """Run, and name every bad line of a file before the error that ends the command."""
    from pinakes_ask.batch.errors import QuestionsUnusable
    from pinakes_ask.evaluation.answers import AnswersUnusable

    try:
        return run(wanted)
    except (QuestionsUnusable, AnswersUnusable) as error:
        for bad in error.lines[:_SHOWN]:
            common.notice(f"line {bad.line}: {bad.why}")
        if len(error.lines) > _SHOWN:
            common.notice(f"{len(error.lines) - _SHOWN} more lines")
        raise


def _none_of(flags: Mapping[str, Any], why: str, do: str) -> None:
    for flag, value in flags.items():
        if value is not None:
            raise UsageError(f"{flag} cannot be used", why, do)
