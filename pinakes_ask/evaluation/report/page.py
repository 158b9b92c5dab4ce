"""The page."""

from __future__ import annotations

from pinakes_ask.evaluation.reporting import EvalReport


def page(report: EvalReport) -> str:
    """Return the page."""
    return str(report.statuses)
