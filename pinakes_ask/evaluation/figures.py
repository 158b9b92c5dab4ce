"""From measured answers to figures: each metric's mean, over all questions, by type, and by hops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metric import Metric
from scoring.means import Mean, mean_of

#: A share is between 0 and 1; more digits than these say nothing.
_DIGITS = 6


@dataclass(frozen=True)
class Figure:
    """A metric over some questions: its mean, and for those that it does not apply to, why."""

    metric: Metric
    mean: Mean
    missing: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return ``{mean, low, high, count, missing}``; a mean of nothing is null."""
        return {**{key: rounded(value) for key, value in asdict(self.mean).items()}, "missing": self.missing}


@dataclass(frozen=True)
class Group:
    """The figures of some questions, in the order of the metrics."""

    name: str
    questions: int
    figures: tuple[Figure, ...]

    def figure(self, name: str) -> Figure:
        """Return the figure of a metric."""
        return next(one for one in self.figures if one.metric.name == name)

    def to_json(self) -> dict[str, Any]:
        """Return ``{questions, metrics: {name: figure}}``."""
        return {
            "questions": self.questions,
            "metrics": {one.metric.name: one.to_json() for one in self.figures},
        }


@dataclass(frozen=True)
class Figures:
    """All groups. Questions without a type, or without a number of hops, are in a group of their own."""

    all: Group
    by_type: tuple[Group, ...]
    by_hops: tuple[Group, ...]

    def to_json(self) -> dict[str, Any]:
        """Return ``{all, by_type: {type: group}, by_hops: {hops: group}}``."""
        return {
            "all": self.all.to_json(),
            "by_type": {one.name: one.to_json() for one in self.by_type},
            "by_hops": {one.name: one.to_json() for one in self.by_hops},
        }


def figures_of(rows: Sequence[Measured], metrics: Sequence[Metric], seed: int) -> Figures:
    """Return the figures of measured answers. Every row is counted in each metric: in its mean, or as missing."""
    return Figures(
        _group("all", rows, metrics, seed),
        _groups(rows, lambda row: row.type or "unknown", metrics, seed),
        _groups(rows, lambda row: "unknown" if row.hops is None else str(row.hops), metrics, seed),
    )


def rounded(value: float | None) -> float | None:
    """Return a figure as it stands in JSON."""
    return round(value, _DIGITS) if isinstance(value, float) else value


def _groups(
    rows: Sequence[Measured], key: Callable[[Measured], str], metrics: Sequence[Metric], seed: int
) -> tuple[Group, ...]:
    found: dict[str, list[Measured]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return tuple(_group(name, found[name], metrics, seed) for name in sorted(found))


def _group(name: str, rows: Sequence[Measured], metrics: Sequence[Metric], seed: int) -> Group:
    return Group(name, len(rows), tuple(_figure(metric, rows, seed) for metric in metrics))


def _figure(metric: Metric, rows: Sequence[Measured], seed: int) -> Figure:
    values = [row.values[metric.name] for row in rows if metric.name in row.values]
    # A run that an older version measured may lack a metric.
    reasons = Counter(
        row.missing.get(metric.name, "it was not measured") for row in rows if metric.name not in row.values
    )
    return Figure(metric, mean_of(values, seed), dict(sorted(reasons.items())))
