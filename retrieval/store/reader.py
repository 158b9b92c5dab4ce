"""Reading the database of a generation. It never changes, so it is opened as immutable."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.store.writer import DATABASE
from retrieval.types import FileProblem, Filters, Passage

_SELECT = (
    "SELECT p.row, p.id, p.document, d.title, d.location, p.ordinal, p.start, p.stop, p.text, p.sentences, "
    "p.heading_path, d.source_type, d.aliases FROM passages p JOIN documents d ON d.id = p.document "
)
_CHUNK = 500


class GenerationReader:
    """The passages, documents, files and problems of one generation. Usable from several threads."""

    def __init__(self, folder: Path) -> None:
        uri = f"{(folder / DATABASE).as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def passages_count(self) -> int:
        """Return the number of passages."""
        return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])

    def documents_count(self) -> int:
        """Return the number of documents."""
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def by_rows(self, rows: Sequence[int]) -> list[Passage]:
        """Return the passages in these rows, in the order given."""
        found: dict[int, Passage] = {}
        for start in range(0, len(rows), _CHUNK):
            part = [int(row) for row in rows[start : start + _CHUNK]]
            marks = ",".join("?" * len(part))
            for record in self._connection.execute(f"{_SELECT} WHERE p.row IN ({marks})", part):
                found[record[0]] = _passage(record)
        return [found[int(row)] for row in rows]

    def by_id(self, identity: str) -> Passage:
        """Return the passage called ``identity``; raises :class:`KeyError`."""
        record = self._connection.execute(f"{_SELECT} WHERE p.id = ?", (identity,)).fetchone()
        if record is None:
            raise KeyError(identity)
        return _passage(record)

    def all(self) -> Iterator[Passage]:
        """Yield every passage by row, that is by document and ordinal."""
        for record in self._connection.cursor().execute(f"{_SELECT} ORDER BY p.row"):
            yield _passage(record)

    def allowed(self, filters: Filters) -> NDArray[np.bool_]:
        """Return, for every row, whether its document meets all conditions of ``filters``."""
        conditions, values = ["1"], list[object]()
        for tag in filters.tags:
            conditions.append("EXISTS (SELECT 1 FROM json_each(d.tags) WHERE value = ?)")
            values.append(tag)
        if filters.path_prefix:
            conditions.append("substr(d.location, 1, length(?)) = ?")
            values += [filters.path_prefix, filters.path_prefix]
        if filters.source_type:
            conditions.append("d.source_type = ?")
            values.append(filters.source_type)
        # Times are kept in UTC and ISO 8601, which order as text.
        if filters.modified_after is not None:
            conditions.append("d.modified >= ?")
            values.append(utc(filters.modified_after))
        if filters.modified_before is not None:
            conditions.append("d.modified < ?")
            values.append(utc(filters.modified_before))
        mask = np.zeros(self.passages_count(), np.bool_)
        query = (
            f"SELECT p.row FROM passages p JOIN documents d ON d.id = p.document WHERE {' AND '.join(conditions)}"
        )
        rows = [row for (row,) in self._connection.execute(query, values)]
        mask[rows] = True
        return mask

    def files(self) -> dict[str, tuple[str, str]]:
        """Return ``{key: (stamp, digest)}`` of every file that was taken in."""
        return {key: (stamp, digest) for key, stamp, digest in self._connection.execute("SELECT * FROM files")}

    def problems(self) -> list[tuple[str, FileProblem]]:
        """Return ``(key of the file, problem)`` of everything that the sync complained about."""
        rows = self._connection.execute("SELECT * FROM problems ORDER BY rowid")
        return [(file, FileProblem(location, problem, bool(skipped))) for file, location, problem, skipped in rows]

    def notes(self) -> list[FileProblem]:
        """Return what is no fault of a file: titles that several documents share, in one note."""
        shared = self._connection.execute(
            "SELECT title, count(*), min(location), max(location) FROM documents GROUP BY title "
            "HAVING count(*) > 1 ORDER BY min(id)"
        ).fetchall()
        if not shared:
            return []
        title, count, first, last = shared[0]
        more = f"; so are {len(shared) - 1} other titles" if len(shared) > 1 else ""
        said = f"its title, {title!r}, is shared by {count} documents (one is {last}){more}; all are kept apart"
        return [FileProblem(first, said, False)]

    def said(self) -> tuple[FileProblem, ...]:
        """Return the problems and the notes."""
        return (*(problem for _, problem in self.problems()), *self.notes())

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def utc(time: datetime) -> str:
    """Return a time as it is kept; one without a zone is taken as UTC."""
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _passage(record: tuple[object, ...]) -> Passage:
    _, identity, document, title, location, ordinal, start, stop, text, sentences, path, kind, aliases = record
    return Passage(
        id=str(identity),
        document=str(document),
        title=str(title),
        location=str(location),
        ordinal=int(str(ordinal)),
        start=int(str(start)),
        end=int(str(stop)),
        text=str(text),
        sentences=tuple((int(a), int(b)) for a, b in json.loads(str(sentences))),
        heading_path=tuple(json.loads(str(path))),
        source_type=str(kind),
        aliases=tuple(json.loads(str(aliases))),
    )
