"""One search: both retrievers, the names of the question, hops, and one ranking over all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.confidence import assess
from retrieval.confidence.calibration import Calibration
from retrieval.errors import UsageError
from retrieval.indexes.tokens import tokens
from retrieval.parts import Parts, PassageReader
from retrieval.protocols import Embedder, Reranker
from retrieval.ranking.direct import NAMES as DIRECT
from retrieval.ranking.direct import Direct, look_up
from retrieval.ranking.model import probability, shipped
from retrieval.ranking.query import Query, read_query
from retrieval.ranking.rank import NAMES, Ranked, rank
from retrieval.reranker import DEPTH as RERANKED
from retrieval.reranker import blended
from retrieval.text import clean, words
from retrieval.types import Filters, Found, Hit, Reach

#: How deep each of the two lists is read; what the ranking leaves out follows in their fused order.
DEPTH = 100
#: A passage reached otherwise tells of a hop only if it is this likely and starts from a hit above.
TELLING = 0.05
#: Signals shown for a hit.
_SHOWN = (*DIRECT, "hop", "direct_score")


@dataclass(frozen=True)
class Index:
    """Everything a search reads; immutable."""

    reader: PassageReader
    parts: Parts
    embedder: Embedder
    calibration: Calibration
    reranker: Reranker | None = None


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


def _one(index: Index, text: str, vector: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None) -> Found:
    parts = index.parts
    query = read_query(text, vector, parts.words, parts.hops)
    direct = look_up(parts, query, tokens(text), max(DEPTH, k), allowed)
    ranked = rank(parts, query, direct, shipped(), allowed)
    if index.reranker is not None:
        ranked = _reranked(index.reranker, index, text, ranked)
    order = ranked.rows[:k].tolist()
    if len(order) < k:
        known = set(order)
        rest = sorted((row for row in direct.fused if row not in known), key=lambda row: (-direct.fused[row], row))
        order += rest[: k - len(order)]
    passages = index.reader.by_rows(order)
    names_of = {row: passage.id for row, passage in zip(order, passages, strict=True)}
    likely = ranked.features[:, NAMES.index("hop")]
    hits, above = list[Hit](), set[str | None]()
    for place, (row, passage) in enumerate(zip(order, passages, strict=True)):
        reached = _direct_reaches(parts, query, direct, row)
        if place >= len(ranked.rows):
            # Below every candidate of the ranking, in the fused order.
            hits.append(Hit(passage, direct.fused[row] * 1e-6, tuple(reached)))
            continue
        hop = _hop(index, ranked, place, names_of)
        if hop is not None and (not reached or (hop.source in above and likely[place] >= TELLING)):
            reached.append(hop)
        signals = {name: float(ranked.features[place, NAMES.index(name)]) for name in _SHOWN}
        score = float(probability(ranked.odds[place : place + 1])[0])
        hits.append(Hit(passage, score, tuple(reached), signals))
        above.add(passage.id)
    confidence = assess(index.calibration, parts, query, ranked, k, index.embedder.fingerprint)
    return Found(text, tuple(hits), confidence)


def _reranked(reranker: Reranker, index: Index, text: str, ranked: Ranked) -> Ranked:
    """Return the ranking with its best hits read again, and their odds dealt out in the new order."""
    best = index.reader.by_rows(ranked.rows[:RERANKED].tolist())
    if not best:
        return ranked
    return ranked.reordered(blended(reranker.scores(text, [f"{one.title}\n{one.text}" for one in best])))


def _direct_reaches(parts: Parts, query: Query, direct: Direct, row: int) -> list[Reach]:
    reached = []
    if row in direct.by_words:
        reached.append(Reach("words"))
    if row in direct.by_meaning:
        reached.append(Reach("meaning"))
    reached.extend(
        Reach("name", parts.hops.shown(int(name))) for name in query.names if row in parts.hops.called[name]
    )
    return reached


def _hop(index: Index, ranked: Ranked, place: int, names_of: dict[int, str]) -> Reach | None:
    source, name = int(ranked.source[place]), int(ranked.name[place])
    if source < 0:
        return None
    hops = index.parts.hops
    identity = names_of.get(source) or index.reader.by_rows([source])[0].id
    return Reach("link" if hops.is_link[name] else "name", hops.shown(name), identity, int(ranked.hops[place]))
