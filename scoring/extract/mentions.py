"""The names, dates and values that a sentence mentions: what its facts can be about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.text import find_dates, find_names, find_numbers, name_key
from scoring.identity import is_reference

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: Kinds of a mention; ``name`` where nothing more is known.
DATE, NUMBER, PERSON, PLACE, NAME = "date", "number", "person", "place", "name"
_LABELS = {"PERSON": PERSON, "GPE": PLACE, "NORP": PLACE, "LOC": PLACE, "FAC": PLACE}
_TITLES = set(
    "emperor empress king queen prince princess president pope saint st sir lord lady duke count earl general "
    "captain dr mr mrs ms the film song album river lake mount".split()
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention where it stands: ``text == source[start:end]``."""

    text: str
    start: int
    end: int
    kind: str = NAME


class Known:
    """Names to look for as they are: titles, the question's entities, answers, aliases."""

    def __init__(self, names: Iterable[str]) -> None:
        patterns = {pattern for name in names if (pattern := _pattern(name))}
        longest_first = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
        self._found = re.compile("|".join(longest_first), re.IGNORECASE) if longest_first else None

    def find(self, text: str) -> list[Mention]:
        """Return where any of the names stands in ``text`` as whole words, the longest at each place."""
        if self._found is None:
            return []
        return [Mention(match.group(), match.start(), match.end()) for match in self._found.finditer(text)]


def _pattern(name: str) -> str | None:
    words = _WORD.findall(name)
    if not words or is_reference(name):
        return None
    return r"(?<!\w)" + r"[\W_]{1,3}".join(map(re.escape, words)) + r"(?!\w)"


def find_mentions(text: str, known: Known, doc: Doc | None = None) -> list[Mention]:
    """Return the mentions in ``text`` in order, without overlap.

    Known names win over dates, dates over other names, and longer names over shorter ones. With
    ``doc``, the parse of ``text``, the parser's entities are mentions too and lend their kinds.
    """
    dates = [Mention(text[start:end], start, end, DATE) for _, start, end in find_dates(text)]
    named = [Mention(one.text, one.start, one.end) for one in find_names(text)]
    kinds: dict[str, str] = {}
    if doc is not None:
        for entity in doc.ents:
            if entity.label_ in _LABELS:
                kinds[name_key(text[entity.start_char : entity.end_char])] = _LABELS[entity.label_]
        named = [one for one in named if not _only_begins(one, doc)] + _entities(text, doc)
    numbers = [
        Mention(text[start:end], start, end, NUMBER)
        for value, start, end in find_numbers(text)
        if abs(value) >= 100
    ]
    taken: list[Mention] = []
    # A known name inside a date ("1946" in "5 May 1946") would lose what the date says.
    sure = [one for one in known.find(text) if not any(_inside(one, date) for date in dates)]
    sure = [one for one in sure if not any(_is_surname(one, name) for name in named)]
    for group in (sure, dates, sorted(named, key=lambda one: (one.start - one.end, one.start)), numbers):
        for one in group:
            if not any(one.start < other.end and other.start < one.end for other in taken):
                taken.append(one)
    found = sorted(taken, key=lambda one: one.start)
    return [
        Mention(one.text, one.start, one.end, _kind(one, kinds)) for one in found if not is_reference(one.text)
    ]


def _only_begins(one: Mention, doc: Doc) -> bool:
    """Whether a capitalised word is one because it begins the sentence ("Born in Paris, ...")."""
    span = doc.char_span(one.start, one.end)
    return (
        span is not None
        and len(span) == 1
        and span.root.pos_ in {"VERB", "ADV", "ADP", "SCONJ", "CCONJ", "INTJ"}
        and (span.start == 0 or doc[span.start - 1].is_punct)
    )


def _entities(text: str, doc: Doc) -> list[Mention]:
    wanted = {"PERSON", "GPE", "NORP", "LOC", "FAC", "ORG", "WORK_OF_ART", "EVENT", "PRODUCT"}
    found = []
    for entity in doc.ents:
        span = entity[1:] if len(entity) > 1 and entity[0].lower_ in {"the", "a", "an"} else entity
        span = span[:-1] if len(span) > 1 and span[-1].lower_ in {"'s", "’s"} else span
        piece = text[span.start_char : span.end_char].rstrip()
        if (
            entity.label_ in wanted
            and any(char.isupper() for char in piece)
            and not any(char in '()"“”' for char in piece)
        ):
            found.append(Mention(piece, span.start_char, span.start_char + len(piece)))
    return found


def _is_surname(one: Mention, name: Mention) -> bool:
    """Whether a known single word is the last of somebody's longer name ("Mach" in "Ernst Mach")."""
    before = name.text[: one.start - name.start].split()
    return (
        " " not in one.text
        and one.end == name.end
        and bool(before)
        and before[-1][0].isupper()
        and before[-1].casefold() not in _TITLES
    )


def _inside(one: Mention, other: Mention) -> bool:
    return other.start <= one.start and one.end <= other.end and one.end - one.start < other.end - other.start


def _kind(one: Mention, kinds: dict[str, str]) -> str:
    if one.kind != NAME:
        return one.kind
    key = name_key(one.text)
    if find_dates(one.text) and find_dates(one.text)[0][1:] == (0, len(one.text)):
        return DATE
    return kinds.get(key, NAME)
