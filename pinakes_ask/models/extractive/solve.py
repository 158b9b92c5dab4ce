"""Answering one sub-question from the facts that the evidence states.

A question names something it knows and asks for something related to it. Every fact that has the
known name on one side and a mention of the asked kind on the other is a candidate; how well its
relation is the asked one decides. Where no fact fits, the sentences that name the known thing and
share the question's words give weaker candidates.
"""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.candidates import (
    STATED,
    Candidate,
    fits,
    gender_fits,
    same_thing,
    shown_by_its_sentences,
    tied_to_the_question,
)
from pinakes_ask.models.extractive.contain import about, as_asked, texts_by_title
from pinakes_ask.models.extractive.defining import from_definitions
from pinakes_ask.models.extractive.direct import direct
from pinakes_ask.models.extractive.facts import FactReader, other_names
from pinakes_ask.models.extractive.kinds import Kind, question_kind, without_sort
from pinakes_ask.models.extractive.parents import parent_order
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.reading import Fact, Reader
from pinakes_ask.models.extractive.relations import Direction, agreement, meanings
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import bare_title, find_amounts, find_dates, find_names, name_key


class Solver:
    """Answers questions from offered passages."""

    def __init__(self, reader: Reader | None = None) -> None:
        self._sentences = reader or Reader()
        self._reader = FactReader(self._sentences)

    def tells(self, question: str, passages: Sequence[OfferedPassage]) -> Candidate | None:
        """Return the answer that a sentence states in the words of ``question``, None where none does."""
        parsed = read_question(question, [passage.title for passage in passages])
        return direct(parsed, passages, self._sentences)

    def candidates(self, question: str, passages: Sequence[OfferedPassage]) -> list[Candidate]:
        """Return possible answers to ``question``, strongest first, each answer once."""
        parsed = read_question(question, [p.title for p in passages])
        asked_names = [mention.text for mention in parsed.names]
        names = _with_aliases(asked_names, other_names(passages))
        facts = self._reader.about(names, passages)
        kind = question_kind(question)
        asked = without_sort(parsed.without_names())
        told = direct(parsed, passages, self._sentences)
        found = [told] if told is not None else []
        found += _from_facts(question, asked, names, kind, facts, passages)
        found = [better for one in found for better in as_asked(question, kind, one, self._reader, passages)]
        found += from_definitions(parsed.without_names(), names, kind, facts)
        found += self._from_sentences(asked, names, kind, passages)
        found.sort(key=lambda one: -one.strength)
        best: dict[str, Candidate] = {}
        for one in found:
            if name_key(one.answer) not in best and (shown := shown_by_its_sentences(one, passages)):
                best[name_key(one.answer)] = tied_to_the_question(shown, asked_names, names, passages)
        return list(best.values())

    @staticmethod
    def _from_sentences(
        asked: str, names: Sequence[str], kind: Kind, passages: Sequence[OfferedPassage]
    ) -> list[Candidate]:
        wanted = meanings(asked)
        found: list[Candidate] = []
        for rank, passage in enumerate(passages):
            about = any(same_thing(bare_title(passage.title), name) for name in names)
            for number, sentence in enumerate(passage.sentences, start=1):
                named = about or any(f" {name_key(name)} " in f" {name_key(sentence)} " for name in names)
                if names and not named:
                    continue
                shared = len(wanted & meanings(sentence)) / max(1, len(wanted))
                strength = 0.35 * shared + (0.1 if about else 0.0) + 0.1 / (1 + rank) + 0.02 / number
                cite = Cite(passage=passage.number, sentence=number)
                for mention in _mentions(sentence, kind):
                    if not any(same_thing(mention, name) for name in names):
                        found.append(Candidate(mention, (cite,), min(strength, STATED - 0.01)))
        return found


def _from_facts(
    question: str,
    asked: str,
    names: Sequence[str],
    kind: Kind,
    facts: Sequence[Fact],
    passages: Sequence[OfferedPassage],
) -> list[Candidate]:
    texts = texts_by_title(passages)
    found: list[Candidate] = []
    for position, fact in enumerate(facts):
        sides: tuple[tuple[str, str, Direction], ...] = (
            (fact.subject, fact.object, "forward"),
            (fact.object, fact.subject, "backward"),
        )
        for known, other, direction in sides:
            if not fits(other, kind) or not any(same_thing(known, name) for name in names):
                continue
            if any(same_thing(other, name) for name in names):
                continue
            strength = agreement(asked, fact.relation, direction) * parent_order(asked, position, facts)
            if kind is Kind.THING and not find_names(other):
                strength *= 0.8  # a common noun answers "what", but a name answers it better
            if strength and gender_fits(question, about(other, texts)):
                found.append(Candidate(other, (fact.cite,), strength - min(position, 100) * 1e-4))
    return found


def _with_aliases(names: Sequence[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """The names, and what the passages say is another name of the same thing."""
    found = list(names)
    for group in groups:
        if any(same_thing(one, name) for one in group for name in names):
            found.extend(group)
    return list(dict.fromkeys(found))


def _mentions(sentence: str, kind: Kind) -> list[str]:
    if kind is Kind.DATE:
        return [sentence[start:end] for _, start, end in find_dates(sentence)]
    if kind is Kind.NUMBER:
        return [sentence[start:end] for _, start, end in find_amounts(sentence)]
    if kind is Kind.YES_NO:
        return []
    return [mention.text for mention in find_names(sentence)]
