"""Making any text harmless inside Markdown and Mermaid, whatever it holds."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#|~!&$^:@/+=-]|(?<=\bwww)\.")
# At the beginning of a block, a number and one of these would begin a list.
_NUMBERED = re.compile(r"^(\d+)\.")
# Directional overrides can make text read as something it is not.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Return ``text`` on one line, without controls and directional marks."""
    plain = _BIDI.sub("", text)
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in plain).split())


def markdown(text: str) -> str:
    """Return ``text`` as Markdown that shows exactly it, on one line.

    Characters with a meaning become numeric entities, which neither start markup nor a link. Of an
    empty text an ellipsis is shown.
    """
    line = _NUMBERED.sub(r"\1&#46;", _SPECIAL.sub(lambda match: f"&#{ord(match.group())};", one_line(text)))
    return line or "…"


def mermaid(text: str, limit: int = 120) -> str:
    """Return ``text`` for a quoted Mermaid label: letters, digits and commas, and an entity for all else.

    Full stops and hyphens too, since some versions take a label for Markdown and draw no list. It is
    never empty, since no version draws an empty label.
    """
    line = one_line(text)
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return "".join(char if char.isalnum() or char in " ,…" else f"#{ord(char)};" for char in line) or "…"


def slug(text: str, limit: int = 48) -> str:
    """Return a short name for a folder: lower-case ASCII words joined by hyphens, never empty."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = ""
    for word in re.findall(r"[a-z0-9]+", folded):
        if len(name) + len(word) + 1 > limit:
            break
        name = f"{name}-{word}" if name else word[:limit]
    return name or "question"
