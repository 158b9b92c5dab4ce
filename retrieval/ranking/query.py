"""What a search knows of a question before it looks at any passage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.hops.index import HopIndex, Standing
from retrieval.indexes.tokens import tokens
from retrieval.indexes.words import WordIndex
from retrieval.text import fold

Floats = NDArray[np.float64]
#: Of a very long question only this many words, the rarest, are weighed one by one.
MOST_WORDS = 64


@dataclass(frozen=True)
class Query:
    """A question, read against an index.

    :param vector: its embedding, a unit vector.
    :param words: its distinct tokens that some passage holds.
    :param weights: of each word, its idf; all weights sum to 1 (or are none).
    :param relation: the same for words outside the names: what is asked about them.
    :param named: the names that stand in it.
    """

    text: str
    vector: NDArray[np.float32]
    words: tuple[str, ...]
    weights: Floats
    relation: Floats
    named: tuple[Standing, ...]

    @property
    def names(self) -> NDArray[np.int64]:
        """Numbers of the names, sorted and distinct."""
        return np.unique(np.asarray([standing.name for standing in self.named], np.int64))


def read_query(text: str, vector: NDArray[np.float32], index: WordIndex, hops: HopIndex) -> Query:
    """Return what can be known of the question ``text``."""
    known = tuple(dict.fromkeys(token for token in tokens(text) if index.number(token) >= 0))
    idf = index.idf(known).astype(np.float64)
    if len(known) > MOST_WORDS:
        kept = np.sort(np.argsort(-idf, kind="stable")[:MOST_WORDS])
        known, idf = tuple(known[place] for place in kept), idf[kept]
    named = tuple(hops.in_question(text))
    folded = fold(text)
    inside = {token for standing in named for token in tokens(folded[standing.start : standing.end])}
    outside = np.asarray([token not in inside for token in known], np.float64)
    return Query(text, vector, known, _shares(idf), _shares(idf * outside), named)


def token_weights(query: Query, weights: Floats, index: WordIndex, numbers: NDArray[np.integer]) -> Floats:
    """Return the weight of each numbered token of a text, 0 for words outside the question."""
    own = np.asarray([index.number(word) for word in query.words], np.int64)
    order = np.argsort(own)
    places = np.searchsorted(own, numbers, sorter=order).clip(max=max(len(own) - 1, 0))
    if len(own) == 0:
        return np.zeros(len(numbers))
    at = order[places]
    return np.where(own[at] == numbers, weights[at], 0.0)


def _shares(weights: Floats) -> Floats:
    total = weights.sum()
    return weights / total if total > 0 else weights
