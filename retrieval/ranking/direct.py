"""How well a passage answers the question by itself: words, meaning, and the names it is called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion import RRF_K, fuse
from retrieval.indexes.words import Scored
from retrieval.parts import Parts
from retrieval.ranking.query import Floats, Query, token_weights

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Passages taken from each of the two lists.
DEPTH = 30
#: A name of the question that leads to more passages than this says nothing.
MOST_CALLED = 20
#: A name of the question that stands in more passages than this is no way to find one.
MOST_HOLDERS = 15

NAMES = (
    "words",
    "meaning",
    "meaning_gap",
    "fused",
    "cover",
    "cover_relation",
    "called",
    "called_rarity",
    "called_at_all",
    "cover_names",
    "title_cover",
    "title_share",
)


@dataclass(frozen=True)
class Direct:
    """The two lists of a question, and what they were read from.

    :param scores: BM25 of the rows; :param by_words: its best rows; :param by_meaning: the nearest.
    """

    scores: Scored
    by_words: Rows
    by_meaning: Rows
    nearest: float
    fused: dict[int, float]


def look_up(parts: Parts, query: Query, tokens: list[str], depth: int, allowed: Mask | None) -> Direct:
    """Run both retrievers and fuse their lists."""
    scores = parts.words.scored(tokens)
    by_words = scores.best(depth, allowed)
    by_meaning, similar = parts.nearest.search(query.vector[None], depth, allowed)[0]
    nearest = float(similar[0]) if len(similar) else 0.0
    return Direct(scores, by_words, by_meaning, nearest, fuse([by_words, by_meaning], [1.0, 1.0]))


def candidates(parts: Parts, query: Query, direct: Direct, allowed: Mask | None) -> Rows:
    """Return the rows worth scoring: both lists, and what the names of the question lead to."""
    rows = [direct.by_words[:DEPTH], direct.by_meaning[:DEPTH]]
    for name in query.names:
        called, holders = parts.hops.called[name], parts.hops.holders[name]
        if len(called) <= MOST_CALLED:
            rows.append(called.astype(np.int64))
        if len(holders) <= MOST_HOLDERS:
            rows.append(holders.astype(np.int64))
    found: Rows = np.unique(np.concatenate(rows))
    return found if allowed is None else found[allowed[found]]


def features(parts: Parts, query: Query, direct: Direct, rows: Rows) -> Floats:
    """Return the features :data:`NAMES` of each row, of shape ``(len(rows), len(NAMES))``."""
    hops = parts.hops
    best_words = float(direct.scores.of(direct.by_words[:1])[0]) if len(direct.by_words) else 1.0
    similar = (parts.vectors[rows] @ query.vector).astype(np.float64)
    present = parts.words.presence(query.words, rows).astype(np.float64)
    called, called_rarity, covered, weight = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows)), 0.0
    for name in query.names:
        rarity = float(hops.rarity[name])
        is_called = np.isin(rows, hops.called[name])
        if len(hops.called[name]) <= MOST_CALLED:
            called = np.maximum(called, hops.calling(np.full(len(rows), name), rows) * is_called)
            called_rarity = np.maximum(called_rarity, rarity * is_called)
        covered += rarity * (is_called | np.isin(rows, hops.holders[name]))
        weight += rarity
    title_cover, title_share = _titles(parts, query, rows)
    fused = np.asarray([direct.fused.get(int(row), 0.0) for row in rows])
    return np.column_stack(
        [
            direct.scores.of(rows).astype(np.float64) / best_words,
            similar,
            similar - direct.nearest,
            fused * (RRF_K + 1) / 2,
            present @ query.weights,
            present @ query.relation,
            called,
            called_rarity,
            called > 0,
            covered / weight if weight else covered,
            title_cover,
            title_share,
        ]
    )


def _titles(parts: Parts, query: Query, rows: Rows) -> tuple[Floats, Floats]:
    """Return how much of the question each title covers, and which share of the title it fills."""
    places, numbers = parts.tokens.heads.gather(rows)
    weights = token_weights(query, query.weights, parts.words, numbers)
    cover = np.bincount(places, weights, len(rows)).astype(np.float64)
    length = np.bincount(places, minlength=len(rows))
    inside = np.bincount(places, (weights > 0).astype(np.float64), len(rows))
    return cover, inside / np.maximum(length, 1)
