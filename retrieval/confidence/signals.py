"""The signals of a confidence: what can be seen, for free, of how well a question was answered."""

from __future__ import annotations

import numpy as np

from retrieval.parts import Parts
from retrieval.ranking.direct import Direct
from retrieval.ranking.model import probability
from retrieval.ranking.query import Query
from retrieval.ranking.rank import NAMES, Ranked

#: The confidence is about this many hits.
HITS = 5
#: Candidates below the hits in which missing evidence is looked for.
BELOW = 20
_ODDS_FLOOR = -8.0


def signals(parts: Parts, query: Query, direct: Direct, ranked: Ranked) -> dict[str, float]:
    """Return the signals of the first :data:`HITS` hits, by name.

    - ``odds_1`` to ``odds_6``: log odds of the ranking, at fixed places; ``gap`` between hit 5 and 6;
    - ``missing``: expected number of pieces of evidence among the next :data:`BELOW` candidates;
    - ``cover``, ``cover_relation``: weighted share of the question's words, and of those outside its
      names, that the hits hold together; ``rarest``: the rarest word's weight if no hit holds it;
    - ``cover_names``: share of its names; ``names``: how many it has; ``words``: how many words;
    - ``agreement``: overlap of the two retrievers' first five; ``nearest``: the best cosine;
    - ``hop_best``, ``hops_inside``: the surest hop to a hit, and how many likely hops join hits.
    """
    top = ranked.rows[:HITS]
    odds = np.full(HITS + 1, _ODDS_FLOOR)
    first = np.maximum(ranked.odds[: HITS + 1], _ODDS_FLOOR)
    odds[: len(first)] = first
    present = parts.words.presence(query.words, top).any(axis=0) if len(top) else np.zeros(len(query.words), bool)
    absent = query.weights[~present]
    hop = ranked.features[:HITS, NAMES.index("hop")]
    inside = np.isin(ranked.source[:HITS], top)
    words, meaning = set(direct.by_words[:HITS].tolist()), set(direct.by_meaning[:HITS].tolist())
    return {
        "odds_1": float(odds[0]),
        "odds_2": float(odds[1]),
        "odds_3": float(odds[2]),
        "odds_5": float(odds[4]),
        "odds_6": float(odds[5]),
        "gap": float(odds[4] - odds[5]),
        "missing": float(probability(ranked.odds[HITS : HITS + BELOW]).sum()),
        "cover": float(query.weights[present].sum()),
        "cover_relation": float(query.relation[present].sum()),
        "rarest": float(absent.max()) if len(absent) else 0.0,
        "cover_names": _names_covered(parts, query, top),
        "names": float(min(len(query.names), 6)),
        "words": float(np.log1p(len(query.words))),
        "agreement": len(words & meaning) / max(len(words | meaning), 1),
        "nearest": direct.nearest,
        "hop_best": float(hop.max()) if len(hop) else 0.0,
        "hops_inside": float(hop[inside].sum()),
    }


def _names_covered(parts: Parts, query: Query, top: np.ndarray) -> float:
    """Return the share of the question's names, by rarity, that some hit holds or is called; 1 without names."""
    total = covered = 0.0
    for name in query.names:
        rarity = float(parts.hops.rarity[name])
        total += rarity
        if np.isin(top, parts.hops.holders[name]).any() or np.isin(top, parts.hops.called[name]).any():
            covered += rarity
    return covered / total if total else 1.0
