"""Figures over many verdicts: means with bootstrap intervals, classes, and what did not apply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from scoring.means import mean_of

MEASURES = ("completeness", "essentiality", "determinateness")


def summarise(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the summary of verdicts in their JSON form.

    Every verdict is counted: for each measure either in its mean or under the reason why it did not apply.
    """
    reasons = {measure: Counter[str]() for measure in MEASURES}
    for verdict in verdicts:
        for measure in MEASURES:
            if verdict[measure] is None:
                reasons[measure][verdict["not_applicable"].get(measure, "no reason was given")] += 1
    return {
        "answers": len(verdicts),
        **_means(verdicts),
        "paper": _means([verdict["paper"] for verdict in verdicts]),
        "classes": dict(Counter(v["class"] or "none" for v in verdicts).most_common()),
        "anchors": dict(Counter(v["anchor"] or "none" for v in verdicts).most_common()),
        "not_applicable": {measure: dict(counts.most_common()) for measure, counts in reasons.items()},
    }


def _means(measured: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float | int | None]]:
    values = {key: [float(one[key]) for one in measured if one[key] is not None] for key in MEASURES}
    return {key: asdict(mean_of(values[key], seed=0)) for key in MEASURES}
