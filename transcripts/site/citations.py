"""Numbering an answer's citations, and naming the sentences they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from transcripts.record import AnswerInfo, Citation, EvidencePassage, Transcript


@dataclass(frozen=True)
class Mark:
    """A citation as shown: its number (one a sentence), where it leads, and what it quotes.

    ``href`` is empty where the evidence holds no such sentence.
    """

    number: int
    href: str
    title: str
    quote: str
    passage: int
    sentence: int

    @property
    def label(self) -> str:
        """What a screen reader says."""
        if not self.href:
            return f"Citation {self.number}, of a sentence that the evidence does not hold"
        return f"Citation {self.number}: {self.title}, sentence {self.sentence}"


def anchor(cite: Citation) -> str:
    """Return the link to a cited sentence on the page."""
    return f"#{sentence_id(cite.passage, cite.sentence)}"


def sentence_id(passage: int, sentence: int) -> str:
    """Return the id of a sentence on the page, both counted from 1."""
    return f"p{passage}s{sentence}"


class Numbering:
    """Numbers for the sentences a record cites, in the order of reading: the answer's, then the others."""

    def __init__(self, transcript: Transcript) -> None:
        self._held = {passage.number: len(passage.sentences) for passage in transcript.evidence}
        self._numbers: dict[tuple[int, int], int] = {}
        answers: list[AnswerInfo] = [transcript.answer]
        if transcript.before_repair is not None:
            answers.append(transcript.before_repair[0])
        for answer in answers:
            for statement in answer.statements:
                self.marks(statement.citations)
        for node in transcript.plan.nodes if transcript.plan else ():
            self.marks(node.citations)

    def marks(self, cites: Iterable[Citation]) -> tuple[Mark, ...]:
        """Return the marks of ``cites``; a sentence that is new gets the next number."""
        return tuple(self._mark(cite) for cite in cites)

    def of(self, passage: int, sentence: int) -> int | None:
        """Return the number of a sentence, None where nothing cites it."""
        return self._numbers.get((passage, sentence))

    def first(self, passage: EvidencePassage) -> int | None:
        """Return the lowest number of a passage's sentences, None where none is cited."""
        numbers = [number for (cited, _), number in self._numbers.items() if cited == passage.number]
        return min(numbers, default=None)

    def _mark(self, cite: Citation) -> Mark:
        key = (cite.passage, cite.sentence)
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        held = 1 <= cite.sentence <= self._held.get(cite.passage, 0)
        return Mark(number, anchor(cite) if held else "", cite.title, cite.quote, cite.passage, cite.sentence)
