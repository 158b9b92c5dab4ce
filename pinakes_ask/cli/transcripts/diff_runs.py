"""``pnk transcripts diff``: how two runs differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import find_place

if TYPE_CHECKING:
    from rich.console import Console

    from transcripts.diff import Part


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A run: its id, a part of it, its folder, or last.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The run to compare it with.")],
    kb: KbOption = None,
    asks: AsksOption = None,
    as_json: JsonOption = False,
) -> int:
    """Compare two runs: settings, plan, evidence, answer and scores."""
    from transcripts.diff import diff as compare
    from transcripts.store import load

    place = find_place(kb, asks)
    first, second = load(place.run(a)), load(place.run(b))
    found = compare(first, second)
    if as_json:
        common.print_json({"schema_version": 1, "a": first.id, "b": second.id, **found.to_json()})
        return 0
    console = common.console()
    parts = {name: part for name, part in found.parts().items() if part.differs}
    for name, part in parts.items():
        _show(console, name, part)
    same = [name for name in found.parts() if name not in parts]
    if same:
        common.print_result(f"The same: {', '.join(same)}.")
    return 0


def _show(console: Console, name: str, part: Part) -> None:
    from rich.text import Text

    console.print(Text(name.capitalize(), "bold"))
    for change in part.changed:
        if name == "evidence":
            console.print(Text(f"  ~ {_said(change.name)}: its text changed"))
            continue
        console.print(Text(f"  ~ {_said(change.name)}"))
        console.print(Text(f"      a  {_said(change.a)}", "red"))
        console.print(Text(f"      b  {_said(change.b)}", "green"))
    for sign, style, only in (("- a", "red", part.only_a), ("+ b", "green", part.only_b)):
        for one in only:
            console.print(Text(f"  {sign}  {_said(one)}", style))


def _said(value: Any) -> str:
    from transcripts.escape import one_line

    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return one_line("; ".join(map(str, value))) or "none"
    return one_line(f"{value:.4f}" if isinstance(value, float) else str(value))
