"""BM25 over words: bm25s, whose scores are computed at sync and memory-mapped afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion import top
from retrieval.mapped import load_mapped

#: Okapi's parameters; Lucene's idf, which is never negative (Kamphuis et al., ECIR 2020).
K1, B = 1.5, 0.75
Scores = NDArray[np.float32]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Scored(Protocol):
    """The passages as the words of one query score them."""

    def best(self, n: int, allowed: Mask | None = None) -> Rows:
        """Return the rows of the ``n`` largest positive scores among the allowed, best first, ties by row."""

    def of(self, rows: Rows) -> Scores:
        """Return the score of each of these rows, 0 where none of the words occurs in it."""


@dataclass(frozen=True)
class Dense:
    """Scores that were computed for every row at once."""

    scores: Scores

    def best(self, n: int, allowed: Mask | None = None) -> Rows:
        """Return the rows of the ``n`` largest positive scores among the allowed, best first, ties by row."""
        return top(self.scores, n, allowed)

    def of(self, rows: Rows) -> Scores:
        """Return the score of each of these rows, 0 where none of the words occurs in it."""
        return self.scores[rows]


class WordIndex(Protocol):
    """Scores of passages against the words of a query."""

    def scored(self, query: Sequence[str]) -> Scored:
        """Return the passages as the words of ``query`` score them; a word given twice counts twice."""

    def idf(self, query: Sequence[str]) -> Scores:
        """Return how rare each word is, in nats: ``ln(1 + (N - n + 0.5) / (n + 0.5))``."""

    def presence(self, query: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return, of shape ``(len(rows), len(query))``, whether each row holds each word."""

    def number(self, token: str) -> int:
        """Return the number of a word, -1 where no passage holds it."""


class Bm25sIndex:
    """BM25 by bm25s. Build it from tokenised passages, save it, load it in milliseconds."""

    def __init__(self, model: Any, vocabulary: dict[str, int], passages: int) -> None:
        self._model, self._vocabulary, self._passages = model, vocabulary, passages

    @classmethod
    def build(cls, passages: Iterable[Sequence[str]]) -> Self:
        """Index passages given as token lists; there may be none, or empty ones."""
        vocabulary: dict[str, int] = {}
        ids = [[vocabulary.setdefault(token, len(vocabulary)) for token in passage] for passage in passages]
        return cls.build_numbered(ids, vocabulary)

    @classmethod
    def build_numbered(cls, passages: list[list[int]], vocabulary: dict[str, int]) -> Self:
        """Index passages given as lists of word numbers."""
        if not vocabulary:
            return cls(None, {}, len(passages))
        import bm25s

        model = bm25s.BM25(k1=K1, b=B, method="lucene")
        model.index((passages, vocabulary), create_empty_token=False, show_progress=False)
        return cls(model, vocabulary, len(passages))

    def save(self, folder: Path) -> None:
        """Write the index into ``folder`` as ``words.*`` files."""
        np.save(folder / "words.count.npy", np.asarray([self._passages]))
        (folder / "words.vocabulary").write_text("\n".join(self._vocabulary), encoding="utf-8")
        if self._model is not None:
            for part in ("data", "indices", "indptr"):
                np.save(folder / f"words.{part}.npy", self._model.scores[part])

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open what :meth:`save` wrote, memory-mapped."""
        count = int(np.load(folder / "words.count.npy")[0])
        text = (folder / "words.vocabulary").read_text(encoding="utf-8")
        vocabulary = {token: index for index, token in enumerate(text.split("\n"))} if text else {}
        if not vocabulary:
            return cls(None, {}, count)
        import bm25s

        model = bm25s.BM25(k1=K1, b=B, method="lucene")
        parts = {part: load_mapped(folder / f"words.{part}.npy") for part in ("data", "indices", "indptr")}
        model.scores = {**parts, "num_docs": count}
        model.nonoccurrence_array = None  # only BM25L and BM25+ score words that do not occur
        return cls(model, vocabulary, count)

    def scored(self, query: Sequence[str]) -> Scored:
        """Return the passages as the words of ``query`` score them; a word given twice counts twice."""
        return Dense(self.scores(query))

    def scores(self, query: Sequence[str]) -> Scores:
        """Return one score a passage, 0 where no word of ``query`` occurs in it."""
        ids = [self._vocabulary[token] for token in query if token in self._vocabulary]
        if not ids:
            return np.zeros(self._passages, np.float32)
        scores: Scores = self._model.get_scores_from_ids(ids)
        return scores

    def idf(self, query: Sequence[str]) -> Scores:
        """Return how rare each word is, in nats."""
        counts = np.zeros(len(query))
        for place, token in enumerate(query):
            if (index := self._vocabulary.get(token)) is not None:
                first, last = self._model.scores["indptr"][index : index + 2]
                counts[place] = last - first
        return np.log1p((self._passages - counts + 0.5) / (counts + 0.5)).astype(np.float32)

    def presence(self, query: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return, of shape ``(len(rows), len(query))``, whether each row holds each word."""
        found = np.zeros((len(rows), len(query)), np.bool_)
        holds = np.zeros(self._passages, np.bool_)
        for place, token in enumerate(query):
            if (index := self._vocabulary.get(token)) is not None:
                first, last = self._model.scores["indptr"][index : index + 2]
                posting = self._model.scores["indices"][first:last]
                holds[posting] = True
                found[:, place] = holds[rows]
                holds[posting] = False
        return found

    def number(self, token: str) -> int:
        """Return the number of a word, -1 where no passage holds it."""
        return self._vocabulary.get(token, -1)
