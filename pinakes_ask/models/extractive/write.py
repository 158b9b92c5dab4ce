"""The long answer: sentences quoted word for word, in reasoning order, each cited."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.gate import stands_in
from pinakes_ask.models.extractive.candidates import same_thing
from pinakes_ask.models.extractive.facts import other_names
from pinakes_ask.models.extractive.question import question_names
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
    statements = _quoted(cites, task)
    if final is None:
        return WriteReply(statements=statements, withheld=NOTHING_CONNECTS)
    unmet = _unmet(task, statements)
    if unmet:
        return WriteReply(statements=statements, withheld=f"the quoted sentences leave out {', '.join(unmet)}")
    return WriteReply(statements=statements, short_answer=final)


def _unmet(task: WriteTask, statements: Sequence[WrittenStatement]) -> list[str]:
    """The names of the question that neither a quoted sentence nor its document's title mentions.

    An answer that passes over one of the conditions is an answer to another question.
    """
    titles = {passage.number: passage.title for passage in task.passages}
    aliases = other_names(task.passages)
    shown = " ".join(
        f"{titles[cite.passage]}. {statement.text}" for statement in statements for cite in statement.citations
    )
    return [
        name.text
        for name in question_names(task.question, list(titles.values()))
        if not any(stands_in(one, shown) for one in (name.text, *_also_called(name.text, aliases)))
    ]


def _also_called(name: str, groups: Sequence[Sequence[str]]) -> list[str]:
    return [one for group in groups if any(same_thing(name, other) for other in group) for one in group]


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
