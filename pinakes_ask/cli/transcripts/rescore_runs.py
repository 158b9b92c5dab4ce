"""``pnk transcripts rescore``: what the present scorer says of stored runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import RunsArgument, find_place, shown

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.record import Transcript
    from transcripts.rescore import Rescored

_COMPARED = ("completeness", "essentiality", "determinateness", "class")


def rescore(
    runs: RunsArgument = None,
    kb: KbOption = None,
    asks: AsksOption = None,
    save: Annotated[
        bool,
        typer.Option("--save/--no-save", help="Keep scores that differ, in rescored.jsonl beside the record."),
    ] = True,
    as_json: JsonOption = False,
) -> int:
    """Score transcripts again with this version's scorer, from the facts that were stored with them.

    The record keeps its scores. New ones that differ from the last known ones go into rescored.jsonl in
    the run's folder. No model is used. Exit 1 where a transcript cannot be read.
    """
    from pinakes_ask import __version__
    from pinakes_ask.seams import SystemClock
    from transcripts.errors import TranscriptError
    from transcripts.rescore import add_rescored
    from transcripts.rescore import rescore as score_again
    from transcripts.store import load

    rows: list[dict[str, Any]] = []
    problems: list[str] = []
    for folder in find_place(kb, asks).runs(runs):
        try:
            transcript = load(folder)
            scored = score_again(transcript, version=__version__, time=SystemClock().now())
            saved = save and scored is not None and add_rescored(folder, transcript, scored)
        except TranscriptError as error:
            problems.append(str(error))
            common.notice(f"warning: {error}")
            continue
        rows.append(_row(folder, transcript, scored, saved=saved))
    if as_json:
        common.print_json({"schema_version": 1, "runs": rows, "problems": problems})
    else:
        _show(rows)
    return 1 if problems else 0


def _row(folder: Path, transcript: Transcript, scored: Rescored | None, *, saved: bool) -> dict[str, Any]:
    then = transcript.score.verdict if transcript.score else {}
    now = scored.verdict if scored else {}
    return {
        "id": transcript.id,
        "folder": shown(folder),
        "scored": scored is not None,
        "changed": scored is not None and transcript.score is not None and not scored.is_verdict_of(transcript),
        "saved": saved,
        "before": {name: then.get(name) for name in _COMPARED},
        "after": {name: now.get(name) for name in _COMPARED},
    }


def _show(rows: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from pinakes_ask.cli.transcripts.show_rows import measure

    console = common.console()
    for row in rows:
        if not row["changed"]:
            continue
        changes = [
            f"{name} {_said(row['before'][name], measure)} → {_said(row['after'][name], measure)}"
            for name in _COMPARED
            if row["before"][name] != row["after"][name]
        ]
        console.print(
            Text(f"{row['id']}  ", "cyan").append(", ".join(changes) or "details of the verdict", "default")
        )
    changed = sum(row["changed"] for row in rows)
    unscored = sum(not row["scored"] for row in rows)
    more = f", {unscored} never scored" if unscored else ""
    common.print_result(
        f"{len(rows)} runs: {changed} score otherwise now, {len(rows) - changed - unscored} the same{more}."
    )


def _said(value: Any, measure: Any) -> str:
    return value if isinstance(value, str) else measure(value)
