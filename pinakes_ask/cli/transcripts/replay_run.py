"""``pnk transcripts replay``: whether a run comes out the same again."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption, StateOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import RunArgument, find_place

if TYPE_CHECKING:
    from transcripts.compare import Difference
    from transcripts.record import Transcript


def replay(
    run: RunArgument,
    now: Annotated[
        bool, typer.Option("--now", help="Search the library as it is now, instead of what was found then.")
    ] = False,
    kb: KbOption = None,
    state: StateOption = None,
    asks: AsksOption = None,
    as_json: JsonOption = False,
) -> int:
    """Run a transcript again from its recorded replies, and name the first difference; exit 1 if there is one.

    No model and no network is used, and nothing is written. Without --now the library is not needed: this
    tells whether this version of the program still reasons as it did. With --now the same question is asked
    of the library as it is; a run of the extractive model then answers anew.
    """
    from pinakes_ask.replaying import replay as run_again
    from pinakes_ask.seams import SystemClock
    from transcripts.compare import first_difference
    from transcripts.store import load

    place = find_place(kb, asks)
    record = load(place.run(run))
    with ExitStack() as stack:
        searcher, then = None, None
        if now:
            common.quiet_native_libraries()
            from pinakes_ask.models.extractive.model import ExtractiveModel
            from retrieval.library import Library

            searcher = stack.enter_context(
                Library.open(place.library, state=state, uri=common.shared_index(place.library))
            )
            then = ExtractiveModel() if record.model == ExtractiveModel.name else None
        again = asyncio.run(run_again(record, clock=SystemClock(), searcher=searcher, then=then))
        fingerprint = searcher.fingerprint if searcher is not None else _fingerprint(place.library, state)
    difference = first_difference(record, again)
    result = _as_object(record, again, difference, fingerprint, now=now)
    if as_json:
        common.print_json(result)
    else:
        _show(result)
    return 0 if difference is None else 1


def _fingerprint(library: Path, state: Path | None) -> str | None:
    """The fingerprint of the library's index, None where there is none."""
    from retrieval.errors import LibraryError
    from retrieval.state import state_dir
    from retrieval.store.pointer import read_pointer

    try:
        uri = common.shared_index(library)
        if uri is not None:
            from retrieval.lance.opening import current_fingerprint

            return current_fingerprint(library, uri)
        return read_pointer(state_dir(library, state)).fingerprint
    except LibraryError:
        return None


def _as_object(
    record: Transcript, again: Transcript, difference: Difference | None, fingerprint: str | None, *, now: bool
) -> dict[str, Any]:
    from transcripts.summary import MEASURES

    def outcome(run: Transcript) -> dict[str, Any]:
        verdict = run.score.verdict if run.score else {}
        return {
            "status": run.status,
            "stop_reason": run.stop_reason,
            "short_answer": run.answer.short_answer,
            **{measure: verdict.get(measure) for measure in MEASURES},
        }

    return {
        "schema_version": 1,
        "id": record.id,
        "searched": "library" if now else "record",
        "identical": difference is None,
        "difference": difference.to_json() if difference else None,
        "fingerprint": {
            "recorded": record.library.fingerprint,
            "now": fingerprint,
            "same": None if fingerprint is None else fingerprint == record.library.fingerprint,
        },
        "recorded": outcome(record),
        "again": outcome(again),
    }


def _show(result: dict[str, Any]) -> None:
    from rich.text import Text

    from transcripts.escape import one_line

    console = common.console()
    if result["identical"]:
        console.print(Text(f"Identical: {result['id']} comes out the same.", "green"))
    else:
        difference = result["difference"]
        console.print(
            Text(f"{result['id']} comes out otherwise. The first difference: {difference['path']}", "yellow")
        )
        for name, style in (("before", "red"), ("after", "green")):
            value = difference[name]
            console.print(Text(f"  {name:6}  {'nothing' if value is None else one_line(value)}", style))
        for name in ("recorded", "again"):
            one = result[name]
            said = one["short_answer"] if one["short_answer"] is not None else "no short answer"
            console.print(Text(f"  {name:8}  {one['status']}: {one_line(said)}"))
    if result["fingerprint"]["same"] is False:
        common.notice("The index of the library has changed since the run.")
