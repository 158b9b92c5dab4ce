"""Writing the database of a new generation: files, documents, passages and problems."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.passages import embedded_text, split
from retrieval.sources import Origin
from retrieval.types import Document, FileProblem

DATABASE = "passages.sqlite3"
_PASSAGE = "id, document, ordinal, start, stop, text, sentences, heading_path, hash"
_DOCUMENT = (
    "id, file, title, location, source_type, content_hash, modified, tags, aliases, links, external_id, digest"
)
_SCHEMA = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE files (key TEXT PRIMARY KEY, stamp TEXT, digest TEXT);
CREATE TABLE documents ({_DOCUMENT.replace("id,", "id TEXT PRIMARY KEY,", 1)});
CREATE TABLE problems (file TEXT, location TEXT, problem TEXT, skipped INTEGER);
CREATE TABLE staged ({_PASSAGE});
CREATE TABLE passages (row INTEGER PRIMARY KEY, {_PASSAGE});
"""


@dataclass(frozen=True)
class Changes:
    """How many documents a new generation adds, changes, removes and leaves as they were."""

    added: int
    changed: int
    removed: int
    unchanged: int


class GenerationWriter:
    """Collects the content of a generation; rows are numbered by (document, ordinal) at the end.

    :param folder: of the new generation.
    :param previous: database of the generation from which unchanged files are copied, if any.
    """

    def __init__(self, folder: Path, previous: Path | None) -> None:
        self._connection = sqlite3.connect(folder / DATABASE, isolation_level=None)
        self._connection.executescript(_SCHEMA)
        self._previous = previous is not None
        if previous is not None:
            self._connection.execute("ATTACH ? AS old", (str(previous),))
        self._connection.execute("BEGIN")

    def copy(self, key: str, stamp: str) -> None:
        """Take over the file ``key`` from the previous generation, with its present stamp."""
        run = self._connection.execute
        run("INSERT INTO files SELECT key, ?, digest FROM old.files WHERE key = ?", (stamp, key))
        run(
            f"INSERT INTO staged SELECT {_columns('p')} FROM old.passages p JOIN old.documents d "
            "ON d.id = p.document WHERE d.file = ?",
            (key,),
        )
        run("INSERT INTO documents SELECT * FROM old.documents WHERE file = ?", (key,))
        run("INSERT INTO problems SELECT * FROM old.problems WHERE file = ?", (key,))

    def add(self, origin: Origin, digest: str, documents: Iterable[Document]) -> None:
        """Take in a file that was read, as the documents it holds."""
        run = self._connection.execute
        run("INSERT INTO files VALUES (?, ?, ?)", (origin.key, origin.stamp, digest))
        for document in documents:
            run(f"INSERT INTO documents VALUES ({','.join('?' * 12)})", _document_row(document, origin.key))
            self._connection.executemany(
                f"INSERT INTO staged VALUES ({','.join('?' * 9)})", _passage_rows(document)
            )

    def restore(self, table: str, records: Iterable[Sequence[object]]) -> None:
        """Take over rows of another generation's ``table`` as they are; ``staged`` takes its passages."""
        stored = list(records)
        if stored:
            self._connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(stored[0]))})", stored)

    def problem(self, file: str, problem: FileProblem) -> None:
        """Record a problem; ``file`` is the key of the origin it belongs to, or empty."""
        self._connection.execute(
            "INSERT INTO problems VALUES (?, ?, ?, ?)", (file, problem.location, problem.problem, problem.skipped)
        )

    def finish(self) -> Changes:
        """Number the passages and return what changed against the previous generation."""
        run = self._connection.execute
        numbered = "row_number() OVER (ORDER BY document, ordinal) - 1"
        run(f"INSERT INTO passages SELECT {numbered}, {_PASSAGE} FROM staged")
        run("DROP TABLE staged")
        run("CREATE UNIQUE INDEX passage_ids ON passages (id)")
        run("CREATE INDEX passages_of ON passages (document)")
        run("CREATE INDEX documents_of ON documents (file)")
        total = run("SELECT count(*) FROM documents").fetchone()[0]
        same = kept = before = 0
        if self._previous:
            before = run("SELECT count(*) FROM old.documents").fetchone()[0]
            kept = run("SELECT count(*) FROM documents JOIN old.documents o USING (id)").fetchone()[0]
            same = run(
                "SELECT count(*) FROM documents d JOIN old.documents o ON d.id = o.id AND d.digest = o.digest"
            ).fetchone()[0]
        run("COMMIT")
        return Changes(added=total - kept, changed=kept - same, removed=before - kept, unchanged=same)

    def count(self) -> int:
        """Return the number of passages; call after :meth:`finish`."""
        return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])

    def documents_count(self) -> int:
        """Return the number of documents."""
        return int(self._connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def problems(self) -> list[FileProblem]:
        """Return all recorded problems, copied ones included."""
        rows = self._connection.execute("SELECT location, problem, skipped FROM problems ORDER BY rowid")
        return [FileProblem(location, problem, bool(skipped)) for location, problem, skipped in rows]

    def rows(self) -> Iterator[tuple[int, str, str, tuple[str, ...], tuple[str, ...], str]]:
        """Yield ``(row, document, title, aliases, heading path, text)`` by row; after :meth:`finish`."""
        found = self._connection.cursor().execute(
            "SELECT p.row, p.document, d.title, d.aliases, p.heading_path, p.text FROM passages p "
            "JOIN documents d ON d.id = p.document ORDER BY p.row"
        )
        for row, document, title, aliases, path, text in found:
            yield row, document, title, tuple(json.loads(aliases)), tuple(json.loads(path)), text

    def linked_documents(self) -> list[tuple[str, str, str, str, str, str]]:
        """Return ``(id, location, title, aliases, external id, links)``, or nothing if no document links."""
        if not self._connection.execute("SELECT 1 FROM documents WHERE links != '[]' LIMIT 1").fetchone():
            return []
        return self._connection.execute(
            "SELECT id, location, title, aliases, external_id, links FROM documents ORDER BY id"
        ).fetchall()

    def texts(self) -> Iterator[tuple[bytes, str]]:
        """Yield ``(hash, text as it is embedded)`` of every passage, by row; after :meth:`finish`."""
        rows = self._connection.cursor().execute(
            "SELECT p.hash, d.title, p.heading_path, p.text FROM passages p JOIN documents d "
            "ON d.id = p.document ORDER BY p.row"
        )
        for digest, title, path, text in rows:
            yield digest, embedded_text(title, tuple(json.loads(path)), text)

    def fingerprint(self, embedder: str) -> str:
        """Return a hash of everything that search results can depend on; after :meth:`finish`."""
        total = hashlib.sha256(embedder.encode())
        for (digest,) in self._connection.execute("SELECT digest FROM documents ORDER BY id"):
            total.update(digest.encode())
        for (digest,) in self._connection.execute("SELECT hash FROM passages ORDER BY row"):
            total.update(digest)
        return total.hexdigest()[:32]

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def _columns(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in _PASSAGE.split(", "))


def _document_row(document: Document, file: str) -> tuple[object, ...]:
    described = (
        document.title,
        document.location,
        document.source_type,
        document.content_hash,
        document.modified.isoformat() if document.modified else None,
        json.dumps(document.tags),
        json.dumps(document.aliases),
        json.dumps([(link.target, link.kind) for link in document.links]),
        document.external_id,
    )
    # The time of modification is not part of what a search can depend on, except by a filter.
    digest = hashlib.sha256(repr([document.id, *described[:4], *described[5:]]).encode()).hexdigest()
    return (document.id, file, *described, digest)


def _passage_rows(document: Document) -> Iterator[tuple[object, ...]]:
    for passage in split(document):
        text = embedded_text(passage.title, passage.heading_path, passage.text)
        yield (
            passage.id,
            passage.document,
            passage.ordinal,
            passage.start,
            passage.end,
            passage.text,
            json.dumps(passage.sentences),
            json.dumps(passage.heading_path),
            hashlib.sha256(text.encode()).digest(),
        )
