"""The long answer: sentences quoted word for word, in reasoning order, each cited."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.tasks import Cite, OfferedPassage, WriteReply, WriteTask, WrittenStatement
from retrieval.text import without_markup

#: How a withheld short answer is explained.
NOTHING_CONNECTS = "no sentence of the evidence connects what the question names to an answer"


def write(task: WriteTask, solver: Solver) -> WriteReply:
    """Quote what was established, and give the last step's answer where the plan is complete.

    A plan that is not complete has no answer: the best candidate for the whole question is then
    given only with ``force_answer``, and what was established is quoted all the same.
    """
    cites = [cite for step in task.established for cite in step.citations]
    final = _final_answer(task)
    if final is None and task.force_answer:
        candidates = solver.candidates(task.question, task.passages)
        if candidates:
            cites.extend(candidates[0].cites)
            return WriteReply(statements=_quoted(cites, task), short_answer=candidates[0].answer)
    withheld = "" if final is not None else NOTHING_CONNECTS
    return WriteReply(statements=_quoted(cites, task), short_answer=final, withheld=withheld)


def _final_answer(task: WriteTask) -> str | None:
    """The answer of the step that no other step needs, where the whole question hangs on it alone."""
    needed = {need for step in task.established for need in step.needs}
    sinks = [step for step in task.established if step.id not in needed]
    return sinks[0].answer if len(sinks) == 1 and task.complete else None


def _quoted(cites: Sequence[Cite], task: WriteTask) -> tuple[WrittenStatement, ...]:
    sentences = {passage.number: passage for passage in task.passages}
    quoted = [
        WrittenStatement(text=_sentence(sentences[cite.passage], cite), citations=(cite,))
        for cite in dict.fromkeys(cites)
    ]
    # Too long, it loses sentences before the last: that one bears the answer.
    while len(quoted) > 1 and (len(quoted) > task.max_statements or _length(quoted) > task.max_words):
        del quoted[-2]
    return tuple(quoted)


def _length(quoted: Sequence[WrittenStatement]) -> int:
    return sum(len(statement.text.split()) for statement in quoted)


def _sentence(passage: OfferedPassage, cite: Cite) -> str:
    return without_markup(passage.sentences[cite.sentence - 1])
