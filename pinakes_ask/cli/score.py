"""``pnk score``: LogicScore of any system's answers, and the validation of the scorer itself."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption
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
        str, typer.Option("--extraction", help="For validate: oracle, rules, patterns or all.")
    ] = "all",
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, show_default=False, help="For validate: only so many questions."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Score answers: is their reasoning complete, to the point, and does it determine the answer?

    Prints one verdict a line and a summary on standard error; with --out the verdicts go to that file
    and the summary is the result. `pnk score validate DATASET` measures the scorer on answers of known
    truth.
    """
    if file == "validate":
        if dataset is None:
            raise UsageError("Cannot validate", "no DATASET was given", "Run 'pnk score validate QUESTIONS.jsonl'")
        from pinakes_ask.cli.validate import run_validation

        return run_validation(dataset, extraction, limit, as_json=as_json)
    if dataset is not None:
        raise UsageError("Cannot score", "two files were given", "Score one file at a time")
    from scoring.rows import read_rows

    with _opened(file) as lines:
        rows = list(read_rows(lines, "standard input" if file == "-" else file))
    if explain is not None:
        return _explain(rows, explain, patterns=patterns)
    return _score_all(rows, out, patterns=patterns, as_json=as_json)


def _score_all(rows: list[Row], out: Path | None, *, patterns: bool, as_json: bool) -> int:
    from scoring.summary import summarise

    done = _read_done(out) if out is not None else {}
    left = [row for row in rows if row.id not in done]
    records: dict[str, Mapping[str, Any]] = {row.id: done[row.id] for row in rows if row.id in done}
    with _verdict_stream(out, silent=as_json) as write:
        for scored in _scores(left, patterns=patterns):
            records[scored.row.id] = scored.record
            write(scored.record)
    ordered = [records[row.id] for row in rows]
    summary = summarise(ordered)
    if as_json:
        common.print_json({"schema_version": 1, "summary": summary, "verdicts": ordered})
    elif out is not None:
        common.print_result(_as_text(summary))
        common.notice(f"{len(left)} scored, {len(done)} were there already: {out}")
    else:
        common.notice(_as_text(summary))
    return 0


def _scores(rows: list[Row], *, patterns: bool) -> Iterator[Scored]:
    from scoring.job import score_rows

    async def one(row: Row) -> Scored:
        return await anext(score_rows([row], use_parser=not patterns))

    with common.progress_bar() as report:
        for number, row in enumerate(rows, start=1):
            yield asyncio.run(one(row))
            report("Scoring", number, len(rows))


def _explain(rows: list[Row], wanted: str, *, patterns: bool) -> int:
    from scoring.explain import as_mermaid, as_tree

    chosen = [row for row in rows if row.id == wanted]
    if not chosen:
        raise UsageError(f"Cannot explain {wanted!r}", "no answer has that id", "Name an id of the file")
    scored = next(_scores(chosen, patterns=patterns))
    common.print_result(as_tree(scored.extraction, scored.verdict))
    common.print_result(f"\n```mermaid\n{as_mermaid(scored.verdict)}\n```")
    return 0


@contextmanager
def _opened(file: str) -> Iterator[TextIO]:
    if file == "-":
        yield sys.stdin
        return
    try:
        with Path(file).open(encoding="utf-8", errors="replace") as lines:
            yield lines
    except OSError as error:
        raise UsageError(
            f"Cannot read {file}", error.strerror or "it cannot be opened", "Name a file of answers"
        ) from None


def _read_done(out: Path) -> dict[str, Mapping[str, Any]]:
    """The verdicts that an interrupted run left; a line cut off at the end is scored again."""
    if not out.exists():
        return {}
    raw = out.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    if len(whole) < len(raw):
        common.notice(f"warning: {out}: the last line was cut off and is scored again")
        with out.open("r+b") as file:
            file.truncate(len(whole))
    try:
        records = [json.loads(line) for line in whole.decode("utf-8").splitlines() if line.strip()]
        return {str(record["id"]): record for record in records}
    except (ValueError, KeyError, TypeError):
        raise UsageError(
            f"Cannot continue {out}", "it holds something else than verdicts", "Name another file"
        ) from None


@contextmanager
def _verdict_stream(out: Path | None, *, silent: bool) -> Iterator[Any]:
    if out is None:
        yield (lambda record: None) if silent else lambda record: common.print_result(_line(record))
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("a", encoding="utf-8") as file:

            def write(record: Mapping[str, Any]) -> None:
                file.write(_line(record) + "\n")
                file.flush()

            yield write
    except OSError as error:
        raise UsageError(
            f"Cannot write {out}", error.strerror or "it cannot be opened", "Name another file"
        ) from None


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _as_text(summary: Mapping[str, Any]) -> str:
    lines = [f"{summary['answers']} answers"]
    for measure in ("completeness", "essentiality", "determinateness"):
        mean = summary[measure]
        if mean["count"]:
            lines.append(
                f"{measure:<16} {mean['mean']:.3f}  [{mean['low']:.3f}, {mean['high']:.3f}]  over {mean['count']}"
            )
        else:
            lines.append(f"{measure:<16} not applicable to any")
        lines += [
            f"{'':<16} {count} not applicable: {why}" for why, count in summary["not_applicable"][measure].items()
        ]
    lines.append("classes: " + ", ".join(f"{name} {count}" for name, count in summary["classes"].items()))
    return "\n".join(lines)
