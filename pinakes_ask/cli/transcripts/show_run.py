"""``pnk transcripts show``: one run, as a reviewer reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import RunArgument, find_place, shown


def show(
    run: RunArgument,
    kb: KbOption = None,
    asks: AsksOption = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Show every passage that was read.")] = False,
    exchanges: Annotated[bool, typer.Option("--exchanges", help="Show every call of the model.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Show a transcript: the answer with its quotes, plan, rounds, scores and reviews.

    With --json everything is printed: the whole record, the path, the reviews and later scores.
    """
    from transcripts.rescore import read_rescored
    from transcripts.reviews import read_reviews
    from transcripts.store import load, read_json

    folder = find_place(kb, asks).run(run)
    transcript = load(folder)
    reviews = read_reviews(folder)
    rescored = read_rescored(folder)
    for problem in (*reviews.problems, *rescored.problems):
        common.notice(f"warning: {problem}")
    if as_json:
        path: dict[str, Any] | None = None
        if (folder / "path.json").is_file():
            path = read_json(folder / "path.json")
        common.print_json(
            {
                "schema_version": 1,
                "folder": shown(folder),
                "transcript": transcript.model_dump(mode="json"),
                "path": path,
                "reviews": [one.model_dump(mode="json") for one in reviews.all],
                "rescored": [one.model_dump(mode="json") for one in rescored.all],
            }
        )
        return 0
    from pinakes_ask.cli.transcripts.show_record import show_exchanges, show_passages, show_record

    console = common.console()
    show_record(console, transcript, Path(shown(folder)), reviews, rescored.all)
    if evidence:
        show_passages(console, transcript)
    if exchanges:
        show_exchanges(console, transcript)
    return 0
