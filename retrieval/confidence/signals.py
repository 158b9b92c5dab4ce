"""The signals of a confidence: what can be seen, for free, of how well a question was answered."""

from __future__ import annotations

import numpy as np

from retrieval.parts import Parts
from retrieval.ranking.model import probability
from retrieval.ranking.query import Query
from retrieval.ranking.rank import NAMES, Ranked

#: The confidence is about this many hits.
HITS = 5
#: Candidates below the hits in which missing evidence is looked for.
BELOW = 20
_ODDS_FLOOR = -8.0


def signals(parts: Parts, query: Query, ranked: Ranked) -> dict[str, float]:
    """Return the signals of the first :data:`HITS` hits, by name.

    - ``second``: log odds of the second hit;
    - ``missing``: expected pieces of evidence among the next :data:`BELOW` candidates;
    - ``cover``, ``cover_relation``, ``cover_names``: weighted share of the question's words, of those
      outside its names, and of its names, that the hits hold together;
    - ``hops``: how many likely hops join hits to one another.

    Chosen by forward selection on the tuned questions. More places of the ranking, margins, the
    agreement of the two retrievers, cosines and the length of the question added nothing to these,
    and each signal more is one more reason to be unknown.
    """
    top = ranked.rows[:HITS]
    present = parts.words.presence(query.words, top).any(axis=0) if len(top) else np.zeros(len(query.words), bool)
    inside = np.isin(ranked.source[:HITS], top)
    return {
        "second": max(float(ranked.odds[1]), _ODDS_FLOOR) if len(ranked.odds) > 1 else _ODDS_FLOOR,
        "missing": float(probability(ranked.odds[HITS : HITS + BELOW]).sum()),
        "cover": float(query.weights[present].sum()),
        "cover_relation": float(query.relation[present].sum()),
        "cover_names": _names_covered(parts, query, top),
        "hops": float(ranked.features[:HITS, NAMES.index("hop")][inside].sum()),
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
