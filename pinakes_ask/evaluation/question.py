"""A question whose answer is known, whichever set it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    """A paragraph that a set gives with a question.

    :param gold_sentences: the sentences that hold the evidence; None where the set names none.
    """

    title: str
    text: str
    supporting: bool
    gold_sentences: tuple[str, ...] | None = None


@dataclass(frozen=True)
class EvalQuestion:
    """A question and what is known about it.

    :param answers: the gold answer, then its aliases; empty where the documents hold no answer.
    :param hops: how many facts in a row the answer needs; None where the set does not say.
    :param supporting: ids, locations or titles of the documents that hold the evidence, where the set gives
        these instead of paragraphs.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    type: str | None = None
    hops: int | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    supporting: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the documents hold an answer."""
        return bool(self.answers)

    @property
    def gold_paragraphs(self) -> tuple[Paragraph, ...]:
        """The paragraphs that hold the evidence."""
        return tuple(one for one in self.paragraphs if one.supporting)
