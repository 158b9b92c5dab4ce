"""Rows of the passages that a worker has at hand, fetched as the ranking asks for them.

A question touches some hundred rows: candidates, and what names lead to. Each is fetched once, all
that are missing at a time, and the latest are kept for the next question.
"""

from __future__ import annotations

import itertools
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.lance import arrow
from retrieval.lance.failures import talking
from retrieval.protocols import Vectors

Rows = NDArray[np.int64]
Numbers = NDArray[np.int32]
#: Rows that each thread keeps; about 10 MB.
ROOM = 4096


class Passages:
    """The passages of one generation by row, without their texts: vectors and numbered words.

    Usable from several threads, each of which has rows of its own at hand.

    :param table: the passages at the generation's version.
    :param places: for each row, LanceDB's id of it in that table.
    :param room: rows that each thread keeps at hand, if no question needs more of them at once.
    """

    def __init__(self, table: Any, places: Rows, dimension: int, uri: str, room: int = ROOM) -> None:
        self.table, self.places, self.uri = table, places, uri
        self._room = room
        self._dimension = dimension
        self._order = np.argsort(places)
        self._sorted = places[self._order]
        self._numbers: dict[str, int] = {}
        self._next = itertools.count()
        self._local = threading.local()

    def __len__(self) -> int:
        return len(self.places)

    def rows(self, places: Rows) -> Rows:
        """Return the rows at these places of the table; places that hold no row are left out."""
        at = np.searchsorted(self._sorted, places).clip(max=max(len(self._sorted) - 1, 0))
        if len(self._sorted) == 0:
            return np.zeros(0, np.int64)
        found: Rows = self._order[at[self._sorted[at] == places]].astype(np.int64)
        return found

    def __getitem__(self, rows: Rows, /) -> Vectors:
        return self.vectors(rows)

    def number(self, token: str) -> int:
        """Return the number that stands for a token in this process."""
        found = self._numbers.get(token)
        # Two threads may draw a number for one token; the first one stays, the other is not used.
        return self._numbers.setdefault(token, next(self._next)) if found is None else found

    def vectors(self, rows: Rows) -> Vectors:
        """Return the vectors of these rows."""
        page = self._page(rows)
        return page.vectors[page.slots(rows)]

    def words(self, rows: Rows, *, heads: bool = True, bodies: bool = True) -> tuple[Rows, Numbers]:
        """Return ``(places, numbers)`` of the words of these rows end to end; places index into ``rows``.

        :param heads: with the words of title and headings; :param bodies: with those of the text.
        """
        page = self._page(rows)
        found = []
        for slot in page.slots(rows).tolist():
            head, words = page.heads[slot], page.words[slot]
            found.append(words if heads and bodies else words[:head] if heads else words[head:])
        lengths = np.asarray([len(words) for words in found], np.int64)
        numbers = np.concatenate(found) if found else np.zeros(0, np.int32)
        return np.repeat(np.arange(len(rows)), lengths), numbers

    def _page(self, rows: Rows) -> _Page:
        page: _Page | None = getattr(self._local, "page", None)
        if page is None:
            page = self._local.page = _Page(len(self), self._dimension, self._room)
        missing = page.make_room(rows)
        if len(missing):
            page.keep(missing, *self._fetch(missing))
        return page

    def _fetch(self, rows: Rows) -> tuple[Vectors, list[Numbers], list[int]]:
        with talking(self.uri):
            query = self.table.take_row_ids(self.places[rows].tolist()).select(["words", "head", "vector"])
            taken = query.with_row_id().to_arrow()
        # Rows come back by their place, not as they were asked for.
        taken = taken.take(_positions(arrow.array(taken, "_rowid").astype(np.int64), self.places[rows]))
        words = self._numbered(taken["words"])
        return arrow.vectors(taken["vector"], self._dimension), words, taken["head"].to_pylist()

    def _numbered(self, texts: Any) -> list[Numbers]:
        """Return the numbers of the words of each text."""
        import pyarrow.compute as pc

        split = pc.split_pattern(texts.combine_chunks(), " ")
        coded = pc.dictionary_encode(split.flatten())
        known = np.asarray([self.number(token) for token in coded.dictionary.to_pylist()], np.int32)
        numbers = known[coded.indices.to_numpy()] if len(known) else np.zeros(0, np.int32)
        ends = np.cumsum(pc.list_value_length(split).to_numpy())
        words = np.split(numbers, ends[:-1]) if len(ends) else []
        # A text without words splits into one empty word.
        empty = pc.equal(texts, "").to_numpy()
        return [part[:0] if nothing else part for part, nothing in zip(words, empty, strict=True)]


class _Page:
    """The rows that one thread has at hand, in slots that are used again in turn."""

    def __init__(self, rows: int, dimension: int, room: int) -> None:
        self._room = room
        self._slot = np.full(rows, -1, np.int32)
        self._row = np.zeros(0, np.int64)
        self._turn = 0
        self.vectors = np.zeros((0, dimension), np.float32)
        self.words: list[Numbers] = []
        self.heads: list[int] = []

    def slots(self, rows: Rows) -> Numbers:
        """Return where each of these rows is."""
        return self._slot[rows]

    def make_room(self, rows: Rows) -> Rows:
        """Return which of these rows are not at hand, after making room for them beside the others."""
        missing = np.unique(rows[self._slot[rows] < 0])
        room = max(self._room, 2 * len(rows))
        if len(self._row) < room:
            grown = room - len(self._row)
            self._row = np.concatenate([self._row, np.full(grown, -1, np.int64)])
            self.vectors = np.concatenate([self.vectors, np.zeros((grown, self.vectors.shape[1]), np.float32)])
            self.words += [np.zeros(0, np.int32)] * grown
            self.heads += [0] * grown
        if len(missing) == 0:
            return missing
        turn = (self._turn + np.arange(len(missing))) % len(self._row)
        leaving = self._row[turn]
        if np.isin(leaving, rows).any():
            # What is wanted now must not make way; start afresh, which is rare.
            self._slot[self._row[self._row >= 0]] = -1
            self._row[:] = -1
            return np.unique(rows)
        self._slot[leaving[leaving >= 0]] = -1
        return missing

    def keep(self, rows: Rows, vectors: Vectors, words: list[Numbers], heads: list[int]) -> None:
        """Take in rows for which :meth:`make_room` made room."""
        turn = (self._turn + np.arange(len(rows))) % len(self._row)
        self._row[turn], self._slot[rows], self.vectors[turn] = rows, turn, vectors
        for slot, one, head in zip(turn.tolist(), words, heads, strict=True):
            self.words[slot], self.heads[slot] = one, head
        self._turn = int(turn[-1] + 1) % len(self._row)


def _positions(found: Rows, wanted: Rows) -> Rows:
    """Return where in ``found`` each of ``wanted`` stands."""
    order = np.argsort(found)
    at: Rows = order[np.searchsorted(found[order], wanted)]
    return at
