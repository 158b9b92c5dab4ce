"""Answering and withholding: coverage where there is an answer, false confidence where there is none."""

from __future__ import annotations

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.logic import NO_ANSWER
from pinakes_ask.evaluation.metric import Metric, Missing, Value


def _given(case: Case) -> float:
    return float(case.answer.short is not None)


def _coverage(case: Case) -> Value:
    return _given(case) if case.question.answerable else Missing(NO_ANSWER)


def _false_confidence(case: Case) -> Value:
    return Missing("the documents hold an answer") if case.question.answerable else _given(case)


COVERAGE = Metric(
    "coverage",
    "short answer given",
    "yes/no",
    None,
    "El-Yaniv and Wiener 2010: the share of answerable questions that got a short answer",
    _coverage,
)
FALSE_CONFIDENCE = Metric(
    "false_confidence",
    "false confidence: answered though unanswerable",
    "yes/no",
    "lower",
    "Rajpurkar et al. 2018 (SQuAD 2.0): the share of unanswerable questions that got a short answer",
    _false_confidence,
)
