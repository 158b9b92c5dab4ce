"""Reading the passages and documents of a generation from its tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.lance import arrow, schema
from retrieval.lance.failures import talking
from retrieval.lance.page import Passages
from retrieval.store.reader import utc
from retrieval.types import Filters, Passage

_CHUNK = 1000


class LanceReader:
    """The passages and documents of one generation. Usable from several threads.

    :param documents: the table of documents at the generation's version.
    """

    def __init__(self, passages: Passages, documents: Any, count: int) -> None:
        self._passages, self._documents, self._count = passages, documents, count

    def documents_count(self) -> int:
        """Return the number of documents."""
        return self._count

    def by_rows(self, rows: Sequence[int]) -> list[Passage]:
        """Return the passages in these rows, in the order given."""
        if len(rows) == 0:
            return []
        passages = self._passages
        places = passages.places[np.asarray(rows, np.int64)].tolist()
        with talking(passages.uri):
            query = passages.table.take_row_ids(sorted(set(places))).select(list(schema.SHOWN))
            taken = query.with_row_id().to_arrow().to_pylist()
        found = {record["_rowid"]: _passage(record) for record in taken}
        return [found[place] for place in places]

    def by_id(self, identity: str) -> Passage:
        """Return the passage called ``identity``; raises :class:`KeyError`."""
        with talking(self._passages.uri):
            query = self._passages.table.search().where(f"id = {quoted(identity)}")
            taken = query.select(list(schema.SHOWN)).limit(1).to_arrow().to_pylist()
        if not taken:
            raise KeyError(identity)
        return _passage(taken[0])

    def all(self) -> Iterator[Passage]:
        """Yield every passage by row, that is by document and ordinal."""
        for start in range(0, len(self._passages), _CHUNK):
            yield from self.by_rows(range(start, min(start + _CHUNK, len(self._passages))))

    def allowed(self, filters: Filters) -> NDArray[np.bool_]:
        """Return, for every row, whether its document meets all conditions of ``filters``."""
        with talking(self._passages.uri):
            query = self._documents.search().where(_conditions(filters)).select(["first", "count"])
            found = query.to_arrow()
        change = np.zeros(len(self._passages) + 1, np.int64)
        first, count = arrow.array(found, "first"), arrow.array(found, "count")
        np.add.at(change, first, 1)
        np.add.at(change, first + count, -1)
        mask: NDArray[np.bool_] = np.cumsum(change)[:-1] > 0
        return mask

    def close(self) -> None:
        """Let go of nothing: tables hold no files open between two reads."""


def quoted(text: str) -> str:
    """Return a text as a literal of LanceDB's SQL."""
    return "'" + text.replace("'", "''") + "'"


def _conditions(filters: Filters) -> str:
    """Return the conditions on a document, in LanceDB's SQL."""
    conditions = ["true", *(f"array_has(tags, {quoted(tag)})" for tag in filters.tags)]
    if filters.path_prefix:
        conditions.append(f"starts_with(location, {quoted(filters.path_prefix)})")
    if filters.source_type:
        conditions.append(f"source_type = {quoted(filters.source_type)}")
    # Times are kept in UTC and ISO 8601, which order as text.
    if filters.modified_after is not None:
        conditions.append(f"modified >= {quoted(utc(filters.modified_after))}")
    if filters.modified_before is not None:
        conditions.append(f"modified < {quoted(utc(filters.modified_before))}")
    return " AND ".join(conditions)


def _passage(record: dict[str, Any]) -> Passage:
    return Passage(
        id=record["id"],
        document=record["document"],
        title=record["title"],
        location=record["location"],
        ordinal=record["ordinal"],
        start=record["start"],
        end=record["stop"],
        text=record["text"],
        sentences=tuple((int(a), int(b)) for a, b in json.loads(record["sentences"])),
        heading_path=tuple(json.loads(record["heading_path"])),
        source_type=record["source_type"],
        aliases=tuple(json.loads(record["aliases"])),
    )
