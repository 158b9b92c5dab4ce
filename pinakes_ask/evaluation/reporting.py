"""A run, and all that a report of it says: one value, shown as a table, as JSON or as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinakes_ask.evaluation.comparison import Comparison, compare_runs
from pinakes_ask.evaluation.figures import Figures, figures_of
from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.reliability import Calibration, calibration_of
from pinakes_ask.evaluation.run_folder import RunFolder, RunInfo

SCHEMA_VERSION = 1
STATUSES = ("answered", "withheld", "failed", "missing")


@dataclass(frozen=True)
class EvalRun:
    """A run: what it was made from, and what was measured. Its ``name`` is its folder's, or its answers'."""

    name: str
    info: RunInfo
    rows: Sequence[Measured]


def load_run(folder: Path) -> EvalRun:
    """Return a run that has ended, from its folder.

    :raises UsageError: when there is none.
    """
    run = RunFolder(folder)
    return EvalRun(str(folder), run.info(), run.measured())


@dataclass(frozen=True)
class EvalReport:
    """The figures of a run. ``classes`` counts failure classes of LogicScore, ``none`` where nothing is wrong."""

    run: EvalRun
    figures: Figures
    calibration: Calibration
    classes: dict[str, int]
    statuses: dict[str, int]
    comparison: Comparison | None
    baseline: EvalRun | None

    @classmethod
    def of(cls, run: EvalRun, baseline: EvalRun | None, seed: int) -> EvalReport:
        """Work out the figures of ``run``, and its differences from ``baseline``."""
        comparison = None
        if baseline is not None:
            comparison = compare_runs(run.rows, baseline.rows, baseline.name, METRICS, seed)
        # A class is known where the reasoning was scored at all.
        scored = [row for row in run.rows if {"completeness", "completeness_gold"} & row.values.keys()]
        classes = Counter(row.failure_class or "none" for row in scored)
        classes["not scored"] = len(run.rows) - len(scored)
        statuses = Counter(row.status for row in run.rows)
        return cls(
            run,
            figures_of(run.rows, METRICS, seed),
            calibration_of(run.rows),
            dict(sorted(classes.items(), key=lambda one: (-one[1], one[0]))),
            {status: statuses[status] for status in STATUSES},
            comparison,
            baseline,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values; all keys are always there."""
        return {
            "schema_version": SCHEMA_VERSION,
            "run": {"name": self.run.name, **self.run.info.to_json()},
            "questions": len(self.run.rows),
            "statuses": self.statuses,
            **self.figures.to_json(),
            "reliability": self.calibration.to_json(),
            "classes": self.classes,
            "baseline": None if self.comparison is None else self.comparison.to_json(),
        }
