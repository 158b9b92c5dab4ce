"""What kind of thing a mention is, by the parser's label and by what its own document says it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pinakes_ask.models.extractive.kinds import Kind, noun_kind
from pinakes_ask.models.extractive.reading import Sentence
from pinakes_ask.models.extractive.relations import meanings
from retrieval.text import content_words, name_key
from scoring.extract.mentions import DATE, NUMBER, PERSON, Mention

_LABELS = {
    "PERSON": Kind.PERSON,
    "GPE": Kind.PLACE,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "ORG": Kind.ORGANISATION,
    "WORK_OF_ART": Kind.WORK,
    "DATE": Kind.DATE,
    "CARDINAL": Kind.NUMBER,
    "QUANTITY": Kind.NUMBER,
    "MONEY": Kind.NUMBER,
    "PERCENT": Kind.NUMBER,
}
#: "X is a fishing village on the island": what X is stands before the first preposition or clause.
_DEFINED = re.compile(
    r"\b(?:is|was|are|were)\s+(?:(?:an?|the|one\s+of\s+the)\s+)?(?P<sort>.*?)"
    r"(?=\s+(?:on|in|of|at|near|off|by|with|between|from|for|that|which|who|where|directed|written|released)\b|[,.;(]|$)"
)


def defined_as(sentences: Sequence[Sentence]) -> str:
    """Return the words by which a document's opening says what its subject is, or ""."""
    match = _DEFINED.search(sentences[0].text[:400]) if sentences else None
    return match.group("sort") if match else ""


def kind_of(mention: Mention, sentence: Sentence, sort: str) -> Kind | None:
    """Return the kind of ``mention``; ``sort`` is what its own document says it is, or "". None is unknown."""
    if mention.kind == DATE:
        return Kind.DATE
    if mention.kind == NUMBER:
        return Kind.NUMBER
    for noun in reversed(content_words(sort)):
        said = noun_kind(noun)
        if said is not None:
            return said
    said = noun_kind(name_key(mention.text).rpartition(" ")[2])
    if said is not None and said is not Kind.PERSON:
        return said
    if mention.kind == PERSON:
        return Kind.PERSON
    return _LABELS.get(sentence.labels.get(name_key(mention.text), ""))


def is_sort(noun: str, sort: str) -> bool:
    """Return whether ``sort``, a few words of a definition, says what ``noun`` asks for."""
    return bool(noun) and bool(meanings(noun) & meanings(sort))
