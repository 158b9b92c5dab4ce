"""The spans of a sentence that can be the answer to what is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pinakes_ask.models.extractive.candidates import fits
from pinakes_ask.models.extractive.kinds import Kind
from pinakes_ask.models.extractive.reading import Sentence
from retrieval.text import find_amounts, find_dates, name_key
from scoring.extract.mentions import Mention

if TYPE_CHECKING:
    from pinakes_ask.models.extractive.asked import Asked

#: Nouns that a word of belonging ("Spanish") answers as well as the name of a land does.
_LANDS = frozenset({"country", "nation", "nationality", "citizenship", "land", "homeland"})
_UNIT = re.compile(r"\s?%|\s(?:percent|per cent)\b")
_MONEY = re.compile(r"(?:US|A|C)?[$£€¥]\s?$")
#: A time of the day.
CLOCK = re.compile(
    r"\b\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?|\s?h\b)|\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b\.?", re.I
)
_COUNTED = re.compile(r"\bhow many\b|\b(?:number|count|population) of\b", re.IGNORECASE)
_COMMA = re.compile(r",\s+")


@dataclass(frozen=True)
class Possible:
    """A span.

    ``form`` says how it was found: a plain ``name``, a ``joined`` pair ("X, Y"), a ``phrase``, or as what
    ``filled`` the question's gap.
    """

    mention: Mention
    form: str = "name"


def possible(asked: Asked, sentence: Sentence) -> list[Possible]:
    """Return the spans of ``sentence`` that can be of the asked kind."""
    if asked.kind is Kind.DATE:
        return _dates(asked, sentence)
    if asked.kind is Kind.NUMBER:
        return _numbers(asked, sentence)
    if asked.kind is Kind.YES_NO:
        return []
    if asks_for_land(asked):
        return [
            Possible(one)
            for one in sentence.mentions
            if sentence.labels.get(_key(one)) in (None, "NORP", "GPE", "LOC")
            and one.kind not in ("date", "number", "person")
        ]
    place = asked.kind is Kind.PLACE
    found = [
        Possible(one)
        for one in sentence.mentions
        if fits(one.text, asked.kind) and not (place and sentence.labels.get(_key(one)) == "NORP")
    ]
    found += _joined(sentence, found)
    if asked.kind is Kind.THING:
        found += _phrases(sentence)
    return found


def asks_for_land(asked: Asked) -> bool:
    """Return whether a land or nationality is asked for, which a word of belonging answers too."""
    return asked.noun in _LANDS


def _key(mention: Mention) -> str:
    return name_key(mention.text)


def _dates(asked: Asked, sentence: Sentence) -> list[Possible]:
    """The dates; where a year is asked for, the years in them, and the times of the day where a time is."""
    found = []
    if asked.noun == "time" or (asked.noun == "" and " time " in f" {asked.words} "):
        for match in CLOCK.finditer(sentence.text):
            found.append(Possible(Mention(match.group(), *match.span(), "date")))
    for date, start, end in find_dates(sentence.text):
        text = sentence.text[start:end]
        if asked.noun == "year" and date.month:
            year = f"{abs(date.year)}"
            at = text.rfind(year)
            if at >= 0:
                start, end = start + at, start + at + len(year)
        found.append(Possible(Mention(sentence.text[start:end], start, end, "date")))
    return found


def _numbers(asked: Asked, sentence: Sentence) -> list[Possible]:
    """The numbers that are no dates, with %, a currency, or their unit unless a count is asked."""
    found = []
    clocks = [match.span() for match in CLOCK.finditer(sentence.text)]
    for _, start, end in find_amounts(sentence.text):
        if any(first <= start < last for first, last in clocks):
            continue
        unit = _UNIT.match(sentence.text, end)
        money = _MONEY.search(sentence.text, 0, start)
        start, end = money.start() if money else start, unit.end() if unit else end
        if not (unit or money) and not _COUNTED.search(asked.question):
            end = _with_unit(sentence, start, end)
        found.append(Possible(Mention(sentence.text[start:end], start, end, "number")))
    return found


def _with_unit(sentence: Sentence, start: int, end: int) -> int:
    """The end of the noun that a number counts, where it stands right behind it: "nine weeks"."""
    for token in sentence.doc or ():
        if token.idx >= start and token.idx < end and token.head.pos_ == "NOUN" and token.head.i == token.i + 1:
            return int(token.head.idx + len(token.head))
    return end


def _joined(sentence: Sentence, found: list[Possible]) -> list[Possible]:
    """Names with what stands behind their comma: "Dale, Ostra", "Ida Holm, Duchess of Dale"."""
    joined = []
    for left, right in pairwise(found):
        if _COMMA.fullmatch(sentence.text, left.mention.end, right.mention.start):
            start, end = left.mention.start, right.mention.end
            joined.append(Possible(Mention(sentence.text[start:end], start, end, left.mention.kind), "joined"))
    return joined


def _phrases(sentence: Sentence) -> list[Possible]:
    """Noun phrases that are no name."""
    names = {(one.start, one.end) for one in sentence.mentions}
    return [Possible(one, "phrase") for one in sentence.phrases if (one.start, one.end) not in names]
