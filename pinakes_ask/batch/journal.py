"""Which run belongs to which question, kept while the question has no row yet.

A run may be paid for, and even saved, when the process dies before its row is written. The journal is
how the next start finds that run again instead of asking once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pinakes_ask.batch.database import FILE, Database
from pinakes_ask.batch.rows import Key


@dataclass(frozen=True)
class Begun:
    """A run that was begun: its id, and when."""

    run: str
    created: datetime


class Journal:
    """The runs begun for one file of answers."""

    def __init__(self, database: Database, answers: Path) -> None:
        self._database = database
        self._answers = str(answers.resolve())

    def begun(self) -> dict[str, Begun]:
        """Return the runs that were begun and have no row, by the text of their keys."""
        with self._database.writing() as db:
            rows = db.execute("SELECT key, run, created FROM runs WHERE answers = ?", (self._answers,)).fetchall()
        return {key: Begun(run, datetime.fromisoformat(created)) for key, run, created in rows}

    def begin(self, key: Key, run: Begun) -> None:
        """Keep that ``run`` is about to answer ``key``; an earlier one is forgotten."""
        values = (self._answers, key.text(), run.run, run.created.isoformat())
        with self._database.writing() as db:
            db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", values)

    def end(self, key: Key) -> None:
        """Forget the run of ``key``: its row is on the disk, or nothing of it is worth keeping."""
        with self._database.writing() as db:
            db.execute("DELETE FROM runs WHERE answers = ? AND key = ?", (self._answers, key.text()))


def runs_of_batches(state: Path) -> frozenset[str]:
    """Return the ids of all runs that a library's batches began and that have no row yet.

    :param state: the library's state folder.
    :raises LedgerError: when a batch wrote there and it cannot be read.
    """
    if not (state / FILE).is_file():
        return frozenset()
    database = Database(state)
    try:
        with database.writing() as db:
            return frozenset(run for (run,) in db.execute("SELECT run FROM runs").fetchall())
    finally:
        database.close()
