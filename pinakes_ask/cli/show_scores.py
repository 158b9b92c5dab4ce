"""How the summary of many verdicts looks on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from transcripts.escape import one_line


def show_summary(console: Console, summary: Mapping[str, Any]) -> None:
    """Print the means with their intervals, what did not apply and why, and the classes.

    :param summary: what :func:`scoring.summary.summarise` returns.
    """
    console.print(f"{summary['answers']} answers")
    table = Table.grid(padding=(0, 2))
    for measure in ("completeness", "essentiality", "determinateness"):
        mean, name = summary[measure], measure
        if mean["count"]:
            table.add_row(name, f"{mean['mean']:.3f}", _interval(mean), f"over {mean['count']}")
            name = ""
        for why, count in summary["not_applicable"][measure].items():
            table.add_row(name, "", "", f"{count} not applicable: {escape(one_line(why))}")
            name = ""
    console.print(table)
    console.print("classes: " + ", ".join(f"{name} {count}" for name, count in summary["classes"].items()))


def _interval(mean: Mapping[str, Any]) -> str:
    """95 %, which one value alone has not."""
    return "" if mean["low"] is None else f"\\[{mean['low']:.3f}, {mean['high']:.3f}]"
