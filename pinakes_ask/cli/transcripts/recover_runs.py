"""``pnk transcripts recover``: close or take up runs whose process ended too early."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption, StateOption
from pinakes_ask.cli.endpoint import BaseUrlOption, ModelOption
from pinakes_ask.cli.options import AsksOption, YesOption
from pinakes_ask.cli.transcripts.place import find_place, shown
from pinakes_ask.cli.transcripts.resuming import ResumingModels, close_one, resume_all
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.recovering import Recovered

_SAYS = {
    "closed": "closed with what it had",
    "resumed": "taken up and ended",
    "saved": "was saved before its process ended",
    "running": "is still going on, and was left alone",
    "unreadable": "cannot be read, and was left where it is",
}


def recover(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            show_default=False,
            help="Ids of runs, or their beginnings. Default: all unfinished.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with the model where the run was cut off, instead of closing it."),
    ] = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    yes: YesOption = False,
    commit: Annotated[
        bool | None,
        typer.Option("--commit/--no-commit", show_default=False, help="Commit the transcripts with git."),
    ] = None,
    kb: KbOption = None,
    state: StateOption = None,
    asks: AsksOption = None,
    as_json: JsonOption = False,
) -> int:
    """Save what is left of runs whose process was killed.

    Each is closed with what it had: evidence, plan, every call and its cost. A run that only lacked its
    record becomes whole. With --resume the run goes on instead, and no recorded call is made again.
    Runs of a batch are left to its next start, unless they are named.
    """
    if not resume and (model is not None or base_url is not None or yes):
        flag = "--model" if model is not None else "--base-url" if base_url is not None else "--yes"
        raise UsageError(f"{flag} does nothing here", "a run is closed without its model", "Add --resume")
    place = find_place(kb, asks)
    wanted = _wanted(place.asks, runs)
    left = () if runs or resume else _of_batches(place.library, state, wanted)
    wanted = [one for one in wanted if one not in left]
    committing = place.config.transcripts.commit if commit is None else commit
    if resume:
        models = ResumingModels(place.library, model, base_url, yes=yes)
        done = resume_all(place, wanted, models, state=state, commit=committing)
    else:
        done = [close_one(place, run_id, commit=committing) for run_id in wanted]
    for one in done:
        for note in one.notes:
            common.notice(f"warning: {note}")
    if as_json:
        common.print_json({"schema_version": 1, "runs": [_as_object(one) for one in done]})
    else:
        for one in done:
            common.print_result(_said(one))
        if not done and not left:
            common.notice(f"There is no unfinished run in {shown(place.asks)}.")
    if left:
        common.notice(
            f"Left alone, being of a batch: {', '.join(left)}. The same pnk batch goes on with what was paid for; "
            "name a run to close it."
        )
    return 1 if any(one.state == "unreadable" for one in done) else 0


def _wanted(asks: Path, runs: list[str] | None) -> list[str]:
    """The ids of the unfinished runs that were named, of all where none was."""
    from transcripts.unfinished import sweep, unfinished_ids

    sweep(asks)
    ids = unfinished_ids(asks)
    chosen: dict[str, None] = dict.fromkeys([] if runs else ids)
    for name in runs or ():
        found = [one for one in ids if one.startswith(name.upper())]
        if len(found) != 1:
            why = f"{len(found)} begin so" if found else "none begins so"
            raise UsageError(f"There is no unfinished run {name!r}", why, "Leave the id out to recover all")
        chosen[found[0]] = None
    return list(chosen)


def _of_batches(library: Path, state: Path | None, run_ids: list[str]) -> tuple[str, ...]:
    """Those runs that a batch will take up when it is started again; closed, they would be of no use to it."""
    from pinakes_ask.batch.journal import runs_of_batches
    from retrieval.state import state_dir

    theirs = runs_of_batches(state_dir(library.resolve(), state, writing=True))
    return tuple(one for one in run_ids if one in theirs)


def _as_object(one: Recovered) -> dict[str, Any]:
    return {
        "id": one.id,
        "state": one.state,
        "status": one.transcript.status if one.transcript else None,
        "question": one.transcript.question if one.transcript else None,
        "folder": shown(one.folder) if one.folder else None,
        "notes": list(one.notes),
    }


def _said(one: Recovered) -> str:
    from transcripts.escape import one_line

    if one.transcript is None:
        return f"{one.id} {_SAYS[one.state]}."
    return f"{one.id} {_SAYS[one.state]} ({one.transcript.status}): {one_line(one.transcript.question)}"
