"""One answer beside its question, with everything that metrics look at worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.evaluation.answer import Answer, Cited
from pinakes_ask.evaluation.documents import Catalogue, Source, gold_of
from pinakes_ask.evaluation.logic import Logic, logic_of
from pinakes_ask.evaluation.metric import Missing, Value
from pinakes_ask.evaluation.question import EvalQuestion

#: How many passages a measured search returns; recall is never asked for beyond it.
DEPTH = 10


#: What stands in place of a judgement where nobody judged.
NO_JUDGE = Missing("no model was named to judge")


@dataclass(frozen=True)
class Case:
    """A question, its answer, and what follows from both.

    :param gold: the documents that hold the evidence; None where they are not known, and ``no_gold`` says why.
    :param found: the document of each passage that a search for the question found, best first; None where
        there was none.
    :param deep: whether ``found`` is as long as the corpus allows, so that recall in it is known at any depth.
    :param first: the same of the run's own first search, whose confidence was given; None where not known.
    :param seen: documents of everything the engine had before it; None where that is not known.
    :param cited: every citation, with its document where it is one of the corpus.
    :param judged: whether a model judged the answer to be right.
    """

    question: EvalQuestion
    answer: Answer
    gold: frozenset[str] | None
    no_gold: str
    found: tuple[str, ...] | None
    deep: bool
    first: tuple[str, ...] | None
    seen: frozenset[str] | None
    cited: tuple[tuple[Cited, str | None], ...]
    logic: Logic
    judged: Value

    @property
    def covered(self) -> bool | None:
        """Whether the run's first search found all evidence; None where that is not known."""
        return None if self.gold is None or self.first is None else self.gold <= set(self.first)


def make_case(
    question: EvalQuestion,
    answer: Answer,
    catalogue: Catalogue,
    *,
    searched: Sequence[str] | None = None,
    judged: Value = NO_JUDGE,
) -> Case:
    """Return the case of a question and its answer.

    :param searched: documents of a search for the question, :data:`DEPTH` passages deep; None to take what
        the answer says it retrieved first.
    """
    gold, no_gold = gold_of(question, catalogue)
    first = None if answer.retrieved is None else _names(catalogue, answer.retrieved)
    searched = None if searched is None else _names(catalogue, [Source(document=one) for one in searched])
    return Case(
        question=question,
        answer=answer,
        gold=gold,
        no_gold=no_gold,
        found=first if searched is None else searched,
        deep=searched is not None,
        first=first,
        seen=None if answer.seen is None else frozenset(_names(catalogue, answer.seen)),
        cited=tuple(
            (one, catalogue.find(one.source)) for said in answer.statements or () for one in said.citations
        ),
        logic=logic_of(question, answer),
        judged=judged,
    )


def _names(catalogue: Catalogue, sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the documents in order; one that is not in the corpus keeps its place, under no document's name."""
    return tuple(catalogue.find(one) or "" for one in sources)
