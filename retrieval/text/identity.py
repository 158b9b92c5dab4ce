"""When two mentions name the same thing: the normal form of a name."""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.text.dates import parse_date
from retrieval.text.numbers import parse_number
from retrieval.text.words import fold

_ARTICLES = frozenset({"a", "an", "the"})
_APOSTROPHE = re.compile("['\u2019\u2018\u02bc]s?\\b")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_NOT_WORD = re.compile(r"[^\w]+|_+")


@lru_cache(maxsize=65536)
def name_key(mention: str) -> str:
    """Return the normal form of a mention: equal keys mean the same name.

    A mention that is a date becomes its ISO form and one that is a number its canonical form.
    Anything else is folded (NFKC, case, accents), its possessive and punctuation removed, and its
    leading article dropped; initials written with dots and without space are one word ("U.S." is
    "us"). A name is never shortened: "Mexico" and "Mexico City" differ. A
    mention of punctuation only keeps its characters, so that no key is empty unless the mention is.
    """
    date = parse_date(mention)
    if date is not None:
        return date.iso
    number = parse_number(mention)
    if number is not None:
        return f"{number.normalize():f}"
    plain = _DOTTED.sub(lambda match: match.group().replace(".", ""), fold(mention))
    parts = _NOT_WORD.sub(" ", _APOSTROPHE.sub("", plain)).split()
    while len(parts) > 1 and parts[0] in _ARTICLES:
        parts = parts[1:]
    return " ".join(parts) or fold(mention).strip() or mention.strip()


def same_name(left: str, right: str) -> bool:
    """Return whether two mentions have the same normal form."""
    return name_key(left) == name_key(right)


def bare_title(title: str) -> str:
    """Return a title without its closing parenthesis, which tells namesakes apart and is no name."""
    return _PARENTHESIS.sub("", title).strip() or title
