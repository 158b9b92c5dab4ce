"""Figures over many verdicts: means with bootstrap intervals, classes, and what did not apply."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MEASURES = ("completeness", "essentiality", "determinateness")


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over ``count`` values with its 95 % bootstrap interval; None without any value."""

    value: float | None
    low: float | None
    high: float | None
    count: int

    def to_json(self) -> dict[str, float | int | None]:
        """Return ``{mean, low, high, count}``."""
        return {"mean": self.value, "low": self.low, "high": self.high, "count": self.count}


def bootstrap(values: Sequence[float], *, resamples: int = 1000, seed: int = 0) -> Mean:
    """Return the mean and its 95 % percentile bootstrap interval (Efron 1979); the seed makes it repeatable."""
    if not values:
        return Mean(None, None, None, 0)
    rng = random.Random(seed)
    count = len(values)
    means = sorted(sum(rng.choices(values, k=count)) / count for _ in range(resamples))
    return Mean(
        sum(values) / count,
        means[int(0.025 * resamples)],
        means[min(resamples - 1, int(0.975 * resamples))],
        count,
    )


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
        **{
            measure: bootstrap([float(v[measure]) for v in verdicts if v[measure] is not None]).to_json()
            for measure in MEASURES
        },
        "paper": {
            measure: bootstrap(
                [float(v["paper"][measure]) for v in verdicts if v["paper"][measure] is not None]
            ).to_json()
            for measure in MEASURES
        },
        "classes": dict(Counter(v["class"] or "none" for v in verdicts).most_common()),
        "anchors": dict(Counter(v["anchor"] or "none" for v in verdicts).most_common()),
        "not_applicable": {measure: dict(counts.most_common()) for measure, counts in reasons.items()},
    }
