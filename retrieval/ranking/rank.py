"""The ranking: direct evidence, hops from the best of it, and both put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retrieval.parts import Parts
from retrieval.ranking import direct, hop
from retrieval.ranking.direct import Direct, Mask, Rows
from retrieval.ranking.hop import Hops
from retrieval.ranking.model import Models, probability
from retrieval.ranking.query import Floats, Query

#: Log odds of a hop that does not exist.
NO_HOP = -6.0
#: Log odds by which a passage must look surer after the second round of hops than after the first.
SECOND_ROUND = 1.0
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
    :param features: :data:`NAMES` of each row.
    :param source: row from which the best hop to each row starts, -1 where no hop leads to it.
    :param name: number of the name or link that this hop follows, -1 likewise.
    :param hops: number of hops on that way, 0 where there is none.
    """

    rows: Rows
    odds: Floats
    features: Floats
    source: Rows
    name: Rows
    hops: Rows

    def reordered(self, order: list[int]) -> Ranked:
        """Return it with the first places permuted; the odds stay where they are, and fall with rank."""
        places = np.concatenate([np.asarray(order, np.int64), np.arange(len(order), len(self.rows))])
        return Ranked(
            self.rows[places],
            self.odds,
            self.features[places],
            self.source[places],
            self.name[places],
            self.hops[places],
        )


def rank(parts: Parts, query: Query, found: Direct, models: Models, allowed: Mask | None) -> Ranked:
    """Rank all candidates for a question.

    Hops are followed twice: from the best direct candidates, then from the best of what that
    yields. What the second round adds must be surer by :data:`SECOND_ROUND`, since each hop is a
    chance to go astray.
    """
    first = direct.candidates(parts, query, found, allowed)
    own = probability(models.direct(direct.features(parts, query, found, first)))
    depth = np.zeros(len(first), np.int64)
    once = _round(parts, query, found, models, allowed, (first, own), (first, own, depth))
    order = np.argsort(once.rows)
    rows, scores = once.rows[order], probability(once.odds[order])
    # What was found without a hop stays at depth 0, whatever else leads to it.
    depth = np.where(np.isin(rows, first), 0, once.hops[order])
    twice = _round(parts, query, found, models, allowed, (first, own), (rows, scores, depth))
    return _surest(once, twice)


def _round(
    parts: Parts,
    query: Query,
    found: Direct,
    models: Models,
    allowed: Mask | None,
    own: tuple[Rows, Floats],
    start: tuple[Rows, Floats, Rows],
) -> Ranked:
    """Follow hops from ``start`` (rows, scores, depths), and rank all that are known then.

    :param own: the direct candidates and their scores, which stay a feature in every round.
    """
    known, scores, depth = start
    hops = hop.follow(parts, query, known, scores, allowed)
    odds = models.hop(hop_features(parts, query, found, hops))
    rows, features, best = combine(parts, query, found, known, own, hops, odds)
    has = best >= 0
    source, name, steps = (np.full(len(rows), -1, np.int64), np.full(len(rows), -1, np.int64), np.zeros_like(rows))
    source[has], name[has] = hops.sources[best[has]], hops.names[best[has]]
    steps[has] = depth[np.searchsorted(known, source[has])] + 1
    return _ordered(Ranked(rows, models.both(features), features, source, name, steps))


def _surest(once: Ranked, twice: Ranked) -> Ranked:
    """Return every row of both rounds in the one that ranks it higher; ``twice`` holds all rows of ``once``."""
    left, right = np.argsort(once.rows), np.argsort(twice.rows)
    at = np.searchsorted(twice.rows[right], once.rows[left])
    odds = twice.odds[right] - SECOND_ROUND
    merged = {name: getattr(twice, name)[right].copy() for name in ("features", "source", "name", "hops")}
    better = once.odds[left] >= odds[at]
    odds[at[better]] = once.odds[left][better]
    for name, values in merged.items():
        values[at[better]] = getattr(once, name)[left][better]
    return _ordered(Ranked(rows=twice.rows[right], odds=odds, **merged))


def _ordered(ranked: Ranked) -> Ranked:
    order = np.lexsort((ranked.rows, -ranked.odds))
    return Ranked(
        ranked.rows[order],
        ranked.odds[order],
        ranked.features[order],
        ranked.source[order],
        ranked.name[order],
        ranked.hops[order],
    )


def hop_features(parts: Parts, query: Query, found: Direct, hops: Hops) -> Floats:
    """Return, for each hop, its features followed by the direct features of its target."""
    targets, of = np.unique(hops.targets, return_inverse=True)
    return np.hstack([hops.features, direct.features(parts, query, found, targets)[of]])


def combine(
    parts: Parts,
    query: Query,
    found: Direct,
    known: Rows,
    own: tuple[Rows, Floats],
    hops: Hops,
    odds: Floats,
) -> tuple[Rows, Floats, Rows]:
    """Return ``(rows, features, place of the best hop)`` of all candidates: ``known`` and all targets."""
    rows: Rows = np.union1d(known, hops.targets)
    count = len(rows)
    alone = np.zeros(count)
    alone[np.searchsorted(rows, own[0])] = own[1]
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
            alone,
            of_best,
        ]
    )
    return rows, features, best
