"""What a question can take at worst, before any is asked."""

from __future__ import annotations

from dataclasses import dataclass

from pinakes_ask.memory import CHARACTERS_PER_TOKEN
from pinakes_ask.models.endpoint.extraction import PropositionsTask
from pinakes_ask.seams import LanguageModel, Usage
from pinakes_ask.settings import LoopSettings, Settings
from pinakes_ask.tasks import (
    OfferedPassage,
    PlanTask,
    RankQuestion,
    ReinferTask,
    ShownStatement,
    SolveTask,
    WriteTask,
)
from scoring.extract.model import PropositionsRequest

#: Characters of a word and the space behind it, generously.
_WORD = 10


@dataclass(frozen=True)
class Worst:
    """The most that a question can take; a reply that cannot be read is asked for again on top of it."""

    calls: int
    usage: Usage


def largest_write(question: str, loop: LoopSettings) -> WriteTask:
    """Return a write as large as any of a run with these settings."""
    text = "x" * (CHARACTERS_PER_TOKEN * loop.write_tokens)
    return WriteTask(
        question=question,
        form="chain",
        established=(),
        complete=False,
        memory=text[: CHARACTERS_PER_TOKEN * loop.memory_tokens],
        passages=(OfferedPassage(number=1, title="", sentences=(text,)),),
        max_statements=loop.max_statements,
        max_words=loop.max_words,
        force_answer=loop.force_answer,
    )


def worst_case(question: str, model: LanguageModel, settings: Settings, longest: int) -> Worst:
    """Return the most that ``question`` can take.

    A run may answer at once, find that it cannot, plan, solve every round and answer again; each answer
    may be repaired, and each is checked.

    :param longest: characters of the library's longest passage.
    """
    loop = settings.loop
    sub_questions = tuple(
        RankQuestion(id=n, question=question, passages=(n,)) for n in range(1, loop.max_nodes + 1)
    )
    memory = "x" * (CHARACTERS_PER_TOKEN * loop.memory_tokens)
    plan = PlanTask(question=question, passages=_passages(loop.k, longest), max_nodes=loop.max_nodes)
    solve = SolveTask(
        question=question,
        sub_questions=sub_questions,
        memory=memory,
        memory_tokens=loop.memory_tokens,
        passages=_passages(loop.k * loop.max_nodes, longest),
    )
    statements = ("x" * (_WORD * loop.max_words // loop.max_statements),) * loop.max_statements
    shown = tuple(ShownStatement(text=text, source="") for text in statements)
    answer = [
        model.worst_case(largest_write(question, loop)),
        model.worst_case(ReinferTask(question=question, statements=shown)),
    ]
    if settings.extractor == "model":
        request = PropositionsRequest(question=question, short_answer=question, statements=statements)
        answer.append(model.worst_case(PropositionsTask(request=request)))
    answers = 2 * (1 + loop.max_repairs)
    calls = [model.worst_case(plan), *[model.worst_case(solve)] * loop.max_rounds, *answer * answers]
    return Worst(len(calls), sum(calls, Usage()))


def _passages(count: int, longest: int) -> tuple[OfferedPassage, ...]:
    return tuple(OfferedPassage(number=n, title="", sentences=("x" * longest,)) for n in range(1, count + 1))
