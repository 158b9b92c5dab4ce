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
_COMMA = re.compile(r",\s+")


@dataclass(frozen=True)
class Possible:
    """A span. ``form`` says how it was found: a plain ``name``, a ``joined`` pair ("X, Y"), or a ``phrase``."""

    mention: Mention
    form: str = "name"


def possible(asked: Asked, sentence: Sentence) -> list[Possible]:
    """Return the spans of ``sentence`` that can be of the asked kind."""
    if asked.kind is Kind.DATE:
        return _dates(asked, sentence)
    if asked.kind is Kind.NUMBER:
        return _numbers(sentence)
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
    """The dates; where a year is asked for, the years in them."""
    found = []
    for date, start, end in find_dates(sentence.text):
        text = sentence.text[start:end]
        if asked.noun == "year" and date.month:
            year = f"{abs(date.year)}"
            at = text.rfind(year)
            if at >= 0:
                start, end = start + at, start + at + len(year)
        found.append(Possible(Mention(sentence.text[start:end], start, end, "date")))
    return found


def _numbers(sentence: Sentence) -> list[Possible]:
    """The numbers that are no dates, with their sign of money or percent."""
    found = []
    for _, start, end in find_amounts(sentence.text):
        unit = _UNIT.match(sentence.text, end)
        money = _MONEY.search(sentence.text, 0, start)
        start, end = money.start() if money else start, unit.end() if unit else end
        found.append(Possible(Mention(sentence.text[start:end], start, end, "number")))
    return found


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
