"""The database that all batches of a library share, in the library's state folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pinakes_ask.batch.errors import LedgerError
from retrieval.state import prepare

FILE = "batch.sqlite3"
#: Seconds to wait for another process that writes.
_PATIENCE = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (id TEXT PRIMARY KEY, team TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS settled (
    account TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL);
CREATE TABLE IF NOT EXISTS open (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, day TEXT NOT NULL, held INTEGER NOT NULL,
    calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    answers TEXT NOT NULL, key TEXT NOT NULL, run TEXT NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY (answers, key));
"""


class Database:
    """A connection. What is written survives the process; a power cut may take the last moments."""

    def __init__(self, state: Path) -> None:
        """Open the database in ``state``, which is created where it is missing.

        :raises LedgerError: when it cannot be opened.
        """
        self._file = state / FILE
        with self._errors():
            prepare(state)
            self._connection = sqlite3.connect(self._file, timeout=_PATIENCE, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_SCHEMA)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside a transaction that no other writer can enter."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise LedgerError(
                f"The account of the library's batches in {self._file} cannot be used",
                str(error) or type(error).__name__,
                "Free its disk, make it writable, or name another place with --state",
            ) from error
