"""Serving every task from its fields, without a language model."""

from __future__ import annotations

from typing import TypeVar, cast

from pydantic import BaseModel

from pinakes_ask.errors import ModelError
from pinakes_ask.models.extractive.candidates import STATED
from pinakes_ask.models.extractive.chance import in_order
from pinakes_ask.models.extractive.compare import Comparison, comparison, decide
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.reading import Reader
from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.models.extractive.stated import by_plan, final, planned, stated
from pinakes_ask.models.extractive.think import think
from pinakes_ask.models.extractive.write import write
from pinakes_ask.seams import Replied, Usage
from pinakes_ask.tasks import (
    Finding,
    OfferedPassage,
    PlanTask,
    RankQuestion,
    ReinferReply,
    ReinferTask,
    SolveReply,
    SolveTask,
    Task,
    WriteReply,
    WriteTask,
)

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class ExtractiveModel:
    """Plans by sentence structure, solves by stated facts, and writes by quoting. Free and local."""

    name = "extractive"

    def __init__(self) -> None:
        self._reader = Reader()
        self._solver = Solver(self._reader)

    def prompt_digest(self, task: Task[ReplyT]) -> str:
        """Empty: it reads the task's fields, no prompt."""
        return ""

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        """Nothing: no call leaves the machine."""
        return Usage()

    async def reply(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        """Answer ``task`` from its fields.

        :raises ModelError: for a kind of task it does not know.
        """
        reply: BaseModel
        match task:
            case PlanTask():
                reply = planned(task)
            case SolveTask():
                reply = self._solve(task)
            case WriteTask():
                reply = self._write(task)
            case ReinferTask():
                reply = self._reinfer(task)
            case _:
                raise ModelError(
                    f"The extractive model cannot serve the task {task.kind!r}",
                    "it knows planning, solving, writing and re-inferring",
                    "Name a language model with --model",
                )
        return Replied(cast("ReplyT", reply), Usage())

    def _solve(self, task: SolveTask) -> SolveReply:
        findings = tuple(
            self._compare(task, asked) if asked.kind == "compare" else self._find(task, asked)
            for asked in task.sub_questions
        )
        known = [
            f"{asked.question.rstrip('?')}: {finding.answer}."
            for asked, finding in zip(task.sub_questions, findings, strict=True)
            if finding.supported
        ]
        return SolveReply(findings=findings, memory=" ".join([task.memory, *known]).strip())

    def _find(self, task: SolveTask, asked: RankQuestion) -> Finding:
        for one in self._solver.candidates(asked.question, _own_first(task.passages, asked.passages)):
            if one.strength >= STATED:
                return Finding(id=asked.id, supported=True, answer=one.answer, citations=one.cites)
        return Finding(id=asked.id, reasoning="no stated fact answers it")

    def _reinfer(self, task: ReinferTask) -> ReinferReply:
        """Solve the question with the statements as the only passages: by facts, else by what is likeliest."""
        passages = tuple(
            OfferedPassage(number=number, title=one.source, sentences=(one.text,))
            for number, one in enumerate(task.statements, start=1)
        )
        said = stated(task.question, passages, self._solver)
        ordered = in_order(think(task.question, passages, self._reader), said)
        return ReinferReply(short_answer=ordered[0].answer if ordered else None)

    def _write(self, task: WriteTask) -> WriteReply:
        """Write what is told outright, else what is established, else what a plan over all passages gives."""
        thought = think(task.question, task.passages, self._reader)
        said = self._solver.tells(task.question, task.passages)
        if said is None and task.complete:
            said = final(task.established, task.passages, self._solver)
        return write(task, thought, said or by_plan(task.question, task.passages, self._solver))

    @staticmethod
    def _compare(task: SolveTask, asked: RankQuestion) -> Finding:
        compared: Comparison | None = comparison(read_question(asked.question, [p.title for p in task.passages]))
        decision = decide(compared, asked.inputs) if compared is not None else None
        if decision is None:
            return Finding(id=asked.id, reasoning="the values cannot be compared")
        return Finding(id=asked.id, supported=True, answer=decision)


def _own_first(passages: tuple[OfferedPassage, ...], own: tuple[int, ...]) -> list[OfferedPassage]:
    return sorted(
        passages,
        key=lambda passage: (passage.number not in own, own.index(passage.number) if passage.number in own else 0),
    )
