"""The options that choose among transcripts, shared by the commands that show many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pinakes_ask.cli import common
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from transcripts.filtering import Choice

SinceOption = Annotated[
    str, typer.Option("--since", metavar="DATE", help="Only runs of this day or later (YYYY-MM-DD, UTC).")
]
UntilOption = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Only runs before this day (YYYY-MM-DD, UTC).")
]
ScoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--score",
        metavar="CONDITION",
        show_default=False,
        help="Only runs that meet this, such as 'C=0', 'E<0.5' or 'D=null' (repeat for more).",
    ),
]
ClassOption = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        show_default=False,
        help="Only this failure class, such as broken, or none for no failure (repeat for more).",
    ),
]
StatusOption = Annotated[
    list[str] | None,
    typer.Option(
        "--status", show_default=False, help="Only answered, partial, no_evidence or failed (repeat for more)."
    ),
]
ReviewOption = Annotated[
    list[str] | None,
    typer.Option("--review", show_default=False, help="Only accept, reject or none (repeat for more)."),
]
TextOption = Annotated[str, typer.Option("--text", help="Only where the question or the answer holds this.")]


def read_choice(
    since: str,
    until: str,
    score: list[str] | None,
    classes: list[str] | None,
    status: list[str] | None,
    review: list[str] | None,
    text: str,
) -> Choice:
    """Return what the flags choose.

    :raises UsageError: for an unknown value or an unreadable date or condition.
    """
    from typing import get_args

    from scoring.verdict import FailureClass
    from transcripts.filtering import REVIEWS, STATUSES, Choice, read_condition

    return Choice(
        since=common.read_date("--since", since),
        until=common.read_date("--until", until),
        scores=tuple(read_condition(one) for one in score or ()),
        classes=_checked("--class", classes, (*get_args(FailureClass), "none")),
        statuses=_checked("--status", status, STATUSES),
        reviews=_checked("--review", review, REVIEWS),
        text=text,
    )


def _checked(flag: str, given: list[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    for one in given or ():
        if one not in known:
            raise UsageError(
                f"Cannot filter by {flag}", f"{one!r} is none of {', '.join(known)}", "Name one of them"
            )
    return tuple(given or ())
