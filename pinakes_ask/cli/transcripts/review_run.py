"""``pnk transcripts review``: a reviewer's judgement of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import RunArgument, find_place, shown
from retrieval.errors import UsageError


def review(
    run: RunArgument,
    accept: Annotated[bool, typer.Option("--accept", help="The run is right. One of the two is needed.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="It is not.")] = False,
    note: Annotated[str, typer.Option("--note", help="Why, in a sentence or two.")] = "",
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="Who judges. Default: the name that git knows.")
    ] = "",
    kb: KbOption = None,
    asks: AsksOption = None,
    as_json: JsonOption = False,
) -> int:
    """Accept or reject a transcript.

    The judgement goes into reviews.jsonl in the run's folder. All are kept, and the last one counts.
    """
    from pinakes_ask.seams import SystemClock
    from transcripts.escape import one_line
    from transcripts.git import identity
    from transcripts.reviews import add_review
    from transcripts.store import load

    if accept == reject:
        given = "both --accept and --reject were given" if accept else "neither --accept nor --reject was given"
        raise UsageError("Nothing was judged", given, "Give one of the two")
    folder = find_place(kb, asks).run(run)
    transcript = load(folder)
    who = " ".join(reviewer.split()) or identity(folder)
    if not who:
        raise UsageError(
            "The review was not saved",
            "git knows no name for the reviewer",
            "Set git's user.name, or give --reviewer",
        )
    made = add_review(
        folder,
        transcript,
        "accept" if accept else "reject",
        reviewer=who,
        time=SystemClock().now(),
        note=note.strip(),
    )
    if as_json:
        common.print_json({"schema_version": 1, "folder": shown(folder), "review": made.model_dump(mode="json")})
    else:
        done = "Accepted" if accept else "Rejected"
        common.print_result(f"{done}: {one_line(transcript.question)}")
        common.notice(f"Saved in {shown(folder)}/reviews.jsonl as {who}.")
    return 0
