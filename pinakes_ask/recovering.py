"""What becomes of runs whose process ended before their record was saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pinakes_ask.keeping import Outcome, message
from pinakes_ask.resuming import finish, resume
from pinakes_ask.seams import Clock, LanguageModel
from retrieval.protocols import Searcher
from transcripts.folders import run_folders
from transcripts.git import commit_new
from transcripts.record import Transcript
from transcripts.store import load, save
from transcripts.unfinished import claimed, forget

#: ``closed`` with what it had, or ``resumed`` to its end; ``saved`` before already; its process is still
#: ``running``; or what is left of it is ``unreadable``, and stays where it is.
State = Literal["closed", "resumed", "saved", "running", "unreadable"]


@dataclass(frozen=True)
class Recovered:
    """What became of one run. ``transcript`` is None where there is no record of it; ``notes`` say why."""

    id: str
    state: State
    transcript: Transcript | None = None
    folder: Path | None = None
    notes: tuple[str, ...] = ()


async def close(asks: Path, run_id: str, *, clock: Clock, commit: bool) -> Recovered:
    """Save the record of a killed run with what it has, and forget what was kept of it.

    :raises TranscriptError: when the record cannot be saved; what was kept then stays.
    """
    with claimed(asks, run_id) as found:
        if found is None:
            return Recovered(run_id, "running")
        if found.transcript is None:
            return Recovered(run_id, "unreadable", notes=(found.problem,))
        folder = _saved(asks, run_id)
        state: State = "saved" if folder is not None else "closed"
        if folder is None:
            transcript, path = await finish(found.transcript, clock=clock)
            folder = save(asks, transcript, path)
        transcript = load(folder)
        notes = _committed(asks, folder, transcript) if commit else ()
        forget(asks, run_id)
        return Recovered(run_id, state, transcript, folder, notes)


async def go_on(
    checkpoint: Transcript, model: LanguageModel, *, searcher: Searcher, clock: Clock, asks: Path, commit: bool
) -> Recovered:
    """Run a killed run to its end with ``model``; see :func:`pinakes_ask.resuming.resume`."""
    outcome: Outcome = await resume(checkpoint, model, searcher=searcher, clock=clock, asks=asks, commit=commit)
    return Recovered(checkpoint.id, "resumed", outcome.transcript, outcome.folder, outcome.notes)


def to_resume(asks: Path, run_id: str) -> Transcript | None:
    """Return what a killed run has, None where there is nothing to go on with: closing it tells why."""
    with claimed(asks, run_id) as found:
        if found is None or _saved(asks, run_id) is not None:
            return None
        return found.transcript


def _saved(asks: Path, run_id: str) -> Path | None:
    """The run's folder, where its process ended between saving the record and forgetting the run."""
    return next((asks / run.name for run in run_folders(asks) if run.id == run_id), None)


def _committed(asks: Path, folder: Path, transcript: Transcript) -> tuple[str, ...]:
    done = commit_new(asks, [folder], lambda _: message(transcript))
    return () if done.done else (f"The transcript was not committed: {done.note}.",)
