"""Agreement between repeated extractions of one answer, by a model that may answer differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.graph import BODY, Graph
from scoring.identity import Names
from scoring.types import Extraction
from scoring.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far repeated extractions agree.

    :ivar edges: for each pair of entities that any of them joins in one fact, by normal form, the
        share of the extractions that do.
    :ivar unanimous: whether all verdicts have the same C, D and class.
    """

    edges: dict[tuple[str, str], float]
    unanimous: bool

    @property
    def mean(self) -> float | None:
        """The mean share over all edges; None without edges."""
        return sum(self.edges.values()) / len(self.edges) if self.edges else None


def agreement(extractions: Sequence[Extraction], verdicts: Sequence[Verdict]) -> Agreement:
    """Return the agreement of repeated extractions and of the verdicts on them.

    A verdict that is not unanimous is uncertain and has to be reported as such.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for extraction in extractions:
        counts.update(_pairs(extraction))
    figures = {(one.completeness, one.determinateness, one.failure_class) for one in verdicts}
    return Agreement(
        {pair: count / len(extractions) for pair, count in sorted(counts.items())}, unanimous=len(figures) <= 1
    )


def _pairs(extraction: Extraction) -> set[tuple[str, str]]:
    names = Names(extraction)
    found: set[tuple[str, str]] = set()
    for edge in Graph(extraction.propositions, names, BODY).edges:
        ordered = sorted(entity for entity in edge.entities if not Names.is_unresolved(entity))
        found.update((left, right) for place, left in enumerate(ordered) for right in ordered[place + 1 :])
    return found


def majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return a verdict with the most frequent C, D and class; of those the first.

    :raises ValueError: without verdicts.
    """
    counts = Counter((one.completeness, one.determinateness, one.failure_class) for one in verdicts)
    best = max(counts.values(), default=0)
    for one in verdicts:
        if counts[one.completeness, one.determinateness, one.failure_class] == best:
            return one
    raise ValueError("there is no verdict to choose from")
