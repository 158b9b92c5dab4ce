"""Keeping what a run has: while it goes on, then as its record. No failure here hides the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pinakes_ask.threads import in_thread
from transcripts.errors import TranscriptError
from transcripts.git import commit_folder
from transcripts.record import Transcript
from transcripts.store import save
from transcripts.unfinished import Checkpoint

KeptT = TypeVar("KeptT")


@dataclass(frozen=True)
class Outcome:
    """A finished question. ``folder`` is None where the record was not saved; ``notes`` say why."""

    transcript: Transcript
    folder: Path | None
    notes: tuple[str, ...] = ()


class Keeps(Protocol):
    """Keeps one run: a :class:`Keeper` in files; a worker of a cluster hands it to the process that writes."""

    async def keep(self, transcript: Transcript) -> None:
        """Keep what the run has so far."""

    async def save(self, transcript: Transcript, path: Mapping[str, Any], *, commit: bool) -> Outcome:
        """Keep the record of the run, which has ended."""

    def close(self) -> None:
        """Let go of the run."""


class Keeper:
    """Keeps one run in ``asks``; nothing where that is None."""

    def __init__(self, asks: Path | None, run_id: str) -> None:
        self._asks = asks
        self._checkpoint = Checkpoint(asks, run_id) if asks is not None else None
        self._failure = ""

    async def keep(self, transcript: Transcript) -> None:
        """Write down what the run has so far; where that fails, :meth:`save` says so.

        Other runs go on while the disk is waited for.
        """
        if self._checkpoint is not None:
            await self._keep(self._checkpoint.write, transcript)

    async def keep_sealed(self, sealed: str) -> None:
        """Write down what a run has so far, the JSON of a transcript that was sealed elsewhere."""
        if self._checkpoint is not None:
            await self._keep(self._checkpoint.write_sealed, sealed)

    async def _keep(self, write: Callable[[KeptT], None], kept: KeptT) -> None:
        try:
            await in_thread(write, kept)
        except TranscriptError as error:
            self._failure = str(error)

    async def save(self, transcript: Transcript, path: Mapping[str, Any], *, commit: bool) -> Outcome:
        """Save the record of the run, which has ended, and commit it where that is wanted."""
        if self._asks is None or self._checkpoint is None:
            return Outcome(transcript, None)
        if not self._checkpoint.held:
            # No model was called, or nothing could be kept so far; else the last call was kept as it ended.
            await self.keep(transcript)
        try:
            folder = await in_thread(save, self._asks, transcript, path)
        except TranscriptError as error:
            return Outcome(transcript, None, (str(error),))
        notes = [self._failure] if self._failure else []
        if commit:
            committed = await in_thread(commit_folder, folder, message(transcript))
            if not committed.done:
                notes.append(f"The transcript was not committed: {committed.note}.")
        await in_thread(self._checkpoint.remove)
        return Outcome(transcript, folder, tuple(notes))

    def close(self) -> None:
        """Let go of the run, whatever became of it."""
        if self._checkpoint is not None:
            self._checkpoint.close()


def message(transcript: Transcript) -> str:
    """Return the message of the commit that adds a record."""
    return f"Ask: {transcript.question[:60]}"
