"""Citations against the passages that hold the evidence."""

from __future__ import annotations

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.metric import Metric, Missing, Value

NO_SOURCES = "the answers name no sources"
NOTHING_CITED = "the answer cites nothing"


def _precision(case: Case) -> Value:
    if case.gold is None:
        return Missing(case.no_gold)
    if not case.answer.cites:
        return Missing(NO_SOURCES)
    if not case.cited:
        return Missing(NOTHING_CITED)
    # What is no document of the corpus is cited wrongly, and each such citation counts.
    known = {document for _, document in case.cited if document is not None}
    unknown = sum(document is None for _, document in case.cited)
    return len(known & case.gold) / (len(known) + unknown)


def _recall(case: Case) -> Value:
    if case.gold is None:
        return Missing(case.no_gold)
    if not case.answer.cites:
        return Missing(NO_SOURCES)
    return len({document for _, document in case.cited} & case.gold) / len(case.gold)


CITATION_PRECISION = Metric(
    "citation_precision",
    "citation precision (passages)",
    "share",
    "higher",
    "cited gold documents, divided by cited documents; none where nothing is cited",
    _precision,
)
CITATION_RECALL = Metric(
    "citation_recall",
    "citation recall (passages)",
    "share",
    "higher",
    "cited gold documents, divided by gold documents",
    _recall,
)
