"""The gate's reliability: how often evidence was found, against the probability that was given for it."""

from __future__ import annotations

from pinakes_ask.evaluation.reliability import Calibration
from pinakes_ask.evaluation.report.drawing import UNIT, Frame, Key, Plot, Shape, axes


def gate(found: Calibration) -> Plot | None:
    """Return the reliability diagram, None without questions. A dot's area grows with its questions."""
    if found.ece is None:
        return None
    frame = Frame(top=30.0)
    shapes, labels = axes(frame, "probability that was given", "evidence was found", UNIT, UNIT)
    shapes.append(Shape("line", (frame.x(0), frame.y(0), frame.x(1), frame.y(1)), "guide"))
    most = max(one.count for one in found.bins)
    rows = []
    for one in found.bins:
        x, y = frame.x(one.mean), frame.y(one.covered)
        said = f"given {one.mean:.2f}, found {one.covered:.2f}, {one.count} questions"
        shapes.append(Shape("line", (x, y, x, frame.y(one.mean)), "first"))
        shapes.append(Shape("dot", (x, y, 4 + 8 * (one.count / most) ** 0.5), "first", said))
        rows.append((f"{one.low:.1f} to {one.high:.1f}", str(one.count), f"{one.mean:.3f}", f"{one.covered:.3f}"))
    return Plot(
        "gate",
        "Reliability of the gate",
        f"Over {found.questions} questions the expected calibration error is {found.ece:.3f}. On the dashed line "
        "evidence is found as often as was said; below it less often.",
        frame.right + 16,
        frame.bottom + 46,
        tuple(shapes),
        tuple(labels),
        ("probability", "questions", "mean given", "share found"),
        tuple(rows),
        (Key("first", "questions of like probability; larger dots are more questions"),),
    )  # fmt: skip
