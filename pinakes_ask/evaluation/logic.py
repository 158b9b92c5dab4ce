"""LogicScore of an answer, anchored at its own short answer and at the gold answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pinakes_ask.evaluation.answer import MEASURES, Answer
from pinakes_ask.evaluation.metric import Missing, Value
from pinakes_ask.evaluation.question import EvalQuestion
from scoring.logicscore import NO_GOLD, WITHHELD, score
from scoring.types import Extraction
from scoring.verdict import Verdict

NOT_SAID = "the row gives no reason"
NO_ANSWER = "the documents hold no answer"


@dataclass(frozen=True)
class Logic:
    """The measures by anchor, and what is wrong with the answer: for the gold anchor where there is one."""

    own: Mapping[str, Value]
    gold: Mapping[str, Value]
    failure_class: str | None


def logic_of(question: EvalQuestion, answer: Answer) -> Logic:
    """Score the frozen facts of an answer; where there are none, take the measures as they were given."""
    if answer.extraction is None:
        gold: dict[str, Value] = dict.fromkeys(MEASURES, Missing(answer.no_extraction))
        if answer.scores is None:
            return Logic(gold, gold, None)
        own = {name: _given(answer, value) for name, value in answer.scores.values.items()}
        return Logic(own, gold, answer.scores.failure_class)
    own_verdict = score(answer.extraction, short_answer=answer.short)
    if not question.answerable:
        none: dict[str, Value] = dict.fromkeys(MEASURES, Missing(NO_ANSWER))
        return Logic(_measures(own_verdict, answer.extraction), none, own_verdict.failure_class)
    gold_verdict = score(answer.extraction, short_answer=answer.short, gold=question.answers)
    return Logic(
        _measures(own_verdict, answer.extraction),
        _measures(gold_verdict, answer.extraction),
        gold_verdict.failure_class,
    )


def _given(answer: Answer, value: float | None) -> Value:
    if value is not None:
        return float(value)
    return Missing(WITHHELD if answer.short is None else NOT_SAID)


def _measures(verdict: Verdict, extraction: Extraction) -> dict[str, Value]:
    values: dict[str, float | None] = {
        "completeness": verdict.completeness,
        "essentiality": verdict.essentiality,
        "determinateness": verdict.determinateness,
    }
    return {
        name: Missing(verdict.not_applicable.get(name, NO_GOLD)) if value is None else float(value)
        for name, value in values.items()
    }
