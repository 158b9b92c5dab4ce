"""Reading past markup: what a line of Markdown says to a person."""

from __future__ import annotations

import re

_WIKI = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*_])")
_HEADING = re.compile(r"^#{1,6}\s+")
_BULLET = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s+(?=\S)")


def without_markup(text: str) -> str:
    """Return ``text`` with links as their shown text, and without emphasis, heading and list marks.

    White space is folded. Text without markup is returned as it is, but for white space.
    """
    plain = _LINK.sub(r"\1", _WIKI.sub(r"\1", text))
    plain = _EMPHASIS.sub(r"\2", plain)
    return " ".join(_BULLET.sub("", _HEADING.sub("", plain.strip())).split())
