"""What a defining sentence says by its adjectives: "X is a 1929 British film" dates and places X."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.candidates import Candidate, same_thing
from pinakes_ask.models.extractive.kinds import Kind, noun_kind
from pinakes_ask.models.extractive.reading import Fact
from pinakes_ask.models.extractive.relations import meanings
from retrieval.text import name_key, parse_date, words

#: Below a fact that says "released in" or "citizen of" outright.
_STRENGTH = 0.8
_APPEARING = {"release", "publish", "date"}
_BELONGING = {"nationality", "countri", "located", "locate", "nation", "from"}


def from_definitions(asked: str, names: Sequence[str], kind: Kind, facts: Sequence[Fact]) -> list[Candidate]:
    """Return the year or nationality that the noun phrase "be NOUN" gives to a thing with one of ``names``."""
    wanted = meanings(asked) | ({"from"} & set(words(asked)))
    found: list[Candidate] = []
    for fact in facts:
        relation = fact.relation.split()
        if len(relation) != 2 or relation[0] != "be" or not any(same_thing(fact.subject, name) for name in names):
            continue
        dated = parse_date(fact.object) is not None
        if (dated and kind is Kind.DATE and wanted & _APPEARING) or (
            not dated
            and kind in (Kind.PLACE, Kind.THING)
            and wanted & _BELONGING
            and len(fact.object.split()) <= 2
            and noun_kind(name_key(fact.object).rpartition(" ")[2]) is None
        ):
            found.append(Candidate(fact.object, (fact.cite,), _STRENGTH))
    return found
