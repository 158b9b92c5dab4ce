"""Exact match: the short answer is the gold answer or an alias, in normal form."""

from __future__ import annotations

from pinakes_ask.evaluation.metric import Metric
from pinakes_ask.evaluation.metrics.answer_needed import best_match, where_given
from pinakes_ask.evaluation.metrics.normal import normal_form


def exact_match(short: str, gold: str) -> float:
    """Return 1 where both have the same normal form, else 0."""
    return float(normal_form(short) == normal_form(gold))


_SOURCE = "Rajpurkar et al. 2016 (SQuAD), section 6.1; aliases as in Trivedi et al. 2022 (MuSiQue)"
EXACT_MATCH = Metric("exact_match", "exact match", "yes/no", "higher", _SOURCE, best_match(exact_match))
RIGHT_WHERE_GIVEN = Metric(
    "exact_match_where_given",
    "exact match, of answers given",
    "yes/no",
    "higher",
    _SOURCE,
    where_given(EXACT_MATCH.of),
)
