"""Possible answers, and whether a mention can be the kind of thing that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pinakes_ask.gate import stands_in
from pinakes_ask.models.extractive.kinds import CALENDAR, Kind, noun_kind
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import find_dates, find_names, find_numbers, name_key, parse_date, parse_number

# Adjectives of belonging ("Spanish", "American"), which name no place; one word only.
_DEMONYM = re.compile(r"^[A-Z][a-z]+(?:ish|ese|ian|ican|ench|utch|wiss|eek)$")
_FEMALE = re.compile(r"\b(?:she|her|hers|herself|daughter|wife|queen|mother|sister|actress|née)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:he|his|him|himself|son|husband|king|father|brother|actor)\b", re.IGNORECASE)
_ASKS_FEMALE = re.compile(r"\b(?:mother|wife|sister|daughter|aunt|niece|grandmother|actress|queen|widow)\b")
_ASKS_MALE = re.compile(r"\b(?:father|husband|brother|son|uncle|nephew|grandfather|king|widower)\b")


#: Words that stand in an answer's place and name none.
_NOTHING = frozenset({"nobody", "none", "nothing", "no one", "somebody", "someone", "something", "everybody"})
#: Least strength at which a candidate counts as stated by the evidence.
STATED = 0.6


@dataclass(frozen=True)
class Candidate:
    """A possible answer. ``strength`` in [0, 1]; from :data:`STATED` on a fact states the relation.

    ``cites`` is empty where the answer follows from other steps instead of a sentence. ``told`` says that a
    sentence tells it in the question's own words.
    """

    answer: str
    cites: tuple[Cite, ...]
    strength: float
    told: bool = False


@lru_cache(maxsize=65536)
def fits(mention: str, kind: Kind) -> bool:
    """Return whether ``mention`` can be of ``kind``. A name fits unless its last word says otherwise."""
    if kind is Kind.DATE:
        return bool(find_dates(mention))
    is_date = parse_date(mention) is not None or CALENDAR.fullmatch(mention) is not None
    if kind is Kind.NUMBER:
        return not is_date and bool(find_numbers(mention))
    if kind is Kind.YES_NO or is_date or parse_number(mention) is not None or name_key(mention) in _NOTHING:
        return False
    if kind is Kind.THING:
        return True
    if kind is Kind.PLACE and _DEMONYM.search(mention):
        return False
    said = noun_kind(name_key(mention).rpartition(" ")[2])
    compatible = said in (None, kind) or (kind is Kind.PLACE and said is Kind.ORGANISATION)
    return bool(find_names(mention)) and (compatible or said is Kind.PERSON)


@lru_cache(maxsize=4096)
def gender_fits(question: str, about: str) -> bool:
    """Return False where the question asks for a woman and the text about the candidate says "he", or so."""
    lowered = question.lower()
    female, male = len(_FEMALE.findall(about)), len(_MALE.findall(about))
    if _ASKS_FEMALE.search(lowered) and not _ASKS_MALE.search(lowered):
        return female >= male
    if _ASKS_MALE.search(lowered) and not _ASKS_FEMALE.search(lowered):
        return male >= female
    return True


def shown_by_its_sentences(candidate: Candidate, passages: Sequence[OfferedPassage]) -> Candidate | None:
    """Return the candidate with a sentence that names it, or None where its passage never does.

    A fact may speak of its subject as "she"; the reader then needs the sentence that says who she is.
    """
    if not candidate.cites:
        return candidate
    by_number = {passage.number: passage for passage in passages}
    quotes = [by_number[cite.passage].sentences[cite.sentence - 1] for cite in candidate.cites]
    if any(stands_in(candidate.answer, quote) for quote in quotes):
        return candidate
    passage = by_number[candidate.cites[-1].passage]
    for number, sentence in enumerate(passage.sentences, start=1):
        if stands_in(candidate.answer, sentence) and not sentence.startswith("#"):
            naming = Cite(passage=passage.number, sentence=number)
            return replace(candidate, cites=(naming, *candidate.cites))
    return None


def tied_to_the_question(
    candidate: Candidate, asked: Sequence[str], names: Sequence[str], passages: Sequence[OfferedPassage]
) -> Candidate:
    """Return the candidate with the sentence that equates a name of the question with the one it cites.

    Where the question says "WHO" and the cited sentence "World Health Organization", a reader needs
    "World Health Organization (WHO)" before it. Where no sentence says so, nothing is added.

    :param names: the names of the question, and their aliases.
    """
    by_number = {passage.number: passage for passage in passages}
    quotes = " ".join(by_number[cite.passage].sentences[cite.sentence - 1] for cite in candidate.cites)
    aliases = [name for name in names if name not in asked and stands_in(name, quotes)]
    if not aliases or any(stands_in(name, quotes) for name in asked):
        return candidate
    for passage in passages:
        for number, sentence in enumerate(passage.sentences, start=1):
            if any(stands_in(name, sentence) for name in asked) and any(
                stands_in(name, sentence) for name in aliases
            ):
                equating = Cite(passage=passage.number, sentence=number)
                return replace(candidate, cites=tuple(dict.fromkeys((equating, *candidate.cites))))
    return candidate


@lru_cache(maxsize=65536)
def same_thing(left: str, right: str) -> bool:
    """Return whether two mentions are one name: equal keys, or the longer only adds a title before it."""
    a, b = name_key(left), name_key(right)
    if a == b:
        return True
    shorter, longer = sorted((a, b), key=len)
    return len(shorter.split()) > 1 and longer.endswith(f" {shorter}")
