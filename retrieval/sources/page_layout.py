"""From the lines of printed pages to running text: what is set on every page goes, paragraphs come apart.

A page tells only where its lines end. A line that is much shorter than the page is wide ends a paragraph or is a
heading, unless the next one goes on in lower case.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

#: A line shorter than this share of the page's width ends its paragraph.
SHORT = 0.75
#: On so many pages the same first or last line is a running head.
REPEATED = 3
#: No line is short on a page that is narrower (characters): a table, a title page, a poem.
NARROWEST = 40

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:\d{1,4}|[ivxlc]{1,7})[-–—\s]*")
_SENTENCE_END = (".", "!", "?", ":", ";", "”", '"', ")")


def running_text(pages: Sequence[str]) -> str:
    """Return the text of ``pages``, paragraphs apart by blank lines.

    Lines stay as they are; page numbers and running heads are left out. A sentence that goes on on the
    next page is not cut there.
    """
    printed = _without_running_heads([[line.strip() for line in page.split("\n")] for page in pages])
    text = ""
    for lines in printed:
        page = _paragraphs([line for line in lines if line])
        if page:
            text += (_between(text, page) if text else "") + page
    return text


def _without_running_heads(pages: list[list[str]]) -> list[list[str]]:
    for place in (0, -1):
        pages = [_trimmed(lines) for lines in pages]
        seen = Counter(_DIGITS.sub("#", lines[place]) for lines in pages if lines)
        for lines in pages:
            if not lines:
                continue
            repeated = seen[_DIGITS.sub("#", lines[place])] >= REPEATED
            if len(lines) > 1 and (repeated or (len(pages) > 1 and _PAGE_NUMBER.fullmatch(lines[place]))):
                del lines[place]
    return pages


def _trimmed(lines: list[str]) -> list[str]:
    """The lines without empty ones at either end."""
    held = [index for index, line in enumerate(lines) if line]
    return lines[held[0] : held[-1] + 1] if held else []


def _paragraphs(lines: list[str]) -> str:
    if not lines:
        return ""
    width = sorted(map(len, lines))[int(0.9 * (len(lines) - 1))]
    text = lines[0]
    for line, following in pairwise(lines):
        ends = width >= NARROWEST and len(line) < SHORT * width and not following[0].islower()
        text += ("\n\n" if ends else "\n") + following
    return text


def _between(before: str, after: str) -> str:
    """What joins two pages: one line break where a sentence goes on."""
    return "\n" if after[0].islower() and not before.endswith(_SENTENCE_END) else "\n\n"
