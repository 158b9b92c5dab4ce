"""BM25 by rank-bm25: slower and kept in memory, the reference that bm25s is tested against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.indexes.words import K1, B, Dense, Scored, Scores


class RankBm25Index:
    """BM25 by rank-bm25, with Lucene's idf in place of its own, which is 0 or less for common words."""

    def __init__(self, passages: Iterable[Sequence[str]]) -> None:
        kept = [list(passage) for passage in passages]
        self._passages = len(kept)
        # rank-bm25 divides by the average length.
        self._model = BM25Okapi(kept, k1=K1, b=B) if any(kept) else None
        self._sets = [frozenset(passage) for passage in kept]
        self._counts = Counter(token for passage in self._sets for token in passage)
        self._numbers = {token: number for number, token in enumerate(self._counts)}
        if self._model is not None:
            self._model.idf = {token: self._idf(count) for token, count in self._counts.items()}

    def scored(self, query: Sequence[str]) -> Scored:
        """Return the passages as the words of ``query`` score them; a word given twice counts twice."""
        return Dense(self.scores(query))

    def scores(self, query: Sequence[str]) -> Scores:
        """Return one score a passage, 0 where no word of ``query`` occurs in it."""
        if self._model is None or not query:
            return np.zeros(self._passages, np.float32)
        # Lucene leaves out the constant factor k1 + 1.
        scores: Scores = (self._model.get_scores(list(query)) / (K1 + 1)).astype(np.float32)
        return scores

    def idf(self, query: Sequence[str]) -> Scores:
        """Return how rare each word is, in nats."""
        return np.asarray([self._idf(self._counts.get(token, 0)) for token in query], np.float32)

    def presence(self, query: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return, of shape ``(len(rows), len(query))``, whether each row holds each word."""
        held = [[token in self._sets[row] for token in query] for row in rows.tolist()]
        return np.asarray(held, np.bool_).reshape(len(rows), len(query))

    def number(self, token: str) -> int:
        """Return the number of a word, -1 where no passage holds it."""
        return self._numbers.get(token, -1)

    def _idf(self, count: int) -> float:
        return math.log1p((self._passages - count + 0.5) / (count + 0.5))
