"""The facts that the evidence states, each with the sentence it stands in."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.reading import Fact, Reader
from pinakes_ask.tasks import OfferedPassage
from retrieval.text import bare_title, name_key
from scoring.extract.parentheses import acronyms


class FactReader:
    """Reads passages, each of them once, and only those that speak of what is asked."""

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or Reader()

    def about(self, names: Sequence[str], passages: Sequence[OfferedPassage]) -> list[Fact]:
        """Return the facts of the passages that mention or are called one of ``names``, in their order."""
        keys = [name_key(name) for name in names]
        speaking = [passage for passage in passages if _speaks_of(passage, keys)]
        return [
            fact for read in self._reader.read(speaking, passages) for sentence in read for fact in sentence.facts
        ]


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
