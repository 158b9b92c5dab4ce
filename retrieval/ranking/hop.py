"""How well a passage answers by a hop: a name or link in one passage that leads to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.parts import Parts
from retrieval.ranking.query import Floats, Query, token_weights

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Passages from which hops start.
SOURCES = 12
#: A name that leads to more passages than this, or stands in more, is not followed.
MOST = 30
#: Tokens on each side of a name that tell what the source says of it.
WINDOW = 10

NAMES = (
    "source",
    "source_relative",
    "source_rank",
    "called",
    "called_rarity",
    "called_context",
    "called_early",
    "held_rarity",
    "held_context",
    "held_early",
    "held_sum",
    "held_length",
    "held_place",
    "adds",
    "adds_relation",
    "similar",
    "source_cover",
    "source*called",
    "source*called*context",
    "source*held",
    "source*held*adds",
    "source*called*adds",
    "called*context",
    "called*adds",
    "held*adds",
    "held*place",
    "source*held*place",
    "source*adds",
    "source*held_context",
)


@dataclass(frozen=True)
class Hops:
    """Hops from sources to targets, one for each pair of passages that some name or link joins.

    :param sources: row from which; :param targets: row to which; :param names: by which name (the
        one that calls the target so, if any, else the rarest).
    :param features: of shape ``(len(targets), len(NAMES))``.
    """

    sources: Rows
    targets: Rows
    names: NDArray[np.int64]
    features: Floats


@dataclass(frozen=True)
class _Steps:
    """Every single way from a source to a target; several may join the same pair."""

    source: NDArray[np.int64]  # place among the sources
    target: Rows
    name: NDArray[np.int64]
    context: Floats
    early: Floats
    called: NDArray[np.bool_]
    place: Floats


def follow(parts: Parts, query: Query, rows: Rows, scores: Floats, allowed: Mask | None) -> Hops:
    """Follow the names and links of the best of ``rows``, which must be sorted.

    :param scores: in (0, 1), how surely each row is evidence.
    """
    order = np.lexsort((rows, -scores))[:SOURCES]
    sources, source_scores = rows[order], scores[order]
    steps = _steps(parts, query, sources, allowed)
    pairs, of = np.unique(steps.source * len(parts.vectors) + steps.target, return_inverse=True)
    at, targets = np.divmod(pairs, len(parts.vectors))
    if len(pairs) == 0:
        empty = np.zeros(0, np.int64)
        return Hops(empty, empty, empty, np.zeros((0, len(NAMES))))

    rarity = parts.hops.rarity[steps.name].astype(np.float64)
    is_called, is_held = steps.called, ~steps.called

    def largest(values: Floats, where: Mask) -> Floats:
        out = np.zeros(len(pairs))
        np.maximum.at(out, of[where], values[where])
        return out

    called = largest(parts.hops.calling(steps.name, steps.target), is_called)
    held = largest(rarity, is_held)
    called_context = largest(steps.context, is_called)
    held_context = largest(steps.context * rarity, is_held)
    held_place = largest(1 / (1 + steps.place / 10), is_held)
    length = np.minimum(parts.hops.length[steps.name], 3).astype(np.float64)

    present_source = parts.words.presence(query.words, sources).astype(np.float64)
    present = parts.words.presence(query.words, targets).astype(np.float64) * (1 - present_source[at])
    adds, adds_relation = present @ query.weights, present @ query.relation
    # Pair by pair: a matrix product would also compute the pairs that no name joins, and wake threads.
    similar = np.einsum("ij,ij->i", parts.vectors[targets], parts.vectors[sources][at]).astype(np.float64)
    score = source_scores[at]
    columns = [
        score,
        score / source_scores[0],
        1 / (1 + at),
        called,
        largest(rarity, is_called),
        called_context,
        largest(steps.early, is_called),
        held,
        held_context,
        largest(steps.early, is_held),
        np.bincount(of[is_held], rarity[is_held], len(pairs)),
        largest(length, is_held),
        held_place,
        adds,
        adds_relation,
        similar,
        (present_source @ query.weights)[at],
        score * called,
        score * called * called_context,
        score * held,
        score * held * adds,
        score * called * adds,
        called * called_context,
        called * adds,
        held * adds,
        held * held_place,
        score * held * held_place,
        score * adds,
        score * held_context,
    ]
    # The name to show: one that calls the target so before one that only stands in it, then the rarest.
    best = np.lexsort((steps.name, -rarity, ~steps.called, of))
    first = best[np.searchsorted(of[best], np.arange(len(pairs)))]
    return Hops(sources[at], targets, steps.name[first], np.column_stack(columns))


def _steps(parts: Parts, query: Query, sources: Rows, allowed: Mask | None) -> _Steps:
    hops = parts.hops
    source, name, context, early = _standing(parts, query, sources)
    found = []
    for is_called, leads in ((True, hops.called), (False, hops.holders)):
        usable = (leads.lengths(name) <= MOST) & ((hops.owners[name] <= MOST) | (not is_called))
        of, targets = leads.gather(name[usable])
        kept = np.flatnonzero(usable)[of]
        # Where the name stands in the target matters only where it does not call the target so.
        place = np.zeros(len(targets)) if is_called else hops.places.gather(name[usable])[1].astype(np.float64)
        found.append((kept, targets.astype(np.int64), np.full(len(targets), is_called), place))
    kept = np.concatenate([part[0] for part in found])
    targets = np.concatenate([part[1] for part in found])
    called = np.concatenate([part[2] for part in found])
    place = np.concatenate([part[3] for part in found])
    good = targets != sources[source[kept]]
    if allowed is not None:
        good &= allowed[targets]
    kept = kept[good]
    return _Steps(source[kept], targets[good], name[kept], context[kept], early[kept], called[good], place[good])


def _standing(parts: Parts, query: Query, sources: Rows) -> tuple[Rows, Rows, Floats, Floats]:
    """Return ``(source, name, context, early)``: names in the sources, those of the question left out.

    ``context`` is how much of what is asked stands around the name, ``early`` falls from 1 with its
    distance from the beginning. What a source itself is called is among its names, since another
    passage may speak of it.
    """
    hops, bodies = parts.hops, parts.tokens.bodies
    places, numbers = bodies.gather(sources)
    cumulated = np.concatenate([[0.0], np.cumsum(token_weights(query, query.relation, parts.words, numbers))])
    begins = np.searchsorted(places, np.arange(len(sources)), side="left")
    ends = np.searchsorted(places, np.arange(len(sources)), side="right")

    of, flat = hops.mentions.gather(sources)
    source = of[::3]
    name, first, last = (flat[part::3].astype(np.int64) for part in range(3))
    begin, end = begins[source], ends[source]
    left, right = np.minimum(begin + first, end), np.minimum(begin + last, end)
    around = cumulated[left] - cumulated[np.maximum(left - WINDOW, begin)]
    around += cumulated[np.minimum(right + WINDOW, end)] - cumulated[right]

    own_of, own = hops.owned.gather(sources)
    source = np.concatenate([source, own_of])
    name = np.concatenate([name, own.astype(np.int64)])
    context = np.concatenate([around, np.zeros(len(own))])
    early = np.concatenate([1 / (1 + first / 10), np.ones(len(own))])
    other = ~np.isin(name, query.names)
    source, name, context, early = source[other], name[other], context[other], early[other]

    count = len(hops.owners)
    keys, where = np.unique(source * count + name, return_inverse=True)
    most_context, most_early = np.zeros(len(keys)), np.zeros(len(keys))
    np.maximum.at(most_context, where, context)
    np.maximum.at(most_early, where, early)
    return keys // count, keys % count, most_context, most_early
