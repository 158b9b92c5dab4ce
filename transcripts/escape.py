"""Making any text harmless inside Markdown and Mermaid, whatever it holds."""

from __future__ import annotations

import re
import unicodedata

_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#|~!&$^:@/+-]|(?<=\bwww)\.|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
# Directional overrides can make text read as something it is not.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Return ``text`` on one line, without controls and directional marks."""
    plain = _BIDI.sub("", text)
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in plain).split())


def markdown(text: str) -> str:
    """Return ``text`` as Markdown that shows exactly it, on one line.

    Characters with a meaning become numeric entities, which neither start markup nor a link.
    """
    return _SPECIAL.sub(lambda match: f"&#{ord(match.group())};", one_line(text))


def mermaid(text: str, limit: int = 120) -> str:
    """Return ``text`` for a quoted Mermaid label; everything but plain characters becomes an entity."""
    line = one_line(text)
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return "".join(char if char.isalnum() or char in " .,-…" else f"#{ord(char)};" for char in line)


def slug(text: str, limit: int = 48) -> str:
    """Return a short name for a folder: lower-case ASCII words joined by hyphens, never empty."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = ""
    for word in re.findall(r"[a-z0-9]+", folded):
        if len(name) + len(word) + 1 > limit:
            break
        name = f"{name}-{word}" if name else word[:limit]
    return name or "question"
