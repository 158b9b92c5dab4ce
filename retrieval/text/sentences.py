"""Sentence boundaries, with exact character offsets."""

from __future__ import annotations

import re

import sentencex

_BULLETS = "\u2022\u2023\u2043\u2219\u25aa\u25ab\u25cf\u25cb\u25e6\u25a0\u25a1\u2756\u27a2\uf0b7"
_BLOCK = re.compile(
    rf"#{{1,6}} [^\n]*|[^\n](?:.*?)(?=\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>|#{_BULLETS}]|\d{{1,3}}[.)] ))|\Z)", re.DOTALL
)
_NUMBERING = r"\(?(?:\d{1,3}\.){0,4}\d{1,3}[.)]|(?:\d{1,3}\.){1,4}\d{1,3}|\(?[a-zA-Z]\)"
# What begins an item of a list or a numbered heading; it is part of the first sentence there.
_MARKER = re.compile(rf"[ \t]*(?:[-*+{_BULLETS}]|{_NUMBERING})[ \t]+(?=\S)")
# A boundary after one of these is an abbreviation's full stop, not a sentence's.
_OPEN_END = re.compile(r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|St|Prof|Rev|Gen|Col|Capt|Lt|No|vs|ca?|b|d|fl)\.\s*$")


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return ``(start, end)`` of every sentence of ``text``, in order, without outer white space.

    ``language`` is an ISO 639 code: where a full stop ends a sentence depends on it ("am 3. Mai").

    Blank lines, list items, headings and table rows end a sentence too. Spans never overlap, and
    together they cover every character that is no white space.
    """
    spans: list[tuple[int, int]] = []
    for block in _BLOCK.finditer(text):
        spans.extend(_in_block(text, block.start(), block.end(), language))
    return spans


def _in_block(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    marker = _MARKER.match(text, start, end)
    if marker is None:
        return _in_prose(text, start, end, language)
    # The segmenter takes a marker for a sentence, or an item of a list for one sentence however long it is.
    first, *others = _in_prose(text, marker.end(), end, language)
    return [(start + len(marker.group()) - len(marker.group().lstrip()), first[1]), *others]


def _in_prose(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for boundary in sentencex.get_sentence_boundaries(language, text[start:end]):
        first, last = start + boundary["start_index"], start + boundary["end_index"]
        if spans and _OPEN_END.search(text[spans[-1][0] : spans[-1][1]]):
            first = spans.pop()[0]
        piece = text[first:last]
        stripped = piece.strip()
        if stripped:
            first += len(piece) - len(piece.lstrip())
            spans.append((first, first + len(stripped)))
    return spans
