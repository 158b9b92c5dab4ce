"""Model-judged accuracy: a language model that sees the question says whether the answer is right."""

from __future__ import annotations

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.logic import NO_ANSWER
from pinakes_ask.evaluation.metric import Metric, Missing, Value


def _judged(case: Case) -> Value:
    if not case.question.answerable:
        return Missing(NO_ANSWER)
    if case.answer.short is None and isinstance(case.judged, Missing) and case.judged.reason == NOTHING_TO_JUDGE:
        return 0.0
    return case.judged


#: Given in place of a judgement where there was nothing to ask a model about.
NOTHING_TO_JUDGE = "there is no short answer to judge"
MODEL_JUDGED = Metric(
    "model_judged",
    "accuracy, judged by a model",
    "yes/no",
    "higher",
    "a model is shown question, gold answers and short answer; see docs/eval.md for the prompt",
    _judged,
)
