"""When the answer must be of a named sort: "on which *island*" is not answered by a village.

A place of another sort answers by the place of the asked sort that it lies in, where the evidence
says so. Where nothing says what sort a candidate is, it keeps most of its strength.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pinakes_ask.models.extractive.candidates import Candidate, fits, same_thing
from pinakes_ask.models.extractive.facts import FactReader
from pinakes_ask.models.extractive.kinds import Kind, asked_noun
from pinakes_ask.models.extractive.relations import meanings, stem
from pinakes_ask.tasks import OfferedPassage
from retrieval.text import bare_title, name_key, words

# "X is a fishing village on the island of Y": what it is stands before the first preposition.
_DEFINED = re.compile(
    r"\b(?:is|was|are|were)\s+(?P<sort>.*?)(?=\s+(?:on|in|of|at|near|off|for|by|from|with|between|that|which|who)\b|[,.;(])"
)
_LIES_IN = re.compile(r"\b(?:in|on|of|at|near)\b")
_OTHER_SORT = 0.5
_UNKNOWN_SORT = 0.9
#: Sorts that a person uses one for another: a capital is a town, a port may be a village.
_SETTLEMENTS = frozenset(
    {"town", "city", "village", "capital", "port", "settlement", "hamlet", "municipality", "seat"}
)
#: Sorts of wide places. Texts mostly name the settlement, so a place of unknown sort hardly is one.
WIDE = frozenset(
    {"island", "isle", "country", "nation", "state", "county", "province", "continent", "region", "district"}
)
_UNKNOWN_FOR_WIDE = 0.55
#: Nouns that say no sort: every place is a place.
_ANY_SORT = frozenset({"place", "location", "birthplace", "person", "man", "woman", "name"})


def as_asked(
    question: str, kind: Kind, candidate: Candidate, reader: FactReader, passages: Sequence[OfferedPassage]
) -> list[Candidate]:
    """Return the candidate, weakened where it is of another sort than asked, and the places it lies in."""
    noun = asked_noun(question)
    if kind is not Kind.PLACE or not noun or noun in _ANY_SORT:
        return [candidate]
    texts = texts_by_title(passages)
    fit = _sort_fit(candidate.answer, noun, texts)
    found = [Candidate(candidate.answer, candidate.cites, candidate.strength * fit)]
    if fit < 1.0:
        for fact in reader.about([candidate.answer], passages):
            if (
                same_thing(fact.subject, candidate.answer)
                and _LIES_IN.search(fact.relation)
                and fits(fact.object, kind)
                and _sort_fit(fact.object, noun, texts, fact.relation) == 1.0
            ):
                cites = tuple(dict.fromkeys((*candidate.cites, fact.cite)))
                found.append(Candidate(fact.object, cites, candidate.strength * 0.95))
    return found


def _sort_fit(name: str, noun: str, texts: Mapping[str, str], relation: str = "") -> float:
    """1 where the name, its document's opening or the relation says that it is of the sort."""
    if noun in (words(name)[:1] + words(name)[-1:]) or stem(noun) in {stem(word) for word in words(relation)}:
        return 1.0
    defined = _DEFINED.search(about(name, texts)[:400])
    if defined is None:
        return _UNKNOWN_FOR_WIDE if noun in WIDE else _UNKNOWN_SORT
    if meanings(noun) & meanings(defined.group("sort")):
        return 1.0
    return _OTHER_SORT if is_other_sort(noun, defined.group("sort")) else _UNKNOWN_SORT


def is_other_sort(noun: str, sort: str) -> bool:
    """Return whether ``sort``, the words of a definition, says that a thing is no ``noun``."""
    if not noun or not sort or noun in _ANY_SORT or meanings(noun) & meanings(sort):
        return False
    return not (noun in _SETTLEMENTS and set(words(sort)) & _SETTLEMENTS)


def texts_by_title(passages: Sequence[OfferedPassage]) -> dict[str, str]:
    """Return the text of each document at hand, by the normal form of its title."""
    texts: dict[str, str] = {}
    for passage in passages:
        key = name_key(bare_title(passage.title))
        texts[key] = f"{texts.get(key, '')} {' '.join(passage.sentences)}"
    return texts


def about(name: str, texts: Mapping[str, str]) -> str:
    """Return the text of the document about ``name``, empty where none is at hand."""
    return next((text for title, text in texts.items() if same_thing(title, name)), "")
