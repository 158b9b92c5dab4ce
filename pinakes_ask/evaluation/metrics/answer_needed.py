"""What all metrics of the short answer share: they apply where the documents hold an answer."""

from __future__ import annotations

from collections.abc import Callable

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.logic import NO_ANSWER
from pinakes_ask.evaluation.metric import Missing, Value


def best_match(measure: Callable[[str, str], float]) -> Callable[[Case], Value]:
    """Return what measures the short answer against the gold answer and each alias, and takes the best.

    Without a short answer it is 0: nothing was right about it.
    """

    def of(case: Case) -> Value:
        if not case.question.answerable:
            return Missing(NO_ANSWER)
        if case.answer.short is None:
            return 0.0
        short = case.answer.short
        return max(measure(short, gold) for gold in case.question.answers)

    return of


def where_given(metric: Callable[[Case], Value]) -> Callable[[Case], Value]:
    """Return ``metric`` for the answers that were given, with no value for those that were withheld."""

    def of(case: Case) -> Value:
        value = metric(case)
        if isinstance(value, float) and case.answer.short is None:
            return Missing("no short answer was given")
        return value

    return of
