"""Placing boxes in rows, one row a rank, and drawing what joins them. The same input, the same drawing.

Ranks run from top to bottom, so that a chain stays readable on a narrow screen. Within a row a box
stands below the middle of those it follows from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_GAP_ACROSS = 20.0
_GAP_DOWN = 30.0
_MARGIN = 8.0
#: How far a line that passes over a rank swings out beside the boxes.
_LANE = 26.0


@dataclass(frozen=True)
class Box:
    """Something to place: its row (``rank``, from 0), its size, and what it is called in ``Join``."""

    key: str
    rank: int
    width: float
    height: float


@dataclass(frozen=True)
class Join:
    """A line from the box ``source`` to the box ``target``, which lies in a later row."""

    source: str
    target: str


@dataclass(frozen=True)
class Drawing:
    """The size of the whole, the upper left corner of each box, and the lines as SVG path data."""

    width: float
    height: float
    corners: Mapping[str, tuple[float, float]]
    lines: tuple[str, ...]


def draw(boxes: Sequence[Box], joins: Sequence[Join]) -> Drawing:
    """Place ``boxes`` by rank and join them. Joins of unknown boxes, or upwards, are left out."""
    by_key = {box.key: box for box in boxes}
    known = [
        join
        for join in joins
        if join.source in by_key and join.target in by_key and by_key[join.source].rank < by_key[join.target].rank
    ]
    rows = _rows(boxes, known)
    across = max((_breadth(row) for row in rows), default=0.0)
    corners: dict[str, tuple[float, float]] = {}
    top = _MARGIN
    for row in rows:
        tallest = max(box.height for box in row)
        left = _MARGIN + (across - _breadth(row)) / 2
        for box in row:
            corners[box.key] = (left, top + (tallest - box.height) / 2)
            left += box.width + _GAP_ACROSS
        top += tallest + _GAP_DOWN
    steps = {rank: index for index, rank in enumerate(sorted({box.rank for box in boxes}))}
    right = across + 2 * _MARGIN
    swings = any(steps[by_key[join.target].rank] - steps[by_key[join.source].rank] > 1 for join in known)
    lines = []
    for join in known:
        source, target = by_key[join.source], by_key[join.target]
        over = steps[target.rank] - steps[source.rank] > 1
        lines.append(_line(source, target, corners, right + _LANE - 10 if over else None))
    return Drawing(right + (_LANE if swings else 0), max(top - _GAP_DOWN, 0) + _MARGIN, corners, tuple(lines))


def _rows(boxes: Sequence[Box], joins: Sequence[Join]) -> list[list[Box]]:
    """The boxes of each rank from left to right, each below the middle of what leads to it."""
    place: dict[str, float] = {}
    rows = []
    for rank in sorted({box.rank for box in boxes}):
        row = [box for box in boxes if box.rank == rank]
        above = {
            box.key: [place[join.source] for join in joins if join.target == box.key and join.source in place]
            for box in row
        }
        # The sort is stable: boxes with nothing above keep the order in which they were given.
        middle = {
            box.key: sum(above[box.key]) / len(above[box.key]) if above[box.key] else index / max(len(row) - 1, 1)
            for index, box in enumerate(row)
        }
        row.sort(key=lambda box: middle[box.key])
        place |= {box.key: (index + 0.5) / len(row) for index, box in enumerate(row)}
        rows.append(row)
    return rows


def _breadth(row: Sequence[Box]) -> float:
    return sum(box.width for box in row) + _GAP_ACROSS * (len(row) - 1)


def _line(source: Box, target: Box, corners: Mapping[str, tuple[float, float]], lane: float | None) -> str:
    """A curve from below ``source`` to above ``target``, or along ``lane`` from side to side."""
    left, top = corners[source.key]
    to_left, to_top = corners[target.key]
    if lane is not None:
        x, y = left + source.width, top + source.height / 2
        to_x, to_y = to_left + target.width, to_top + target.height / 2
        return f"M{x:.1f} {y:.1f}C{lane:.1f} {y:.1f} {lane:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
    x, y = left + source.width / 2, top + source.height
    to_x, to_y = to_left + target.width / 2, to_top
    half = (y + to_y) / 2
    return f"M{x:.1f} {y:.1f}C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"
