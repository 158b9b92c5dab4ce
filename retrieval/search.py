"""One search: by words and by meaning, fused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import UsageError
from retrieval.fusion import fuse, top
from retrieval.indexes.tokens import tokens
from retrieval.indexes.vectors import VectorIndex
from retrieval.indexes.words import WordIndex
from retrieval.protocols import Embedder, Vectors
from retrieval.store.reader import GenerationReader
from retrieval.text import clean, words
from retrieval.types import Confidence, Filters, Found, Hit, Reach

#: How deep each of the two lists is read.
DEPTH = 100


@dataclass(frozen=True)
class Index:
    """Everything a search reads; immutable."""

    reader: GenerationReader
    words: WordIndex
    vectors: Vectors
    nearest: VectorIndex
    embedder: Embedder


def search(index: Index, queries: Sequence[str], k: int, filters: Filters | None) -> list[Found]:
    """Answer every query with at most ``k`` hits; raises :class:`UsageError` for an impossible one."""
    if k < 1:
        raise UsageError("The number of passages cannot be used", f"k is {k}", "Give 1 or more")
    cleaned = [clean(query) for query in queries]
    for query in cleaned:
        if not words(query):
            raise UsageError("The question cannot be searched", "it holds no word", "Ask in words")
    allowed = None if filters is None or filters == Filters() else index.reader.allowed(filters)
    vectors = index.embedder.embed_questions(cleaned)
    return [_one(index, query, vector, k, allowed) for query, vector in zip(cleaned, vectors, strict=True)]


def _one(
    index: Index, query: str, vector: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None
) -> Found:
    depth = max(DEPTH, k)
    by_words = top(index.words.scores(tokens(query)), depth, allowed)
    by_meaning, _ = index.nearest.search(vector[None], depth, allowed)[0]
    fused = fuse([by_words, by_meaning], [1.0, 1.0])
    best = sorted(fused, key=lambda row: (-fused[row], row))[:k]
    in_words, in_meaning = set(by_words.tolist()), set(by_meaning.tolist())
    hits = []
    for row, passage in zip(best, index.reader.by_rows(best), strict=True):
        reached = [Reach("words")] * (row in in_words) + [Reach("meaning")] * (row in in_meaning)
        hits.append(Hit(passage, fused[row], tuple(reached)))
    return Found(query, tuple(hits), Confidence(None, "no calibration is fitted for this index"))
