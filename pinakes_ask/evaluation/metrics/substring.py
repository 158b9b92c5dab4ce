"""The string accuracy that papers on retrieval report: the gold answer is a substring of what was written."""

from __future__ import annotations

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.logic import NO_ANSWER
from pinakes_ask.evaluation.metric import Metric, Missing, Value
from pinakes_ask.evaluation.metrics.answer_needed import best_match
from pinakes_ask.evaluation.metrics.normal import normal_form


def substring_match(text: str, gold: str) -> float:
    """Return 1 where the normal form of ``gold`` stands anywhere in that of ``text``, else 0.

    Inside a word too, as the papers count it: "no" stands in "unknown".
    """
    return float(normal_form(gold) in normal_form(text))


def _in_long(case: Case) -> Value:
    if not case.question.answerable:
        return Missing(NO_ANSWER)
    if case.answer.long is None:
        return Missing("the file gives no long answer")
    return max(substring_match(case.answer.long, gold) for gold in case.question.answers)


_SOURCE = "the string-based accuracy of LogicRAG (Chen et al. 2025); a substring match, no more"
SUBSTRING_MATCH = Metric(
    "substring_match",
    "string accuracy (substring match)",
    "yes/no",
    "higher",
    _SOURCE,
    best_match(substring_match),
)
SUBSTRING_MATCH_LONG = Metric(
    "substring_match_long",
    "string accuracy (substring match) in the long answer",
    "yes/no",
    "higher",
    _SOURCE,
    _in_long,
)
