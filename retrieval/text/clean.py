"""Turning whatever a file holds into text that every later step can rely on."""

from __future__ import annotations

import re
import unicodedata

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|\u2028|\u2029|\x0b|\x0c|\x85")
# Control characters other than tab and newline carry nothing for a reader, and some terminals obey them.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")


def clean(raw: str) -> str:
    """Return ``raw`` in NFC, with ``\\n`` line ends, and without marks and controls.

    Lone surrogates, which no encoder accepts, become U+FFFD. Character offsets anywhere in the
    program are offsets into a cleaned text. Cleaning twice changes nothing.
    """
    text = _LONE_SURROGATES.sub("\ufffd", raw)
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    return unicodedata.normalize("NFC", text)
