"""How far the gate's probability can be trusted: against whether the first search did find all evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pinakes_ask.evaluation.figures import rounded
from pinakes_ask.evaluation.measured import Measured


@dataclass(frozen=True)
class Bin:
    """Questions whose probability lies from ``low`` to ``high``: their mean, and the share covered."""

    low: float
    high: float
    count: int
    mean: float
    covered: float


@dataclass(frozen=True)
class Calibration:
    """The bins, and the expected calibration error over them (Naeini et al. 2015); None without questions."""

    questions: int
    unknown: int
    ece: float | None
    auroc: float | None
    bins: tuple[Bin, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "questions": self.questions,
            "unknown": self.unknown,
            "ece": rounded(self.ece),
            "auroc": rounded(self.auroc),
            "bins": [
                {
                    "from": one.low,
                    "to": one.high,
                    "count": one.count,
                    "mean": rounded(one.mean),
                    "covered": rounded(one.covered),
                }
                for one in self.bins
            ],
        }


def calibration_of(rows: Sequence[Measured]) -> Calibration:
    """Return how the given probabilities fit what happened; ``unknown`` counts answers without either."""
    known = [
        (row.confidence, row.covered) for row in rows if row.confidence is not None and row.covered is not None
    ]
    if not known:
        return Calibration(0, len(rows), None, None, ())
    from retrieval.confidence.fit import measure

    found = measure([chance for chance, _ in known], [covered for _, covered in known], at=1.0)
    return Calibration(
        len(known), len(rows) - len(known), found.ece, found.auroc, tuple(Bin(*one) for one in found.table)
    )
