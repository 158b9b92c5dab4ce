"""The facts that the evidence states, each with the sentence it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import name_key, without_markup
from scoring.extract import Statement, extract

_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True)
class Fact:
    """``subject relation object``, as one cited sentence states it; references are resolved."""

    subject: str
    relation: str
    object: str
    cite: Cite


def bare_title(title: str) -> str:
    """Return a title without its closing parenthesis, which tells namesakes apart and is no name."""
    return _PARENTHESIS.sub("", title) or title


@dataclass(frozen=True)
class Reading:
    """What passages say: their facts, and groups of names that they declare to be one thing's."""

    facts: tuple[Fact, ...]
    aliases: tuple[tuple[str, ...], ...]


class FactReader:
    """Reads passages, each of them once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, tuple[str, ...]], Reading] = {}

    def read(self, passages: Sequence[OfferedPassage]) -> Reading:
        """Return the facts of all passages, in their order."""
        readings = [self._passage(passage) for passage in passages]
        return Reading(
            tuple(fact for reading in readings for fact in reading.facts),
            tuple(dict.fromkeys(group for reading in readings for group in reading.aliases)),
        )

    def _passage(self, passage: OfferedPassage) -> Reading:
        key = (passage.number, passage.title, passage.sentences)
        if key not in self._known:
            self._known[key] = _reading(passage)
        return self._known[key]


def _reading(passage: OfferedPassage) -> Reading:
    statements = [Statement(without_markup(sentence), passage.title) for sentence in passage.sentences]
    extraction = extract("", statements, None, form="chain")
    facts: list[Fact] = []
    for proposition in extraction.propositions:
        named = {one.mention: one.entity for one in proposition.coreferences}
        for triple in proposition.triples:
            if triple.negated:
                continue
            subject = _resolved(named.get(triple.subject, triple.subject), passage.title)
            facts.append(
                Fact(
                    subject,
                    triple.relation,
                    _resolved(named.get(triple.object, triple.object), passage.title),
                    Cite(passage=passage.number, sentence=proposition.statement + 1),
                )
            )
    own = ((bare_title(passage.title), *passage.aliases),) if passage.aliases else ()
    return Reading(tuple(facts), (*own, *extraction.aliases))


def _resolved(mention: str, title: str) -> str:
    """The title's own spelling where the mention is the title."""
    return bare_title(title) if name_key(mention) == name_key(bare_title(title)) else mention
