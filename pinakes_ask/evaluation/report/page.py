"""The report of a run as one HTML page: no script, and nothing that is fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.report.by_hops import by_hops
from pinakes_ask.evaluation.report.classes import classes
from pinakes_ask.evaluation.report.cost_quality import cost_quality
from pinakes_ask.evaluation.report.distribution import distribution
from pinakes_ask.evaluation.report.drawing import Plot
from pinakes_ask.evaluation.report.gate import gate
from pinakes_ask.evaluation.reporting import EvalReport
from pinakes_ask.evaluation.wording import in_words, number
from transcripts.escape import one_line

#: The metrics whose values are drawn one by one.
_SPREAD = ("f1", "essentiality", "citation_precision", "citation_recall")
#: How many answers are listed.
LISTED = 200


def page(report: EvalReport) -> str:
    """Return the page. Every text in it is escaped, whatever questions and answers hold."""
    env = Environment(
        loader=PackageLoader("pinakes_ask.evaluation.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_inert,
    )
    rows = report.run.rows
    return env.get_template("page.html").render(
        report=report,
        said=in_words(report),
        number=number,
        spreads=_spreads(rows),
        plots=_plots(report),
        listed=_wrong_first(rows)[:LISTED],
        total=len(rows),
    )


def _inert(value: Any) -> Any:
    """Take controls and directional marks out of every text; what a macro made was a text before."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _spreads(rows: Sequence[Measured]) -> list[Plot]:
    titles = {metric.name: metric.title for metric in METRICS}
    drawn = [
        distribution(
            f"spread-{name.replace('_', '-')}",
            titles[name],
            [row.values[name] for row in rows if name in row.values],
        )
        for name in _SPREAD
    ]
    given = [row.confidence for row in rows if row.confidence is not None]
    drawn.append(distribution("spread-confidence", "confidence of the first search", given))
    return [plot for plot in drawn if plot is not None]


def _plots(report: EvalReport) -> list[Plot]:
    other = None if report.baseline is None else report.baseline.rows
    drawn = (
        by_hops(report.figures, "recall", "recall"),
        by_hops(report.figures, "all_evidence", "all evidence found"),
        gate(report.calibration),
        classes(report.classes),
        cost_quality(report.run.rows, other, report.run.info.seed),
    )
    return [plot for plot in drawn if plot is not None]


def _wrong_first(rows: Sequence[Measured]) -> list[Measured]:
    """Wrong answers, then those that were not given, then right ones; the set's order within each."""

    def place(row: Measured) -> tuple[bool, bool, float]:
        wrong = row.answer is not None and (row.values.get("f1", 0.0) < 1.0)
        return not wrong, row.answer is not None, row.values.get("f1", 0.0)

    return sorted(rows, key=place)
