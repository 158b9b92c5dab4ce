"""All metrics, in the order in which reports show them. One idea a module."""

from __future__ import annotations

from pinakes_ask.evaluation.metric import Metric
from pinakes_ask.evaluation.metrics.abstention import COVERAGE, FALSE_CONFIDENCE
from pinakes_ask.evaluation.metrics.cited_passages import CITATION_PRECISION, CITATION_RECALL
from pinakes_ask.evaluation.metrics.cited_sentences import SENTENCE_PRECISION, SENTENCE_RECALL
from pinakes_ask.evaluation.metrics.exact_match import EXACT_MATCH, RIGHT_WHERE_GIVEN
from pinakes_ask.evaluation.metrics.f1 import F1
from pinakes_ask.evaluation.metrics.judged import MODEL_JUDGED
from pinakes_ask.evaluation.metrics.logicscore import (
    COMPLETENESS,
    COMPLETENESS_GOLD,
    DETERMINATENESS,
    ESSENTIALITY,
    ESSENTIALITY_GOLD,
)
from pinakes_ask.evaluation.metrics.recall import ALL_EVIDENCE_OF_RUN, RECALL_OF_RUN, all_evidence_at, recall_at
from pinakes_ask.evaluation.metrics.substring import SUBSTRING_MATCH, SUBSTRING_MATCH_LONG
from pinakes_ask.evaluation.metrics.usage import CALLS, COST, SECONDS, TOKENS

#: The depths at which retrieval is measured.
DEPTHS = (2, 5, 10)

METRICS: tuple[Metric, ...] = (
    EXACT_MATCH,
    F1,
    SUBSTRING_MATCH,
    SUBSTRING_MATCH_LONG,
    MODEL_JUDGED,
    COVERAGE,
    RIGHT_WHERE_GIVEN,
    FALSE_CONFIDENCE,
    *(recall_at(k) for k in DEPTHS),
    *(all_evidence_at(k) for k in DEPTHS),
    RECALL_OF_RUN,
    ALL_EVIDENCE_OF_RUN,
    CITATION_PRECISION,
    CITATION_RECALL,
    SENTENCE_PRECISION,
    SENTENCE_RECALL,
    COMPLETENESS,
    ESSENTIALITY,
    DETERMINATENESS,
    COMPLETENESS_GOLD,
    ESSENTIALITY_GOLD,
    CALLS,
    TOKENS,
    COST,
    SECONDS,
)
BY_NAME = {metric.name: metric for metric in METRICS}
