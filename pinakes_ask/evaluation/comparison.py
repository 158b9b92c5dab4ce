"""Two runs over the same questions: paired differences, with a test for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pinakes_ask.evaluation.figures import rounded
from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metric import Metric
from pinakes_ask.evaluation.statistics import Paired, compare
from retrieval.errors import UsageError


@dataclass(frozen=True)
class Difference:
    """A metric on the questions that both runs have a value for.

    :param only_here: questions with a value in this run alone; :param only_there: in the other alone.
    """

    metric: Metric
    paired: Paired
    only_here: int
    only_there: int

    @property
    def better(self) -> bool | None:
        """Whether this run is the better one, where p is below 0.05; None where neither is shown to be."""
        found, p = self.paired.difference.mean, self.paired.p
        if self.metric.better is None or not found or p is None or p >= 0.05:
            return None
        return (found > 0) == (self.metric.better == "higher")

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        paired = self.paired
        return {
            "difference": {key: rounded(value) for key, value in asdict(paired.difference).items()},
            "test": paired.test,
            "p": rounded(paired.p),
            "wins": paired.wins,
            "losses": paired.losses,
            "only_here": self.only_here,
            "only_there": self.only_there,
        }


@dataclass(frozen=True)
class Comparison:
    """This run against another one.

    :param common: ids of both; :param only_here: ids of this run alone; :param only_there: of the other alone.
    """

    name: str
    common: int
    only_here: int
    only_there: int
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """Return ``{name, common, only_here, only_there, metrics: {name: difference}}``."""
        return {
            "name": self.name,
            "common": self.common,
            "only_here": self.only_here,
            "only_there": self.only_there,
            "metrics": {one.metric.name: one.to_json() for one in self.differences},
        }


def compare_runs(
    rows: Sequence[Measured], other: Sequence[Measured], name: str, metrics: Sequence[Metric], seed: int
) -> Comparison:
    """Compare two runs over the questions that both measured.

    :raises UsageError: when they have none in common, or one id stands for two questions.
    """
    here, there = {row.id: row for row in rows}, {row.id: row for row in other}
    common = [identity for identity in here if identity in there]
    for identity in common:
        if here[identity].question != there[identity].question:
            raise UsageError(
                f"This run cannot be compared with {name}",
                f"the id {identity!r} stands for another question there",
                "Compare runs over one question set",
            )
    if not common:
        raise UsageError(
            f"This run cannot be compared with {name}",
            "they have no question in common",
            "Compare runs over one question set",
        )
    pairs = [(here[identity], there[identity]) for identity in common]
    return Comparison(
        name,
        len(common),
        len(here) - len(common),
        len(there) - len(common),
        tuple(_difference(metric, pairs, seed) for metric in metrics),
    )


def _difference(metric: Metric, pairs: Sequence[tuple[Measured, Measured]], seed: int) -> Difference:
    name = metric.name
    both = [(a.values[name], b.values[name]) for a, b in pairs if name in a.values and name in b.values]
    return Difference(
        metric,
        compare([a for a, _ in both], [b for _, b in both], binary=metric.kind == "yes/no", seed=seed),
        sum(name in a.values and name not in b.values for a, b in pairs),
        sum(name in b.values and name not in a.values for a, b in pairs),
    )
