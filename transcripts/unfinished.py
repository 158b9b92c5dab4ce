"""Runs under way: what a run has so far outlives a kill, in ``asks/.unfinished``.

Each run holds a lock while it lives; the system lets go of it whatever ends the process, so that what a
killed run left can be told from a run that is still going on. The folder ignores itself by a
``.gitignore`` of its own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from transcripts.errors import TranscriptError
from transcripts.record import Transcript
from transcripts.store import UNFINISHED, load, unfinished_folder


class Checkpoint:
    """What one run has so far, on disk. Nothing is written before the first :meth:`write`."""

    def __init__(self, asks: Path, run_id: str) -> None:
        self._asks = asks
        self._id = run_id
        self._lock: FileLock | None = None

    @property
    def held(self) -> bool:
        """Whether this process holds the run, as it does from the first :meth:`write` on."""
        return self._lock is not None

    def write(self, transcript: Transcript) -> None:
        """Replace what was kept of the run by ``transcript``; a reader sees the old or the new one.

        :raises TranscriptError: when it cannot be written.
        """
        try:
            sealed = transcript.sealed().model_dump_json()
        except ValueError as error:
            raise self._unwritable(error) from error
        self.write_sealed(sealed)

    def write_sealed(self, sealed: str) -> None:
        """Replace what was kept of the run by the JSON of a transcript that was sealed elsewhere.

        :raises TranscriptError: when it cannot be written.
        """
        try:
            folder = unfinished_folder(self._asks)
            if self._lock is None:
                self._lock = _locked(folder, self._id)
            file = folder / f"{self._id}.json"
            draft = file.with_suffix(".json.new")
            with draft.open("w", encoding="utf-8", newline="\n") as opened:
                opened.write(sealed)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
        except (OSError, ValueError, Timeout) as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: Exception) -> TranscriptError:
        return TranscriptError(
            f"The run is not kept in {self._asks / UNFINISHED} while it goes on",
            getattr(error, "strerror", None) or str(error),
            "Make the folder writable, or name another with --asks",
        )

    def remove(self) -> None:
        """Forget the run: its record is saved, or there is nothing to keep."""
        if self._lock is not None:
            _remove(self._asks / UNFINISHED, self._id)

    def close(self) -> None:
        """Let go of the lock. What was written and not removed can then be recovered."""
        if self._lock is not None:
            self._lock.release()
            if not (self._asks / UNFINISHED / f"{self._id}.json").exists():
                _remove(self._asks / UNFINISHED, self._id)
            self._lock = None


@dataclass(frozen=True)
class Unfinished:
    """A run that left no record. ``transcript`` is None where it cannot be read; ``problem`` says why."""

    id: str
    file: Path
    transcript: Transcript | None
    problem: str = ""


def unfinished_ids(asks: Path) -> list[str]:
    """Return the ids of all runs without a record, those still going on included, oldest first."""
    return sorted(file.stem for file in (asks / UNFINISHED).glob("*.json"))


@contextmanager
def claimed(asks: Path, run_id: str) -> Iterator[Unfinished | None]:
    """Hold an unfinished run, so that nobody else does; None where its process is alive, or it is gone."""
    folder = asks / UNFINISHED
    file = folder / f"{run_id}.json"
    try:
        lock = _locked(folder, run_id) if file.exists() else None
    except Timeout:
        lock = None
    if lock is None:
        yield None
        return
    try:
        if not file.exists():  # its process ended well just before
            yield None
            return
        try:
            yield Unfinished(run_id, file, load(file))
        except TranscriptError as error:
            yield Unfinished(run_id, file, None, str(error))
    finally:
        lock.release()


def forget(asks: Path, run_id: str) -> None:
    """Remove what is kept of a run that was claimed, the drafts of its record included."""
    _remove(asks / UNFINISHED, run_id)


def sweep(asks: Path) -> None:
    """Remove what a run left that was killed inside its very first :meth:`Checkpoint.write`.

    Nothing of it can be read, so it counts as no run. Runs whose process is alive are left alone.
    """
    folder = asks / UNFINISHED
    for draft in folder.glob("*.json.new"):
        run_id = draft.name.removesuffix(".json.new")
        try:
            lock = _locked(folder, run_id)  # a draft is only written under it, so whoever gets it is alone
        except Timeout:
            continue
        try:
            if not (folder / f"{run_id}.json").exists():
                _remove(folder, run_id)
        finally:
            lock.release()


def _locked(folder: Path, run_id: str) -> FileLock:
    # Of the run, whichever thread of it writes.
    lock = FileLock(folder / f"{run_id}.lock", timeout=0, thread_local=False)
    lock.acquire()
    return lock


def _remove(folder: Path, run_id: str) -> None:
    for path in folder.glob(f"{run_id}*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.suffix != ".lock":
            path.unlink(missing_ok=True)
    (folder / f"{run_id}.lock").unlink(missing_ok=True)
