"""``pnk transcripts stats``: how runs develop over time."""

from __future__ import annotations

from typing import Annotated, Any

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
from pinakes_ask.cli.transcripts.place import find_place
from retrieval.errors import UsageError


def stats(
    by: Annotated[str, typer.Option("--by", help="Periods: day, week, month or year.")] = "month",
    kb: KbOption = None,
    asks: AsksOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    score: ScoreOption = None,
    class_: ClassOption = None,
    status: StatusOption = None,
    review: ReviewOption = None,
    text: TextOption = "",
    as_json: JsonOption = False,
) -> int:
    """Show the trend of scores, failure classes, reviews and cost.

    A mean counts only the runs for which a measure is known; how many are not, and why, is said beside it.
    """
    from transcripts.stats import PERIODS, figures, trend

    if by not in PERIODS:
        raise UsageError("Cannot show the trend", f"{by!r} is none of {', '.join(PERIODS)}", "Name one of them")
    choice = read_choice(since, until, score, class_, status, review, text)
    place = find_place(kb, asks)
    runs = choice.of(place.listing().runs)
    if as_json:
        periods = trend(runs, by)
        common.print_json({"schema_version": 1, "by": by, "periods": periods, "all": figures(runs)})
        return 0
    if not runs:
        common.notice(f"No transcript in {place.asks} is chosen.")
        return 0
    _show(trend(runs, by), figures(runs))
    return 0


def _show(periods: list[dict[str, Any]], whole: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("period")
    for name in ("runs", "answered", "C", "E", "D", "rejected", "calls", "tokens", "cost"):
        table.add_column(name, justify="right")
    for one in periods if len(periods) == 1 else [*periods, {"period": "all", **whole}]:
        table.add_row(one["period"], *_cells(one))
    console = common.console()
    console.print(table)
    for letter, measure in (("C", "completeness"), ("E", "essentiality"), ("D", "determinateness")):
        reasons = ", ".join(f"{count} {reason}" for reason, count in whole[measure]["reasons"].items())
        if reasons:
            console.print(f"{letter} is not known for {whole[measure]['null']}: {reasons}.", markup=False)
    classes = ", ".join(f"{count} {name}" for name, count in whole["classes"].items() if name != "none")
    console.print(f"Failure classes: {classes or 'none'}.", markup=False)


def _cells(one: dict[str, Any]) -> list[str]:
    cost = one["cost"]
    known = f"{cost['known']:.4f}" if cost["unknown"] < one["runs"] else "unknown"
    return [
        str(one["runs"]),
        str(one["statuses"].get("answered", 0)),
        *("-" if one[name]["mean"] is None else f"{one[name]['mean']:.2f}" for name in _MEASURES),
        str(one["reviews"].get("reject", 0)),
        str(one["calls"]),
        str(one["tokens"]),
        known + (f" + {cost['unknown']} unknown" if 0 < cost["unknown"] < one["runs"] else ""),
    ]


_MEASURES = ("completeness", "essentiality", "determinateness")
