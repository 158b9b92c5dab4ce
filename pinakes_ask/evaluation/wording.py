"""How reports put figures into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinakes_ask.evaluation.metric import Metric

if TYPE_CHECKING:
    from pinakes_ask.evaluation.reporting import EvalReport


def number(value: float | None, metric: Metric, *, signed: bool = False) -> str:
    """Return a figure as it is shown: shares with three digits, amounts with as many as they need."""
    if value is None:
        return "-"
    sign = "+" if signed else ""
    if metric.kind != "amount":
        return f"{value:{sign}.3f}"
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 or size == 0 else 4
    return f"{value:{sign},.{digits}f}"


def in_words(report: EvalReport) -> str:
    """Return what was measured, in a sentence without its end."""
    info = report.run.info
    who = f"answers in {info.answers['name']}" if info.answers else f"the model {info.model}"
    whole = info.dataset["questions"]
    count = len(report.run.rows)
    chosen = f"{count} of {whole} questions (seed {info.seed})" if count < whole else f"{count} questions"
    ended = ", ".join(f"{count} {name}" for name, count in report.statuses.items() if count)
    judged = f"; judged by {info.judge['model']}" if info.judge else ""
    return f"{who} on {chosen} of {info.dataset['name']}: {ended}{judged}"
