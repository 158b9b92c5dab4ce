"""From a ranking to a confidence."""

from __future__ import annotations

from retrieval.confidence.calibration import Calibration
from retrieval.confidence.signals import HITS, signals
from retrieval.parts import Parts
from retrieval.ranking.query import Query
from retrieval.ranking.rank import Ranked
from retrieval.types import Confidence


def assess(
    calibration: Calibration, parts: Parts, query: Query, ranked: Ranked, k: int, embedder: str
) -> Confidence:
    """Return the probability that the hits hold all evidence, unknown (with the reason) out of domain.

    It is about the first five hits; more hits hold no less, fewer may, so then it is unknown.
    """
    seen = signals(parts, query, ranked)
    reason = calibration.unknown(seen, embedder)
    if k < HITS:
        reason = f"it is calibrated for {HITS} passages, and only {k} were asked for"
    if reason:
        return Confidence(None, reason, calibration.threshold, seen)
    chance = calibration.probability(seen)
    reason = "calibrated on labelled questions" if calibration.provenance else "calibrated"
    return Confidence(chance, reason, calibration.threshold, seen)
