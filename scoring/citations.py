"""Whether what an answer cites exists, and holds the names, dates and numbers it is cited for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text import (
    Date,
    Number,
    content_words,
    find_amounts,
    find_dates,
    find_names,
    find_numbers,
    name_key,
    words,
)


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A statement and what it cites: ``(passage number, 0-based sentence)``.

    :ivar title: the title of the document it quotes, where the titles of the passages are not given.
    """

    text: str
    citations: tuple[tuple[int, int], ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """What was found about one statement.

    :ivar resolved: the citations that name a sentence of the evidence.
    :ivar unresolved: those that do not.
    :ivar relevant: the resolved ones whose sentence shares a name, date, number or most words with it.
    :ivar unsupported: the statement's names, dates and numbers that no cited sentence contains.
    """

    resolved: tuple[tuple[int, int], ...]
    unresolved: tuple[tuple[int, int], ...]
    relevant: tuple[tuple[int, int], ...]
    unsupported: tuple[str, ...]

    @property
    def supported(self) -> bool:
        """Whether it cites a sentence, and everything checkable in it stands in what it cites."""
        return bool(self.relevant) and not self.unsupported


@dataclass(frozen=True, slots=True)
class CitationReport:
    """The checks of all statements.

    Precision is the share of citations that resolve to a relevant sentence, None where nothing is
    cited. Recall is the share of statements that are supported, None where there is no statement.
    """

    statements: tuple[StatementCheck, ...]

    @property
    def precision(self) -> float | None:
        """Relevant citations ÷ all citations; None without citations."""
        cited = sum(len(one.resolved) + len(one.unresolved) for one in self.statements)
        return sum(len(one.relevant) for one in self.statements) / cited if cited else None

    @property
    def recall(self) -> float | None:
        """Supported statements ÷ all statements; None without statements."""
        return sum(one.supported for one in self.statements) / len(self.statements) if self.statements else None

    @property
    def unresolved(self) -> int:
        """How many citations name no sentence of the evidence."""
        return sum(len(one.unresolved) for one in self.statements)

    def to_json(self) -> dict[str, Any]:
        """Return ``{precision, recall, unresolved, statements: [{unresolved, unsupported, supported}]}``."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "unresolved": self.unresolved,
            "statements": [
                {
                    "supported": one.supported,
                    "unresolved": [list(citation) for citation in one.unresolved],
                    "unsupported": list(one.unsupported),
                }
                for one in self.statements
            ],
        }


def check_citations(
    statements: Sequence[CitedStatement],
    evidence: Mapping[int, Sequence[str]],
    *,
    titles: Mapping[int, str] | None = None,
) -> CitationReport:
    """Check every statement against the sentences it cites.

    :param evidence: for each passage number its sentences.
    :param titles: for each passage number its document's title, which a sentence may leave unsaid.

    Names, dates and numbers are compared by value: a name counts as contained where all its words
    stand in a cited sentence or its title, a date where the sentence states it or one more precise.
    """
    return CitationReport(tuple(_check(one, evidence, titles or {}) for one in statements))


def _check(
    statement: CitedStatement, evidence: Mapping[int, Sequence[str]], titles: Mapping[int, str]
) -> StatementCheck:
    resolved: list[tuple[int, int]] = []
    unresolved: list[tuple[int, int]] = []
    for passage, sentence in dict.fromkeys(statement.citations):
        exists = 0 <= sentence < len(evidence.get(passage, ()))
        (resolved if exists else unresolved).append((passage, sentence))
    facts = _facts(statement.text)
    sources = {
        (passage, place): f"{titles.get(passage) or statement.title or ''}. {evidence[passage][place]}"
        for passage, place in resolved
    }
    held = {citation: {fact for fact in facts if fact.stands_in(source)} for citation, source in sources.items()}
    relevant = [
        citation for citation in resolved if held[citation] or _overlap(statement.text, sources[citation]) >= 0.5
    ]
    missing = [fact for fact in facts if not any(fact in found for found in held.values())]
    return StatementCheck(
        tuple(resolved), tuple(unresolved), tuple(relevant), tuple(fact.text for fact in missing)
    )


@dataclass(frozen=True, slots=True)
class _Fact:
    """A checkable part of a statement; ``value`` is its date or number, None for a name."""

    text: str
    value: Date | Number | None = None

    def stands_in(self, source: str) -> bool:
        if isinstance(self.value, Date):
            return any(date.iso.startswith(self.value.iso) for date, _, _ in find_dates(source))
        if self.value is not None:
            return any(value == self.value for value, _, _ in find_numbers(source))
        # "Titan" is held by "Titans", and "the Soviets" by "Soviet".
        return {_singular(word) for word in words(name_key(self.text))} <= {
            _singular(word) for word in words(source)
        }


_OPENINGS = frozenset(
    "yes no however based according thus therefore hence despite although while since overall similarly first "
    "second third finally moreover furthermore besides instead meanwhile given due following unlike during "
    "because".split()
)


def _only_opens(name: str) -> bool:
    """Whether a capitalised word only opens a sentence ("However", "Additionally") and names nothing."""
    return name.lower() in _OPENINGS or (" " not in name and name.endswith("ly") and name.istitle())


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _facts(text: str) -> list[_Fact]:
    facts = [_Fact(text[start:end], date) for date, start, end in find_dates(text)]
    facts += [
        _Fact(text[start:end], value)
        for value, start, end in find_amounts(text)
        # "One" is rarely a count, and a number before a full stop at the start numbers a list.
        if text[start:end].lower() != "one" and not (start == 0 and text[end : end + 2] == ". ")
    ]
    facts += [_Fact(one.text) for one in find_names(text) if not _only_opens(one.text)]
    return list(dict.fromkeys(facts))


def _overlap(statement: str, source: str) -> float:
    wanted = set(content_words(statement))
    return len(wanted & set(content_words(source))) / len(wanted) if wanted else 0.0
