"""``pnk transcripts list``: which runs there are."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.choosing import (
    ClassOption,
    ReviewOption,
    ScoreOption,
    SinceOption,
    StatusOption,
    TextOption,
    UntilOption,
    read_choice,
)
from pinakes_ask.cli.transcripts.place import find_place, shown
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transcripts.summary import Summary

#: Rows for a person, who seldom reads more.
ROWS = 50


def list_(
    kb: KbOption = None,
    asks: AsksOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    score: ScoreOption = None,
    class_: ClassOption = None,
    status: StatusOption = None,
    review: ReviewOption = None,
    text: TextOption = "",
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            help="By date, question, status, completeness, essentiality, determinateness, class, cost, calls "
            "or seconds.",
        ),
    ] = "date",
    ascending: Annotated[
        bool | None,
        typer.Option(
            "--ascending/--descending",
            show_default=False,
            help="Order. Default: descending for date, cost, calls and seconds.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, show_default=f"{ROWS}, all with --json", help="Rows at most; 0 for all."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """List the transcripts of a library, the newest first."""
    from transcripts.filtering import SORTS, ordered

    if sort not in SORTS:
        raise UsageError("Cannot sort", f"{sort!r} is none of {', '.join(SORTS)}", "Name one of them")
    choice = read_choice(since, until, score, class_, status, review, text)
    place = find_place(kb, asks)
    listing = place.listing()
    descending = sort in ("date", "cost", "calls", "seconds") if ascending is None else not ascending
    chosen = ordered(choice.of(listing.runs), sort, descending=descending)
    most = limit if limit is not None else 0 if as_json else ROWS
    rows = chosen[:most] if most else chosen
    if as_json:
        common.print_json(
            {
                "schema_version": 1,
                "asks": str(place.asks),
                "count": len(chosen),
                "runs": [run.to_json() for run in rows],
                "problems": list(listing.problems),
            }
        )
        return 0
    if not listing.runs:
        common.notice(f"There is no transcript in {place.asks}. Ask with 'pnk ask --deep'.")
        return 0
    if rows:
        from pinakes_ask.cli.transcripts.show_rows import show_rows

        show_rows(common.console(), rows, shortest(listing.runs))
    more = f", of which {len(rows)} are shown; --limit 0 shows all" if len(rows) < len(chosen) else ""
    common.notice(f"{len(chosen)} of {len(listing.runs)} runs in {shown(place.asks)}{more}.")
    return 0


def shortest(runs: Sequence[Summary]) -> int:
    """Return how many characters at the end of an id tell all runs apart, at least 6.

    Ids begin with their time, so that runs of one day begin alike.
    """
    ends = sorted({run.id[::-1] for run in runs})
    length = 6
    for before, after in pairwise(ends):
        while length < 26 and before[:length] == after[:length]:
            length += 1
    return length
