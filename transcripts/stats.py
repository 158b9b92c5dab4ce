"""How runs develop over time: their scores, failures, reviews and cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from transcripts.summary import MEASURES, Summary


def _week(at: datetime) -> str:
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"


#: From a kind of period to the name of the one that a time lies in. Names sort by time.
PERIODS: dict[str, Callable[[datetime], str]] = {
    "day": lambda at: f"{at:%Y-%m-%d}",
    "week": _week,
    "month": lambda at: f"{at:%Y-%m}",
    "year": lambda at: f"{at:%Y}",
}


def trend(runs: Iterable[Summary], by: str) -> list[dict[str, Any]]:
    """Return the figures of each period that holds a run, oldest first; ``by`` is one of :data:`PERIODS`."""
    name = PERIODS[by]
    periods: dict[str, list[Summary]] = defaultdict(list)
    for run in runs:
        periods[name(datetime.fromisoformat(run.created))].append(run)
    return [{"period": period, **figures(periods[period])} for period in sorted(periods)]


def figures(runs: Sequence[Summary]) -> dict[str, Any]:
    """Return counts, means and sums over ``runs``.

    A mean is over the runs for which the measure is known, None where there is none; the others are
    counted by the reason why it is not. The cost is that of the runs with a known price.
    """
    return {
        "runs": len(runs),
        "statuses": _counts(run.status for run in runs),
        "classes": _counts(run.failure_class or "none" for run in runs if run.completeness is not None),
        "reviews": _counts(run.review or "none" for run in runs),
        **{measure: _measure(runs, measure) for measure in MEASURES},
        "unsupported": sum(run.unsupported for run in runs),
        "calls": sum(run.calls for run in runs),
        "tokens": sum(run.prompt_tokens + run.completion_tokens for run in runs),
        "seconds": round(sum(run.seconds for run in runs), 3),
        "cost": {
            "known": round(sum(run.cost for run in runs if run.cost is not None), 6),
            "unknown": sum(run.cost is None for run in runs),
        },
    }


def _measure(runs: Sequence[Summary], measure: str) -> dict[str, Any]:
    values = [value for run in runs if (value := getattr(run, measure)) is not None]
    reasons = (run.reasons.get(measure, "no reason was recorded") for run in runs if getattr(run, measure) is None)
    return {
        "mean": round(sum(values) / len(values), 4) if values else None,
        "measured": len(values),
        "null": len(runs) - len(values),
        "reasons": _counts(reasons),
    }


def _counts(values: Iterable[str]) -> dict[str, int]:
    """Return how often each value occurs, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))
