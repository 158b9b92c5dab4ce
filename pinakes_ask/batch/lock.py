"""Locks that the system lets go of whatever ends a process: on a file of answers, and of a living batch."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from pinakes_ask.batch.errors import BatchRunning, LedgerError
from retrieval.state import prepare


@contextmanager
def only_writer(answers: Path, state: Path) -> Iterator[None]:
    """Be the library's only batch that writes to ``answers``, without waiting.

    :param state: the library's state folder, where the lock lies so as not to litter that of the answers.
    :raises BatchRunning: when another one does.
    """
    name = hashlib.sha256(os.fsencode(answers.resolve())).hexdigest()[:16]
    try:
        prepare(state)
        lock = FileLock(state / f"answers-{name}.lock", timeout=0)
        lock.acquire()
    except Timeout:  # which is an OSError too
        raise BatchRunning(
            f"Another batch is writing to {answers}", "it has not ended yet", "Nothing was done, nothing is needed"
        ) from None
    except OSError as error:
        raise unlockable(state, error) from error
    try:
        yield
    finally:
        lock.release()


def unlockable(folder: Path, error: OSError) -> LedgerError:
    """Return the error for a folder in which no lock can be held."""
    return LedgerError(
        f"The batch cannot be made known in {folder}",
        error.strerror or str(error),
        "Make the folder writable, or name another place with --state",
    )


class Lives:
    """Which batches of a library are alive: each holds a lock of its own."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "batches"

    @contextmanager
    def live(self, batch: str) -> Iterator[None]:
        """Be known as alive."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._file(batch), timeout=0)
            lock.acquire()
        except OSError as error:
            raise unlockable(self._folder, error) from error
        try:
            yield
        finally:
            lock.release()
            self._file(batch).unlink(missing_ok=True)

    def is_alive(self, batch: str) -> bool:
        """Return whether the process of ``batch`` still runs; what a dead one left behind is removed."""
        file = self._file(batch)
        if not file.exists():
            return False
        lock = FileLock(file, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            return True
        lock.release()
        file.unlink(missing_ok=True)
        return False

    def _file(self, batch: str) -> Path:
        return self._folder / f"{batch}.lock"
