"""The facts that the evidence states, each with the sentence it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import bare_title, name_key, without_markup
from scoring.extract import Statement, extract
from scoring.extract.parentheses import acronyms


@dataclass(frozen=True)
class Fact:
    """``subject relation object``, as one cited sentence states it; references are resolved."""

    subject: str
    relation: str
    object: str
    cite: Cite


class FactReader:
    """Reads passages, each of them once, and only those that speak of what is asked."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, tuple[str, ...]], tuple[Fact, ...]] = {}

    def about(self, names: Sequence[str], passages: Sequence[OfferedPassage]) -> list[Fact]:
        """Return the facts of the passages that mention or are called one of ``names``, in their order."""
        keys = [name_key(name) for name in names]
        return [fact for passage in passages if _speaks_of(passage, keys) for fact in self._read(passage)]

    def _read(self, passage: OfferedPassage) -> tuple[Fact, ...]:
        key = (passage.number, passage.title, passage.sentences)
        if key not in self._known:
            self._known[key] = tuple(_facts(passage))
        return self._known[key]


def other_names(passages: Sequence[OfferedPassage]) -> list[tuple[str, ...]]:
    """Return groups of names that the passages declare to be one thing's: aliases and acronyms."""
    groups: list[tuple[str, ...]] = []
    for passage in passages:
        if passage.aliases:
            groups.append((bare_title(passage.title), *passage.aliases))
        groups += [pair for sentence in passage.sentences for pair in acronyms(sentence)]
    return groups


def _speaks_of(passage: OfferedPassage, keys: Sequence[str]) -> bool:
    text = f" {name_key(passage.title)} {name_key(' '.join(passage.sentences))} "
    return any(f" {key} " in text for key in keys)


def _facts(passage: OfferedPassage) -> list[Fact]:
    statements = [Statement(without_markup(sentence), passage.title) for sentence in passage.sentences]
    extraction = extract("", statements, None, form="chain")
    facts: list[Fact] = []
    for proposition in extraction.propositions:
        named = {one.mention: one.entity for one in proposition.coreferences}
        for triple in proposition.triples:
            if triple.negated:
                continue
            facts.append(
                Fact(
                    _resolved(named.get(triple.subject, triple.subject), passage.title),
                    triple.relation,
                    _resolved(named.get(triple.object, triple.object), passage.title),
                    Cite(passage=passage.number, sentence=proposition.statement + 1),
                )
            )
    return facts


def _resolved(mention: str, title: str) -> str:
    """The title's own spelling where the mention is the title."""
    return bare_title(title) if name_key(mention) == name_key(bare_title(title)) else mention
