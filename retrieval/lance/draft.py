"""The next generation as it is made: in a temporary folder, by the same code that makes a local one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.indexes.tokens import tokens
from retrieval.lance import schema
from retrieval.lance.log import Generation
from retrieval.lance.tables import Tables
from retrieval.passages import embedded_text, head_of
from retrieval.store.writer import DATABASE, GenerationWriter

if TYPE_CHECKING:
    import pyarrow as pa

_PASSAGE = "p.id, p.document, p.ordinal, p.start, p.stop, p.text, p.sentences, p.heading_path, p.hash"
_DOCUMENT = "d.title, d.location, d.source_type, d.aliases, d.digest"
_JOINED = "FROM passages p JOIN documents d ON d.id = p.document"
_CHUNK = 500


class Draft:
    """What a finished :class:`GenerationWriter` wrote, as the tables want it."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(f"{(folder / DATABASE).as_uri()}?mode=ro", uri=True)

    def keys(self) -> list[tuple[str, str, bytes]]:
        """Return ``(id, digest of its document, hash of its text)`` of every passage, by row."""
        return self._connection.execute(f"SELECT p.id, d.digest, p.hash {_JOINED} ORDER BY p.row").fetchall()

    def texts(self, rows: Sequence[int]) -> dict[bytes, str]:
        """Return the texts of these rows as they are embedded, by their hashes."""
        found = {}
        for record in self._records("p.hash, d.title, p.heading_path, p.text", rows):
            found[record["hash"]] = embedded_text(
                record["title"], tuple(json.loads(record["heading_path"])), record["text"]
            )
        return found

    def passages(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        """Return these rows, with the words under which they are found; without vectors."""
        found = []
        for record in self._records(f"{_PASSAGE}, {_DOCUMENT}", rows):
            heads = tokens(head_of(record["title"], tuple(json.loads(record["heading_path"]))))
            words = " ".join([*heads, *tokens(record["text"])])
            found.append({**record, "words": words, "head": len(heads)})
        return found

    def files(self) -> pa.Table:
        """Return the files, with what tells whether they changed."""
        return self._table("SELECT key, stamp, digest FROM files", ("key", "stamp", "digest"))

    def problems(self) -> pa.Table:
        """Return the problems, in their order."""
        columns = ("number", "file", "location", "problem", "skipped")
        return self._table(f"SELECT rowid, {', '.join(columns[1:])} FROM problems ORDER BY rowid", columns)

    def documents(self) -> pa.Table:
        """Return the documents, with the rows of their passages."""
        import pyarrow as pa

        wanted = schema.documents()
        first = "(SELECT coalesce(min(row), 0) FROM passages p WHERE p.document = d.id)"
        count = "(SELECT count(*) FROM passages p WHERE p.document = d.id)"
        columns = ", ".join(f"d.{name}" for name in wanted.names[:-2])
        records = self._connection.execute(f"SELECT {columns}, {first}, {count} FROM documents d ORDER BY d.id")
        values: dict[str, list[Any]] = {name: [] for name in wanted.names}
        for record in records:
            for name, value in zip(wanted.names, record, strict=True):
                values[name].append(json.loads(value) if name == "tags" else value)
        return pa.table(values, schema=wanted)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def _records(self, columns: str, rows: Sequence[int]) -> list[dict[str, Any]]:
        names = [column.split(".")[1] for column in columns.split(", ")]
        found = []
        for start in range(0, len(rows), _CHUNK):
            part = [int(row) for row in rows[start : start + _CHUNK]]
            marks = ",".join("?" * len(part))
            query = f"SELECT {columns} {_JOINED} WHERE p.row IN ({marks}) ORDER BY p.row"
            found += [dict(zip(names, record, strict=True)) for record in self._connection.execute(query, part)]
        return found

    def _table(self, query: str, columns: Sequence[str]) -> pa.Table:
        import pyarrow as pa

        records = self._connection.execute(query).fetchall()
        numbers = {"number": pa.int64(), "skipped": pa.int64()}
        wanted = pa.schema([(name, numbers.get(name, pa.string())) for name in columns])
        return pa.table({name: [one[at] for one in records] for at, name in enumerate(columns)}, schema=wanted)


def write_previous(tables: Tables, generation: Generation, folder: Path) -> Path:
    """Write the database of a generation as a local sync leaves it, for a writer to copy from; return it."""
    writer = GenerationWriter(folder, None)
    try:
        versions = generation.versions
        for name, columns in (
            (schema.FILES, ["key", "stamp", "digest"]),
            (schema.PROBLEMS, ["number", "file", "location", "problem", "skipped"]),
        ):
            found = tables.read(name, versions[name], columns)
            rows = sorted(found.to_pylist(), key=lambda row: row.get("number", 0))
            kept = [name for name in columns if name != "number"]
            writer.restore(name, ([row[column] for column in kept] for row in rows))
        documents = tables.read(schema.DOCUMENTS, versions[schema.DOCUMENTS], schema.documents().names[:-2])
        writer.restore("documents", (_document(row) for row in documents.to_pylist()))
        columns = [column.split(".")[1] for column in _PASSAGE.split(", ")]
        passages = tables.read(schema.PASSAGES, versions[schema.PASSAGES], columns)
        for batch in passages.to_batches():
            writer.restore("staged", ([row[column] for column in columns] for row in batch.to_pylist()))
        writer.finish()
    finally:
        writer.close()
    return folder / DATABASE


def _document(row: dict[str, Any]) -> list[Any]:
    row["tags"] = json.dumps(row["tags"])
    order = (
        "id, file, title, location, source_type, content_hash, modified, tags, aliases, links, external_id, digest"
    )
    return [row[name] for name in order.split(", ")]
