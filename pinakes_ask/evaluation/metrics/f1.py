"""F1: how many words the short answer shares with the gold answer, in normal form."""

from __future__ import annotations

from collections import Counter

from pinakes_ask.evaluation.metric import Metric
from pinakes_ask.evaluation.metrics.answer_needed import best_match
from pinakes_ask.evaluation.metrics.normal import normal_form

#: Answers that share words with others by accident; HotpotQA's own code gives them no part marks.
_WHOLE = frozenset({"yes", "no", "noanswer"})


def f1(short: str, gold: str) -> float:
    """Return the harmonic mean of precision and recall of words, counted as often as they stand there.

    Yes and no are right or wrong. Two answers without any word are equal, one is wrong.
    """
    ours, theirs = normal_form(short), normal_form(gold)
    if ours in _WHOLE or theirs in _WHOLE or not ours or not theirs:
        return float(ours == theirs)
    have, want = Counter(ours.split()), Counter(theirs.split())
    shared = (have & want).total()
    if not shared:
        return 0.0
    precision, recall = shared / have.total(), shared / want.total()
    return 2 * precision * recall / (precision + recall)


F1 = Metric(
    "f1",
    "F1",
    "share",
    "higher",
    "Rajpurkar et al. 2016 (SQuAD), section 6.1; yes and no as in Yang et al. 2018 (HotpotQA)",
    best_match(f1),
)
