"""Breaking a label into lines of a drawing, by an estimate of how wide its characters are.

An SVG does not wrap text, and nothing here knows the reader's font; the estimate is on the wide side.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_NARROW = frozenset("iljtfrI.,:;'’‘|!()[]{}/\\-· ")
_BROAD = frozenset("mwMW@%&—…")


def width(text: str, size: float) -> float:
    """Return about how many units ``text`` takes when set in ``size``."""
    return sum(map(_share, text)) * size


def wrap(text: str, limit: float, size: float, most: int) -> tuple[str, ...]:
    """Return ``text`` as at most ``most`` lines, each at most ``limit`` units wide; what is cut ends in ``…``."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width(joined, size) <= limit:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, limit, size)
        lines += full
        if len(lines) > most:
            break
    if line:
        lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], _shortened(lines[most - 1], limit, size)]
    return tuple(lines)


def _pieces(word: str, limit: float, size: float) -> list[str]:
    """A word that is wider than a line, cut where it has to be."""
    pieces = [""]
    for char in word:
        if pieces[-1] and width(pieces[-1] + char, size) > limit:
            pieces.append("")
        pieces[-1] += char
    return pieces


def _shortened(line: str, limit: float, size: float) -> str:
    while line and width(line + "…", size) > limit:
        line = line[:-1]
    return line.rstrip() + "…"


@cache
def _share(char: str) -> float:
    """The width of a character as a share of the font size."""
    if char.isascii():
        if char in _NARROW:
            return 0.34
        if char in _BROAD:
            return 0.9
        return 0.68 if char.isupper() else 0.57
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    return 0.9 if char in _BROAD else 0.62
