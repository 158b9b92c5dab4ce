"""A drawing of boxes with text, ready for the template that writes it as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transcripts.site.layout import Box, Join, draw
from transcripts.site.wrapping import width, wrap

_SIZE = 13.0
_SMALL = 11.5
_LEADING = 17.0
_PADDING = 13.0


@dataclass(frozen=True)
class Text:
    """One line of text: where its middle or its start lies, its words, and how it is set."""

    x: float
    y: float
    words: str
    style: str = ""


@dataclass(frozen=True)
class Shape:
    """A box of the drawing. ``full`` is all that it stands for, uncut; ``href`` leads to its sentence."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    full: str
    texts: tuple[Text, ...]
    href: str = ""


@dataclass(frozen=True)
class Diagram:
    """A whole drawing, with its lines below its shapes."""

    label: str
    width: float
    height: float
    lines: tuple[str, ...]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Part:
    """A box before it is placed.

    :param kind: how it looks, e.g. ``supported`` or ``entity``.
    :param head: its main text, at most ``most`` lines of it.
    :param foot: a second text below it, one or two lines.
    :param tag: a short mark in its first line, such as the number of a sub-question.
    """

    key: str
    rank: int
    kind: str
    head: str
    foot: str = ""
    tag: str = ""
    href: str = ""
    wide: float = 250.0
    most: int = 3

    @property
    def full(self) -> str:
        """Everything it says, uncut."""
        return " — ".join(filter(None, (f"{self.tag} {self.head}".strip(), self.foot)))


def diagram(label: str, parts: Sequence[Part], joins: Sequence[Join]) -> Diagram:
    """Place ``parts`` by rank and return the drawing of them."""
    set_texts = {part.key: _set(part) for part in parts}
    boxes = [Box(part.key, part.rank, *_extent(part, set_texts[part.key])) for part in parts]
    drawing = draw(boxes, joins)
    shapes = []
    for part, box in zip(parts, boxes, strict=True):
        x, y = drawing.corners[part.key]
        shapes.append(
            Shape(
                x=round(x, 1),
                y=round(y, 1),
                width=box.width,
                height=box.height,
                kind=part.kind,
                full=part.full,
                texts=_placed(part, set_texts[part.key], x, y, box),
                href=part.href,
            )
        )
    return Diagram(label, round(drawing.width, 1), round(drawing.height, 1), drawing.lines, tuple(shapes))


def _set(part: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of the main text and of the second one."""
    room = part.wide - 2 * _PADDING
    head = f"{part.tag} {part.head}" if part.tag else part.head
    return wrap(head, room, _SIZE, part.most), wrap(part.foot, room, _SMALL, 2)


def _extent(part: Part, lines: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[float, float]:
    head, foot = lines
    count = len(head) + len(foot)
    wide = part.wide
    if part.kind in _PILLS:
        wide = min(max((width(line, _SIZE) for line in head), default=0.0) + 2 * _PADDING + 8, part.wide)
    return round(wide, 1), round(count * _LEADING + 2 * (_PADDING - 3) + (3 if foot else 0), 1)


_PILLS = frozenset({"entity", "question", "answer", "lost"})


def _placed(
    part: Part, lines: tuple[tuple[str, ...], tuple[str, ...]], x: float, y: float, box: Box
) -> tuple[Text, ...]:
    head, foot = lines
    pill = part.kind in _PILLS
    left = x + box.width / 2 if pill else x + _PADDING
    base = y + _PADDING + 10
    texts = [
        Text(round(left, 1), round(base + index * _LEADING, 1), line, "middle" if pill else "")
        for index, line in enumerate(head)
    ]
    base += len(head) * _LEADING + 3
    texts += [
        Text(round(left, 1), round(base + index * _LEADING, 1), line, "middle foot" if pill else "foot")
        for index, line in enumerate(foot)
    ]
    return tuple(texts)
