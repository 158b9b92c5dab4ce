"""Rows of records kept in SQLite by what their files look like. It can be deleted at any time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

#: The file's name, in the state folder of a library.
CACHE = "transcripts.sqlite3"
_VERSION = 4
_TABLE = (
    "CREATE TABLE IF NOT EXISTS runs (asks TEXT, name TEXT, stamp TEXT, row TEXT, PRIMARY KEY (asks, name)) "
    "WITHOUT ROWID"
)


class RowCache:
    """Rows by folder name, for one folder of records. Where the file cannot be used, it holds nothing.

    :param file: the database, None for none.
    """

    def __init__(self, file: Path | None, asks: Path) -> None:
        self._file = file
        self._asks = str(asks.resolve())

    def read(self) -> dict[str, tuple[str, str]]:
        """Return ``{name: (stamp, row)}``."""
        if self._file is None or not self._file.exists():
            return {}
        try:
            with _opened(self._file) as connection:
                rows = connection.execute("SELECT name, stamp, row FROM runs WHERE asks = ?", (self._asks,))
                return {name: (stamp, row) for name, stamp, row in rows}
        except sqlite3.DatabaseError:
            return {}

    def write(self, changed: Mapping[str, tuple[str, str]], gone: Iterable[str]) -> None:
        """Keep ``{name: (stamp, row)}``, and forget what is gone."""
        if self._file is None:
            return
        try:
            self._write(self._file, changed, gone)
        except sqlite3.OperationalError:
            return  # busy or read-only: the next list reads the files again
        except sqlite3.DatabaseError:
            self._file.unlink(missing_ok=True)

    def _write(self, file: Path, changed: Mapping[str, tuple[str, str]], gone: Iterable[str]) -> None:
        with _opened(file) as connection:
            connection.executemany("DELETE FROM runs WHERE asks = ? AND name = ?", ((self._asks, n) for n in gone))
            connection.executemany(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)",
                ((self._asks, name, stamp, row) for name, (stamp, row) in changed.items()),
            )


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the database, of this version, for one transaction."""
    with closing(sqlite3.connect(file, timeout=2.0)) as connection, connection:
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            connection.execute("DROP TABLE IF EXISTS runs")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        yield connection
