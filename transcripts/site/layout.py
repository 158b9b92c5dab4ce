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
#: The room beside the boxes for each line that passes over a rank, and how round its corners are.
_LANE = 12.0
_ROUND = 8.0


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
    edges: dict[int, tuple[float, float]] = {}
    top = _MARGIN
    for row in rows:
        tallest = max(box.height for box in row)
        left = _MARGIN + (across - _breadth(row)) / 2
        for box in row:
            corners[box.key] = (left, top + (tallest - box.height) / 2)
            left += box.width + _GAP_ACROSS
        edges[row[0].rank] = (top, top + tallest)
        top += tallest + _GAP_DOWN
    steps = {rank: index for index, rank in enumerate(sorted(edges))}
    right = across + 2 * _MARGIN
    lines = []
    lanes = 0
    for join in known:
        source, target = by_key[join.source], by_key[join.target]
        (x, y), (to_x, to_y) = corners[source.key], corners[target.key]
        start, end = (x + source.width / 2, y + source.height), (to_x + target.width / 2, to_y)
        if steps[target.rank] - steps[source.rank] == 1:
            lines.append(_curve(start, end))
            continue
        below, above = edges[source.rank][1] + _GAP_DOWN / 2, edges[target.rank][0] - _GAP_DOWN / 2
        lines.append(_detour(start, end, below, above, right + lanes * _LANE))
        lanes += 1
    width = right + (lanes * _LANE if lanes else 0)
    return Drawing(width, max(top - _GAP_DOWN, 0) + _MARGIN, corners, tuple(lines))


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


def _curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A curve from the box above to the one right below it."""
    (x, y), (to_x, to_y) = start, end
    half = (y + to_y) / 2
    return f"M{x:.1f} {y:.1f}C{x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}"


def _detour(start: tuple[float, float], end: tuple[float, float], below: float, above: float, lane: float) -> str:
    """A line that leaves its row, runs down beside all boxes, and comes in above the row of its target."""
    corners = [(start[0], below), (lane, below), (lane, above), (end[0], above)]
    path = f"M{start[0]:.1f} {start[1]:.1f}"
    here = start
    for corner, after in zip(corners, [*corners[1:], end], strict=True):
        (x, y), (u, v) = _towards(corner, here), _towards(corner, after)
        path += f"L{x:.1f} {y:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {u:.1f} {v:.1f}"
        here = corner
    return f"{path}L{end[0]:.1f} {end[1]:.1f}"


def _towards(corner: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The point where a rounded corner begins on the way to ``other``, at most half of it away."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    far = abs(dx) + abs(dy)  # one of them is 0
    share = min(_ROUND / far, 0.5) if far else 0.0
    return corner[0] + dx * share, corner[1] + dy * share
