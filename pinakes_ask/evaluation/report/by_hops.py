"""Recall by the number of hops, at each depth, with intervals."""

from __future__ import annotations

from pinakes_ask.evaluation.figures import Figures
from pinakes_ask.evaluation.metrics import DEPTHS
from pinakes_ask.evaluation.report.drawing import UNIT, Frame, Ink, Key, Plot, Shape, axes

_INKS: tuple[Ink, ...] = ("third", "second", "first")


def by_hops(figures: Figures, measure: str, title: str) -> Plot | None:
    """Return a dot with its interval for each number of hops and each depth; None where nothing was retrieved.

    :param measure: the metric's name before ``@``.
    """
    groups = [group for group in figures.by_hops if group.figure(f"{measure}@{DEPTHS[0]}").mean.count]
    if not groups:
        return None
    frame = Frame(top=30.0)
    slot = frame.width / len(groups)
    middles = [frame.left + slot * (place + 0.5) for place in range(len(groups))]
    names = [(x - frame.left) / frame.width for x in middles]
    marks = [(at, f"{group.name} ({group.questions})") for at, group in zip(names, groups, strict=True)]
    shapes, labels = axes(frame, "hops (questions)", title, marks, UNIT)
    rows = []
    for middle, group in zip(middles, groups, strict=True):
        cells = [group.name, str(group.questions)]
        for place, (depth, ink) in enumerate(zip(DEPTHS, _INKS, strict=True)):
            mean = group.figure(f"{measure}@{depth}").mean
            if mean.mean is None:
                cells.append("unknown")
                continue
            x = middle + (place - 1) * min(34.0, slot / 4)
            said = f"{group.name} hops, first {depth} passages: {mean.mean:.3f}"
            if mean.low is not None and mean.high is not None:
                shapes.append(Shape("line", (x, frame.y(mean.low), x, frame.y(mean.high)), ink))
                said += f", {mean.low:.3f} to {mean.high:.3f}"
            shapes.append(Shape("dot", (x, frame.y(mean.mean), 5.0), ink, said))
            cells.append(f"{mean.mean:.3f}")
        rows.append(tuple(cells))
    whole = figures.all.figure(f"{measure}@5").mean.mean
    summary = "Lines are 95 % intervals."
    if whole is not None:
        summary = f"Over all questions it is {whole:.3f} in the first 5 passages. {summary}"
    return Plot(
        f"hops-{measure.replace('_', '-')}",
        f"{title} by hops",
        summary,
        frame.right + 16,
        frame.bottom + 46,
        tuple(shapes),
        tuple(labels),
        ("hops", "questions", *(f"first {depth}" for depth in DEPTHS)),
        tuple(rows),
        tuple(Key(ink, f"first {depth} passages") for depth, ink in zip(DEPTHS, _INKS, strict=True)),
    )
