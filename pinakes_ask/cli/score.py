"""``pnk score``: LogicScore of any system's answers, and the validation of the scorer itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption
from pinakes_ask.cli.endpoint import (
    BaseUrlOption,
    JobsOption,
    MaxCallsOption,
    ModelOption,
    ModelSession,
    model_session,
)
from pinakes_ask.cli.verdict_file import opened, read_done, verdict_stream
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from scoring.job import Scored
    from scoring.rows import Row


def score(
    file: Annotated[
        str,
        typer.Argument(
            help="Answers to score, as JSON Lines; - reads standard input. "
            "Or the word validate, then a DATASET of questions with gold facts."
        ),
    ],
    dataset: Annotated[
        Path | None, typer.Argument(show_default=False, help="Only after validate: the questions.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", show_default=False, help="Write the verdicts here; ids that it holds are not scored again."
        ),
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="ID", show_default=False, help="Explain one answer's verdict."),
    ] = None,
    patterns: Annotated[bool, typer.Option("--patterns", help="Extract without the English parser.")] = False,
    extraction: Annotated[
        str, typer.Option("--extraction", help="For validate: oracle, rules, patterns, all of these, or model.")
    ] = "all",
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, show_default=False, help="For validate: only so many questions."),
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            min=1,
            max=25,
            show_default="1",
            help="Extract so often with the model; the majority counts.",
        ),
    ] = None,
    max_calls: MaxCallsOption = None,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> int:
    """Score answers: is their reasoning complete, to the point, and does it determine the answer?

    Prints one verdict a line and a summary on standard error; with --out the verdicts go to that file
    and the summary is the result. Facts are found by rules, or by a language model with --model.
    `pnk score validate DATASET` measures the scorer on answers of known truth.
    """
    if model is None and repeats is not None:
        raise UsageError("--repeats cannot be used", "rules find the same each time", "Name a model with --model")
    if model is not None and patterns:
        raise UsageError("--patterns cannot be used", "a model was named to extract", "Leave one of them out")
    with model_session(model, base_url, max_calls=max_calls, jobs=jobs) as session:
        how = _How(patterns, session, repeats or 1)
        return _run(file, dataset, out, explain, extraction, limit, how, as_json=as_json)


@dataclass(frozen=True)
class _How:
    """How facts are found: by rules, by patterns, or so often by a model."""

    patterns: bool
    session: ModelSession | None
    repeats: int


def _run(
    file: str,
    dataset: Path | None,
    out: Path | None,
    explain: str | None,
    extraction: str,
    limit: int | None,
    how: _How,
    *,
    as_json: bool,
) -> int:
    if file == "validate":
        if dataset is None:
            raise UsageError("Cannot validate", "no DATASET was given", "Run 'pnk score validate QUESTIONS.jsonl'")
        from pinakes_ask.cli.validate import run_validation

        if how.session is not None and extraction == "all":
            extraction = "model"
        return run_validation(dataset, extraction, limit, how.session, as_json=as_json)
    if dataset is not None:
        raise UsageError("Cannot score", "two files were given", "Score one file at a time")
    from scoring.rows import read_rows

    with opened(file) as lines:
        rows = list(read_rows(lines, "standard input" if file == "-" else file))
    if explain is not None:
        return _explain(rows, explain, how)
    return _score_all(rows, out, how, as_json=as_json)


def _score_all(rows: list[Row], out: Path | None, how: _How, *, as_json: bool) -> int:
    from pinakes_ask.cli.show_scores import show_summary
    from scoring.summary import summarise

    done = read_done(out, again=how.session is not None) if out is not None else {}
    left = [row for row in rows if row.id not in done]
    records: dict[str, Mapping[str, Any]] = {row.id: done[row.id] for row in rows if row.id in done}
    if how.session is not None:
        at = f"{how.session.name} at {how.session.base_url}"
        common.notice(f"At most {how.repeats * sum(map(_calls, left))} calls to {at}, each sending one answer.")
    with verdict_stream(out, silent=as_json) as write:
        for scored in _scores(left, how):
            records[scored.row.id] = scored.record
            write(scored.record)
    ordered = [records[row.id] for row in rows]
    summary = summarise(ordered)
    used = how.session.usage() if how.session is not None else None
    if how.session is not None:
        common.notice(how.session.summary())
    if as_json:
        common.print_json({"schema_version": 1, "model": used, "summary": summary, "verdicts": ordered})
    elif out is not None:
        show_summary(common.console(), summary)
        common.notice(f"{len(left)} scored, {len(done)} were there already: {out}")
    else:
        show_summary(common.console(stderr=True), summary)
    return 0


def _calls(row: Row) -> int:
    """How many calls to a model one extraction of a row takes, when none has to be asked again."""
    if row.propositions is not None:
        return 0
    return 1 + (row.reinferred is None and row.short_answer is not None)


def _scores(rows: list[Row], how: _How) -> Iterator[Scored]:
    with common.progress_bar() as report:
        scores = _by_rules(rows, how) if how.session is None else _by_model(rows, how.session, how.repeats)
        for number, scored in enumerate(scores, start=1):
            yield scored
            report("Scoring", number, len(rows))


def _by_rules(rows: list[Row], how: _How) -> Iterator[Scored]:
    from scoring.job import score_rows

    async def one(row: Row) -> Scored:
        return await anext(score_rows([row], use_parser=not how.patterns))

    for row in rows:
        yield asyncio.run(one(row))


def _by_model(rows: list[Row], session: ModelSession, repeats: int) -> Iterator[Scored]:
    from scoring.job import score_rows

    stream = score_rows(rows, model=session.extraction, repeats=repeats, concurrency=session.jobs)

    async def following() -> Scored:
        return await anext(stream)

    for _ in rows:
        scored = session.run(following())
        session.raise_if_refused()
        yield scored


def _explain(rows: list[Row], wanted: str, how: _How) -> int:
    from scoring.explain import as_mermaid, as_tree

    chosen = [row for row in rows if row.id == wanted]
    if not chosen:
        raise UsageError(f"Cannot explain {wanted!r}", "no answer has that id", "Name an id of the file")
    (scored,) = _scores(chosen, how)
    common.print_result(as_tree(scored.extraction, scored.verdict))
    common.print_result(f"\n```mermaid\n{as_mermaid(scored.verdict)}\n```")
    return 0
