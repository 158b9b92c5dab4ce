"""Parsing one sentence so that its names do not break the parse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoring.extract.mentions import Known
from scoring.extract.parentheses import blank

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_QUOTED = re.compile('["\u201c\u00ab]\\s?([^"\u201c\u201d\u00ab\u00bb]{2,80}?)\\s?["\u201d\u00bb]')


def parse(parser: Language, text: str, known: Known) -> Doc:
    """Return the parse of ``text``, with the same character offsets; :func:`masked` says how names fare."""
    return parser(masked(text, known))


def masked(text: str, known: Known) -> str:
    """Return ``text`` as it is parsed, of the same length.

    Known names and quoted titles of several words are parsed as one made-up name of the same length,
    since a title can look like a clause of its own ("When the Stars Go Blue is a song"). Brackets
    are blanked: they break the parse of what surrounds them, and what they hold is read by patterns.
    """
    plain = text
    spans = [(one.start, one.end) for one in known.find(plain)]
    spans += [match.span(1) for match in _QUOTED.finditer(plain)]
    for start, end in spans:
        if " " in plain[start:end].strip():
            plain = plain[:start] + _made_up(end - start) + plain[end:]
    return blank(plain)


def _made_up(length: int) -> str:
    return ("Wellington" + "ington" * length)[: length - 2] + "on"
