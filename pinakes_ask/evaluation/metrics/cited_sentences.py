"""Citations against the sentences that hold the evidence, for sets that name them."""

from __future__ import annotations

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.logic import NO_ANSWER
from pinakes_ask.evaluation.metric import Metric, Missing, Value
from pinakes_ask.evaluation.metrics.cited_passages import NO_SOURCES, NOTHING_CITED
from retrieval.text import words

#: Shorter sentences must be equal: "He died." stands in many others.
_LEAST = 3


def _facts(case: Case) -> tuple[set[str], set[str]] | Missing:
    """The quoted and the gold sentences, in normal form."""
    if not case.question.answerable:
        return Missing(NO_ANSWER)
    gold = [text for one in case.question.gold_paragraphs for text in one.gold_sentences or ()]
    if not gold:
        return Missing("the set names no gold sentences")
    if not case.answer.cites:
        return Missing(NO_SOURCES)
    if case.cited and all(one.quote is None for one, _ in case.cited):
        return Missing("the citations quote no sentence")
    return {_form(one.quote or "") for one, _ in case.cited}, {_form(text) for text in gold}


def _precision(case: Case) -> Value:
    facts = _facts(case)
    if isinstance(facts, Missing):
        return facts
    quoted, gold = facts
    if not quoted:
        return Missing(NOTHING_CITED)
    return sum(any(_same(one, other) for other in gold) for one in quoted) / len(quoted)


def _recall(case: Case) -> Value:
    facts = _facts(case)
    if isinstance(facts, Missing):
        return facts
    quoted, gold = facts
    return sum(any(_same(one, other) for one in quoted) for other in gold) / len(gold)


def _form(text: str) -> str:
    return " ".join(words(text))


def _same(left: str, right: str) -> bool:
    """Whether both are one sentence; a splitter may have joined it to its neighbour, or cut it."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    return len(short.split()) >= _LEAST and f" {short} " in f" {long} "


SENTENCE_PRECISION = Metric(
    "sentence_precision",
    "citation precision (sentences)",
    "share",
    "higher",
    "as the supporting-fact precision of HotpotQA (Yang et al. 2018), by the sentences' words",
    _precision,
)
SENTENCE_RECALL = Metric(
    "sentence_recall",
    "citation recall (sentences)",
    "share",
    "higher",
    "as the supporting-fact recall of HotpotQA (Yang et al. 2018), by the sentences' words",
    _recall,
)
