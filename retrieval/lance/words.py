"""Words: LanceDB's full-text index finds candidates, and they are scored like everywhere else.

LanceDB computes BM25 with a k1 of 1.2 and keeps deleted passages in its counts until they are merged
away. So its scores decide only which passages are looked at; the scores that the ranking sees are
computed from the passages' own words, with the library's own counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.hops.surface import hash_of
from retrieval.indexes.words import K1, B, Mask, Rows, Scored, Scores
from retrieval.lance.deep import deepest
from retrieval.lance.failures import talking
from retrieval.lance.page import Numbers, Passages


@dataclass(frozen=True)
class Counts:
    """In how many passages each word stands.

    :param hashes: of the words, sorted; :param counts: of each of them.
    :param mean: length of a passage in words.
    """

    hashes: NDArray[np.int64]
    counts: NDArray[np.int32]
    passages: int
    mean: float

    def of(self, token: str) -> int:
        """Return in how many passages a word stands."""
        wanted = hash_of(token)
        place = int(np.searchsorted(self.hashes, wanted))
        if place < len(self.hashes) and int(self.hashes[place]) == wanted:
            return int(self.counts[place])
        return 0

    def idf(self, token: str) -> float:
        """Return how rare a word is, in nats."""
        count = self.of(token)
        return float(np.log1p((self.passages - count + 0.5) / (count + 0.5)))


class LanceWords:
    """BM25 over the passages of one generation."""

    def __init__(self, passages: Passages, counts: Counts) -> None:
        self._passages, self._counts = passages, counts

    def scored(self, query: Sequence[str]) -> Scored:
        """Return the passages as the words of ``query`` score them; a word given twice counts twice."""
        return _Scored(self._passages, self._counts, [token for token in query if self._counts.of(token)])

    def idf(self, query: Sequence[str]) -> Scores:
        """Return how rare each word is, in nats."""
        return np.asarray([self._counts.idf(token) for token in query], np.float32)

    def presence(self, query: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return, of shape ``(len(rows), len(query))``, whether each row holds each word."""
        return _frequencies(self._passages, query, rows)[0] > 0

    def number(self, token: str) -> int:
        """Return the number of a word, -1 where no passage holds it."""
        return self._passages.number(token) if self._counts.of(token) else -1


class _Scored:
    def __init__(self, passages: Passages, counts: Counts, words: list[str]) -> None:
        self._passages, self._counts, self._words = passages, counts, words

    def best(self, n: int, allowed: Mask | None = None) -> Rows:
        """Return the rows of the ``n`` largest positive scores among the allowed, best first, ties by row."""
        if not self._words:
            return np.zeros(0, np.int64)
        rows, scores = deepest(self._found, self.of, n, allowed, len(self._passages))
        return rows[scores > 0]

    def of(self, rows: Rows) -> Scores:
        """Return the score of each of these rows, 0 where none of the words occurs in it."""
        scores = np.zeros(len(rows), np.float32)
        if not self._words or len(rows) == 0:
            return scores
        found, lengths = _frequencies(self._passages, self._words, rows)
        damping = K1 * (1 - B + B * lengths / self._counts.mean)
        # Rounded where bm25s rounds, and added in its order, so that ties are ties there and here.
        for column, token in enumerate(self._words):
            idf = float(np.float32(self._counts.idf(token)))
            scores += (idf * (found[:, column] / (found[:, column] + damping))).astype(np.float32)
        return scores

    def _found(self, limit: int) -> Rows:
        """Return the best ``limit`` rows by LanceDB's own scores."""
        from lancedb.query import MatchQuery

        passages = self._passages
        with talking(passages.uri):
            query = passages.table.search(
                MatchQuery(" ".join(dict.fromkeys(self._words)), "words"), query_type="fts"
            )
            found = query.with_row_id(True).select(["_score"]).limit(limit).to_arrow()
        return passages.rows(found["_rowid"].to_numpy().astype(np.int64))


def _frequencies(
    passages: Passages, query: Sequence[str], rows: Rows
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return how often each row holds each word, of shape ``(len(rows), len(query))``, and its length."""
    places, numbers = passages.words(rows)
    return _counted(places, numbers, [passages.number(token) for token in query], len(rows))


def _counted(
    places: Rows, numbers: Numbers, wanted: list[int], rows: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    distinct, back = np.unique(np.asarray(wanted, np.int64), return_inverse=True)
    lengths = np.bincount(places, minlength=rows)
    if len(distinct) == 0:
        return np.zeros((rows, 0)), lengths
    at = np.searchsorted(distinct, numbers).clip(max=len(distinct) - 1)
    inside = distinct[at] == numbers
    cells = np.bincount(places[inside] * len(distinct) + at[inside], minlength=rows * len(distinct))
    return cells.reshape(rows, len(distinct))[:, back].astype(np.float64), lengths
