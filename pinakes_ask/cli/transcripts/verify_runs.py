"""``pnk transcripts verify``: whether stored runs are what was written, and still true of the library."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import Place, RunsArgument, find_place, shown

if TYPE_CHECKING:
    from transcripts.verify import Verified

_SAYS = {
    "changed": "still says this, but the text around it has changed",
    "vanished": "no longer says this",
    "document_gone": "is gone",
    "unknown": "cannot be read",
}


def verify(
    runs: RunsArgument = None,
    kb: KbOption = None,
    asks: AsksOption = None,
    library: Annotated[
        bool, typer.Option("--library/--no-library", help="Also look up what is cited in the library.")
    ] = True,
    as_json: JsonOption = False,
) -> int:
    """Check transcripts: their hashes, their quotes, and which cited sentences the library no longer holds.

    Exit 1 where a file is not what was written. A library that has changed since is reported, and no fault.
    """
    from pinakes_ask import __version__
    from transcripts.verify import verify as check

    place = find_place(kb, asks)
    folders = place.runs(runs)
    with common.progress_bar(enabled=len(folders) > 100) as report:
        found = []
        for done, folder in enumerate(folders, start=1):
            found.append(check(folder, version=__version__))
            report("verifying", done, len(folders))
    if library:
        found = _with_library(place, found)
    if as_json:
        common.print_json({"schema_version": 1, "runs": [_as_object(one) for one in found]})
    else:
        _show(found)
    return 0 if all(one.sound for one in found) else 1


def _with_library(place: Place, found: list[Verified]) -> list[Verified]:
    """Add what became of every cited sentence; each document is read once."""
    from pinakes_ask.documents import read_documents
    from transcripts.verify import citations, cited_now

    wanted = {cite.document for one in found if one.transcript for cite in citations(one.transcript)}
    texts = {name: document.text if document else None for name, document in read_documents(place.library, wanted)}
    return [
        replace(one, cited=cited_now(one.transcript, texts)) if one.transcript and one.sound else one
        for one in found
    ]


def _as_object(one: Verified) -> dict[str, Any]:
    return {
        "id": one.transcript.id if one.transcript else None,
        "folder": shown(one.folder),
        "sound": one.sound,
        "faults": list(one.faults),
        "notes": list(one.notes),
        "cited": [{**each.citation.model_dump(mode="json"), "state": each.state} for each in one.cited],
    }


def _show(found: list[Verified]) -> None:
    from rich.text import Text

    from transcripts.escape import one_line

    console = common.console()
    states = Counter[str](each.state for one in found for each in one.cited)
    for one in found:
        moved = [each for each in one.cited if each.state != "same"]
        if not (one.faults or one.notes or moved):
            continue
        console.print(Text(shown(one.folder), "bold"), soft_wrap=True)
        for fault in one.faults:
            console.print(Text(f"  fault: {one_line(fault)}", "red"))
        for note in one.notes:
            console.print(Text(f"  note: {one_line(note)}", "yellow"))
        for each in moved:
            cite = each.citation
            said = f"  {one_line(cite.document)} {_SAYS[each.state]}: “{one_line(cite.quote)}”"
            console.print(Text(said, "yellow"))
    faulty = sum(not one.sound for one in found)
    common.print_result(f"{len(found)} runs: {len(found) - faulty} sound, {faulty} with faults.")
    if states:
        counts = ", ".join(
            f"{states[state]} {state.replace('_', ' ')}" for state in ("same", *_SAYS) if states[state]
        )
        common.print_result(f"{sum(states.values())} cited sentences: {counts}.")
