"""The ranking: direct evidence, hops from the best of it, and both put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.parts import Parts
from retrieval.ranking import direct, hop
from retrieval.ranking.direct import Direct, Mask, Rows
from retrieval.ranking.hop import Hops
from retrieval.ranking.model import Models, probability
from retrieval.ranking.query import Floats, Query

#: Log odds of a hop that does not exist.
NO_HOP = -6.0
NAMES = (
    *direct.NAMES,
    "hop",
    "hop_odds",
    "has_hop",
    "hop_count",
    "hop_second",
    "hop_share",
    "direct_score",
    *(f"hop:{name}" for name in hop.NAMES),
)


@dataclass(frozen=True)
class Ranked:
    """Every candidate, best first, with what its place was computed from.

    :param odds: log odds that the row is evidence; they fall with rank.
    :param best_hop: place in ``hops`` of the best hop that leads to each row, -1 where none does.
    :param features: :data:`NAMES` of each row.
    """

    rows: Rows
    odds: Floats
    best_hop: NDArray[np.int64]
    hop_odds: Floats
    features: Floats
    hops: Hops


def rank(parts: Parts, query: Query, found: Direct, models: Models, allowed: Mask | None) -> Ranked:
    """Rank all candidates for a question."""
    first = direct.candidates(parts, query, found, allowed)
    scores = probability(models.direct(direct.features(parts, query, found, first)))
    hops = hop.follow(parts, query, first, scores, allowed)
    odds = models.hop(hop_features(parts, query, found, hops))
    rows, features, best = combine(parts, query, found, first, scores, hops, odds)
    final = models.both(features)
    order = np.lexsort((rows, -final))
    return Ranked(rows[order], final[order], best[order], odds, features[order], hops)


def hop_features(parts: Parts, query: Query, found: Direct, hops: Hops) -> Floats:
    """Return, for each hop, its features followed by the direct features of its target."""
    targets, of = np.unique(hops.targets, return_inverse=True)
    return np.hstack([hops.features, direct.features(parts, query, found, targets)[of]])


def combine(
    parts: Parts, query: Query, found: Direct, first: Rows, scores: Floats, hops: Hops, odds: Floats
) -> tuple[Rows, Floats, NDArray[np.int64]]:
    """Return ``(rows, features, best hop)`` of all candidates: those of ``first`` and all targets."""
    rows: Rows = np.union1d(first, hops.targets)
    count = len(rows)
    own = np.zeros(count)
    own[np.searchsorted(rows, first)] = scores
    at = np.searchsorted(rows, hops.targets)
    chance = probability(odds)

    # Best hop first within each target; a tie is settled by the source.
    order = np.lexsort((hops.sources, -odds, at))
    starts = np.searchsorted(at[order], np.arange(count))
    length = np.bincount(at, minlength=count)
    has, has_second = length > 0, length > 1
    best = np.full(count, -1, np.int64)
    best[has] = order[starts[has]]
    second = np.zeros(count)
    second[has_second] = chance[order[starts[has_second] + 1]]

    # A target's place among all targets of the same source: each source deserves its share.
    by_source = np.lexsort((hops.targets, -odds, hops.sources))
    grouped = hops.sources[by_source]
    place = np.empty(len(odds))
    place[by_source] = np.arange(len(odds)) - np.searchsorted(grouped, grouped)
    share = np.zeros(count)
    np.maximum.at(share, at, hops.features[:, 0] / (1 + place))

    hop_odds, of_best = np.full(count, NO_HOP), np.zeros((count, len(hop.NAMES)))
    hop_odds[has] = odds[best[has]]
    of_best[has] = hops.features[best[has]]
    summed = np.bincount(at, chance, count) if len(at) else np.zeros(count)
    features = np.column_stack(
        [
            direct.features(parts, query, found, rows),
            np.where(has, probability(hop_odds), 0.0),
            hop_odds,
            has,
            summed,
            second,
            share,
            own,
            of_best,
        ]
    )
    return rows, features, best
