"""Sentence boundaries, with exact character offsets."""

from __future__ import annotations

import re

import sentencex

_BLOCK = re.compile(
    r"#{1,6} [^\n]*|[^\n](?:.*?)(?=\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>|#]|\d{1,3}[.)] ))|\Z)", re.DOTALL
)
# A boundary after one of these is an abbreviation's full stop, not a sentence's.
_OPEN_END = re.compile(r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|St|Prof|Rev|Gen|Col|Capt|Lt|No|vs|ca?|b|d|fl)\.\s*$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return ``(start, end)`` of every sentence of ``text``, in order, without outer white space.

    Blank lines, list items, headings and table rows end a sentence too. Spans never overlap, and
    together they cover every character that is no white space.
    """
    spans: list[tuple[int, int]] = []
    for block in _BLOCK.finditer(text):
        spans.extend(_in_block(text, block.start(), block.end()))
    return spans


def _in_block(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for boundary in sentencex.get_sentence_boundaries("en", text[start:end]):
        first, last = start + boundary["start_index"], start + boundary["end_index"]
        if spans and _OPEN_END.search(text[spans[-1][0] : spans[-1][1]]):
            first = spans.pop()[0]
        piece = text[first:last]
        stripped = piece.strip()
        if stripped:
            first += len(piece) - len(piece.lstrip())
            spans.append((first, first + len(stripped)))
    return spans
