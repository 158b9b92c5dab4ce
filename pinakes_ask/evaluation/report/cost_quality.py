"""What more effort buys: F1 against what a question took, in groups of like effort."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metric import Metric
from pinakes_ask.evaluation.metrics.usage import COST, SECONDS, TOKENS
from pinakes_ask.evaluation.report.drawing import UNIT, Frame, Ink, Key, Plot, Shape, axes, steps
from pinakes_ask.evaluation.wording import number
from scoring.means import Mean, mean_of

#: How many groups the questions are divided into.
GROUPS = 6
Point = tuple[float, Mean]


def cost_quality(rows: Sequence[Measured], baseline: Sequence[Measured] | None, seed: int) -> Plot | None:
    """Return mean F1 with its interval against mean effort, for groups of questions that took about the same.

    Effort is money where it is known and not nought, else tokens, else seconds; None where nothing is known.
    """
    metric = next((one for one in (COST, TOKENS, SECONDS) if any(_effort(row, one) for row in rows)), None)
    if metric is None:
        return None
    ours, theirs = points(rows, metric, seed), points(baseline or (), metric, seed)
    if not ours:
        return None
    end = max(x for x, _ in [*ours, *theirs]) * 1.08
    frame = Frame(top=30.0, x_end=end)
    shapes, labels = axes(frame, metric.title, "mean F1", steps(end), UNIT)
    told = []
    for name, some, ring in (("this run", ours, False), ("baseline", theirs, True)):
        for x, mean in some:
            said = f"{name}: {number(x, metric)}, F1 {mean.mean or 0:.3f} of {mean.count} questions"
            ink: Ink = "other" if ring else "first"
            if mean.low is not None and mean.high is not None:
                at = (frame.x(x), frame.y(mean.low), frame.x(x), frame.y(mean.high))
                shapes.append(Shape("line", at, ink))
            spot = (frame.x(x), frame.y(mean.mean or 0.0), 5.0)
            shapes.append(Shape("ring" if ring else "dot", spot, ink, said))
            told.append((name, str(mean.count), number(x, metric), f"{mean.mean or 0:.3f}"))
    keys = (Key("first", "this run"), *((Key("other", "baseline", ring=True),) if theirs else ()))
    return Plot(
        "effort",
        "Effort and quality",
        f"Questions in groups that took about the same: {metric.title}, and their mean F1 with its 95 % interval.",
        frame.right + 16,
        frame.bottom + 46,
        tuple(shapes),
        tuple(labels),
        ("run", "questions", metric.title, "mean F1"),
        tuple(told),
        keys,
    )


def points(rows: Sequence[Measured], metric: Metric, seed: int) -> list[Point]:
    """Return ``(mean effort, mean F1)`` of up to :data:`GROUPS` groups of like effort.

    Questions of the same effort stay in one group.
    """
    known = sorted(
        (row.values[metric.name], row.values["f1"]) for row in rows if {metric.name, "f1"} <= row.values.keys()
    )
    found: list[Point] = []
    start = 0
    for group in range(1, GROUPS + 1):
        end = max(start, len(known) * group // GROUPS)
        while 0 < end < len(known) and known[end][0] == known[end - 1][0]:
            end += 1
        if end > start:
            some = known[start:end]
            found.append((sum(x for x, _ in some) / len(some), mean_of([y for _, y in some], seed)))
            start = end
    return found


def _effort(row: Measured, metric: Metric) -> bool:
    return row.values.get(metric.name, 0.0) > 0
