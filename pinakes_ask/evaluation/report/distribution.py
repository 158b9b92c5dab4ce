"""How the values of a metric are spread: a histogram of ten bins from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.evaluation.report.drawing import UNIT, Frame, Plot, Shape, axes, steps

BINS = 10


def distribution(key: str, title: str, values: Sequence[float]) -> Plot | None:
    """Return the histogram of values from 0 to 1, None where there are none; 1 is in the last bin."""
    if not values:
        return None
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int(value * BINS))] += 1
    frame = Frame(width=240.0, height=130.0, top=30.0, y_end=float(max(counts)))
    whole = [mark for mark in steps(frame.y_end) if mark[0] == int(mark[0])]
    shapes, labels = axes(frame, title, "answers", UNIT[::2], whole)
    wide = frame.width / BINS
    rows = []
    for place, count in enumerate(counts):
        said = f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}"
        rows.append((said, str(count)))
        if count:
            top = frame.y(count)
            at = (frame.left + place * wide + 1, top, wide - 2, frame.bottom - top)
            shapes.append(Shape("rect", at, "first", f"{said}: {count} answers"))
    mean = sum(values) / len(values)
    summary = (
        f"{title} of {len(values)} answers: mean {mean:.3f}, {counts[0]} below 0.1, {counts[-1]} from 0.9 on."
    )
    return Plot(key, title, summary, frame.right + 16, frame.bottom + 46, tuple(shapes), tuple(labels),
                (title, "answers"), tuple(rows))  # fmt: skip
