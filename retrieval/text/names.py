"""Names in text, found by their form alone: no model, any language that capitalises names."""

from __future__ import annotations

from dataclasses import dataclass

import regex as re

from retrieval.text.dates import parse_date
from retrieval.text.words import STOPWORDS

_INITIAL = r"(?:(?:Dr|Mr|Mrs|Ms|St|Jr|Sr|Prof|Rev|Mt|Ft|\p{Lu})\.)+"
_CAPITAL = r"[\p{Lu}\p{Lt}][\w\u2019'&.-]*\w|[\p{Lu}\p{Lt}]"
_LINK = (
    "of|the|de|la|le|du|des|da|di|del|della|von|van|der|den|und|y|e|et|al|el|bin|ibn|zu"
    "|for|in|on|to|and|an|a|at|with"
)
_NAME = re.compile(
    rf"(?:{_INITIAL}|{_CAPITAL}|\d+(?=\s+\p{{Lu}}))"
    rf"(?:(?:\s+|-)(?:(?:{_LINK})\s+){{0,2}}(?:{_INITIAL}|{_CAPITAL}|\d+(?:st|nd|rd|th)?(?!\w)))*"
)
_QUOTED = re.compile('["\u201c\u00ab]\\s?([^"\u201c\u201d\u00ab\u00bb\\n]{2,80}?)\\s?["\u201d\u00bb]')
_JOINT = re.compile(r"\s+(?:and|or|y|e|et|und|in|on|to|for|at|with)\s+")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n]|[.!?][\"\u201d)])\s*\Z")
_POSSESSIVE = re.compile("['\u2019]s$")


@dataclass(frozen=True)
class Mention:
    """A name where it stands: ``text == source[start:end]``."""

    text: str
    start: int
    end: int


def find_names(text: str) -> list[Mention]:
    """Return the names in ``text`` in order: runs of capitalised words, and quoted titles.

    A capitalised word that only begins a sentence and is a function word ("The", "When") is no
    name; one that begins a longer name is cut off it. Names joined by "and" or a preposition are
    told apart. Single letters, bare numbers and dates are no names. Scripts without capitals yield
    only their quoted titles.
    """
    found: list[Mention] = []
    for quoted in _QUOTED.finditer(text):
        if any(char.isupper() or char.isdigit() for char in quoted.group(1)):
            found.append(Mention(quoted.group(1), quoted.start(1), quoted.end(1)))
    for match in _NAME.finditer(text):
        if not any(q.start < match.end() and match.start() < q.end for q in found):
            found.extend(_parts(text, match.start(), match.end()))
    return sorted(found, key=lambda mention: mention.start)


def _parts(text: str, start: int, end: int) -> list[Mention]:
    """Split a capitalised run at its conjunctions and prepositions, and trim each part."""
    mentions: list[Mention] = []
    position = start
    for joint in [*_JOINT.finditer(text, start, end), None]:
        stop = joint.start() if joint else end
        mention = _trim(text, position, stop)
        if mention:
            mentions.append(mention)
        position = joint.end() if joint else end
    return mentions


def _trim(text: str, start: int, end: int) -> Mention | None:
    piece = text[start:end]
    possessive = _POSSESSIVE.search(piece)
    if possessive:
        piece = piece[: possessive.start()]
    while True:
        first, _, rest = piece.partition(" ")
        # Inside a sentence a capital says that the word belongs to the name ("She Wants Me"). "The" stays
        # in front of a name anywhere: whether it belongs is for the identity of names to say.
        opens = not rest or (first.lower() != "the" and _SENTENCE_START.search(text, 0, start))
        if first.lower() in STOPWORDS and opens:
            if not rest:
                return None
            start += len(first) + 1
            stripped = rest.lstrip()
            start += len(rest) - len(stripped)
            piece = stripped
        else:
            break
    if sum(map(str.isalpha, piece)) < 2 or parse_date(piece) is not None:
        return None
    return Mention(piece, start, start + len(piece))
