"""Plots as shapes in the coordinates of an SVG: what each plot makes, and the page's template writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

#: Colours, by what they stand for; the page's style says which they are, in light and in dark.
Ink = Literal["first", "second", "third", "other", "grid", "axis", "guide"]


#: A mark of an axis: its value and its text.
Mark = tuple[float, str]


@dataclass(frozen=True)
class Shape:
    """One mark. ``says`` is what a reader is told on it, empty for what is no datum.

    ``rect`` takes x, y, width, height; ``line`` x1, y1, x2, y2; ``dot`` and ``ring`` cx, cy, radius.
    """

    kind: Literal["rect", "line", "dot", "ring"]
    at: tuple[float, ...]
    ink: Ink
    says: str = ""


@dataclass(frozen=True)
class Label:
    """A text beside marks."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"
    strong: bool = False


@dataclass(frozen=True)
class Key:
    """A line of a legend."""

    ink: Ink
    text: str
    ring: bool = False


@dataclass(frozen=True)
class Plot:
    """A plot with its words, and its data as a table for those who do not see it.

    :param key: an id that no other plot of the page has.
    :param summary: what it shows, in a sentence.
    """

    key: str
    title: str
    summary: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True)
class Frame:
    """The area that data are drawn in, with x and y from 0 to 1 unless other ends are given."""

    left: float = 46.0
    top: float = 14.0
    width: float = 400.0
    height: float = 190.0
    x_end: float = 1.0
    y_end: float = 1.0

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        return self.left + self.width * (value / self.x_end)

    def y(self, value: float) -> float:
        """Where a value lies from top to bottom."""
        return self.top + self.height * (1 - value / self.y_end)

    @property
    def bottom(self) -> float:
        """Where the x axis lies."""
        return self.top + self.height

    @property
    def right(self) -> float:
        """Where the area ends."""
        return self.left + self.width


def axes(
    frame: Frame,
    x_title: str,
    y_title: str,
    x_marks: Sequence[Mark],
    y_marks: Sequence[Mark],
) -> tuple[list[Shape], list[Label]]:
    """Return grid, axis and their texts."""
    shapes = [Shape("line", (frame.left, frame.y(at), frame.right, frame.y(at)), "grid") for at, _ in y_marks]
    shapes.append(Shape("line", (frame.left, frame.bottom, frame.right, frame.bottom), "axis"))
    labels = [Label(frame.x(at), frame.bottom + 17, text) for at, text in x_marks]
    labels += [Label(frame.left - 8, frame.y(at) + 4, text, "end") for at, text in y_marks]
    labels.append(Label(frame.left + frame.width / 2, frame.bottom + 37, x_title))
    # Above the axis, where it is read without turning one's head.
    labels.append(Label(0, frame.top - 16, y_title, "start"))
    return shapes, labels


#: Marks of an axis from 0 to 1.
UNIT = ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))


def steps(end: float) -> list[Mark]:
    """Return marks of an axis from 0 to ``end``, at round numbers, about four of them."""
    if end <= 0:
        return [(0.0, "0")]
    size = 1.0
    while size * 5 < end:
        size *= 10
    while size * 2 > end:
        size /= 10
    step = next(size * factor for factor in (1, 2, 5, 10, 20) if end / (size * factor) <= 5)
    count = int(end / step + 1e-9)
    return [(step * n, f"{step * n:,.6g}") for n in range(count + 1)]
