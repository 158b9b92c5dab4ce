"""Serving every task from its fields, without a language model."""

from __future__ import annotations

from typing import TypeVar, cast

from pydantic import BaseModel

from pinakes_ask.errors import ModelError
from pinakes_ask.gate import stands_in
from pinakes_ask.models.extractive.compare import Comparison, comparison, decide
from pinakes_ask.models.extractive.decompose import chain
from pinakes_ask.models.extractive.kinds import Kind, question_kind
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.solve import STATED, Solver
from pinakes_ask.models.extractive.write import write
from pinakes_ask.plan import Plan
from pinakes_ask.seams import Replied, Usage
from pinakes_ask.tasks import (
    Established,
    Finding,
    Form,
    OfferedPassage,
    PlanReply,
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
#: Bound on the steps of a re-inference; a plan of the loop is never longer by default.
MAX_STEPS = 8


class ExtractiveModel:
    """Plans by sentence structure, solves by stated facts, and writes by quoting. Free and local."""

    name = "extractive"

    def __init__(self) -> None:
        self._solver = Solver()

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
                reply = self._plan(task)
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

    def _plan(self, task: PlanTask) -> PlanReply:
        parsed = read_question(task.question, [passage.title for passage in task.passages])
        compared = comparison(parsed)
        if compared is not None:
            form: Form = "yes/no" if compared.direction == "same" else "comparison"
            return PlanReply(
                reasoning=f"compares {', '.join(name.text for name in compared.names)}",
                form=form,
                sub_questions=compared.plan(task.question),
            )
        yes_no = question_kind(task.question) is Kind.YES_NO
        return PlanReply(
            reasoning="innermost described thing first"
            if parsed.doc is not None
            else "no parser for this language",
            form="yes/no" if yes_no else "chain",
            sub_questions=chain(parsed),
        )

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
        candidates = self._solver.candidates(asked.question, _own_first(task.passages, asked.passages))
        sentences = {passage.number: passage.sentences for passage in task.passages}
        for one in candidates:
            quote = sentences[one.cite.passage][one.cite.sentence - 1]
            if one.strength >= STATED and stands_in(one.answer, quote):
                return Finding(id=asked.id, supported=True, answer=one.answer, citations=(one.cite,))
        for one in candidates:
            if one.strength >= STATED:
                return Finding(id=asked.id, supported=True, answer=one.answer, citations=(one.cite,))
        return Finding(id=asked.id, reasoning="no stated fact answers it")

    def _reinfer(self, task: ReinferTask) -> ReinferReply:
        """Solve the question with the statements as the only passage."""
        plan = self._think(task.question, (OfferedPassage(number=1, title="", sentences=task.statements),))
        sinks = plan.sinks()
        return ReinferReply(short_answer=sinks[0].answer if plan.answered and len(sinks) == 1 else None)

    def _write(self, task: WriteTask) -> WriteReply:
        """Write; where there was no plan, make and solve one with the passages at hand."""
        if task.established or task.complete:
            return write(task, self._solver)
        plan = self._think(task.question, task.passages)
        established = tuple(
            Established(
                id=node.id,
                question=node.asked,
                answer=node.answer or "",
                needs=tuple(sorted(node.needs)),
                citations=node.citations,
            )
            for node in plan.established()
        )
        solved = {"established": established, "complete": plan.answered}
        return write(task.model_copy(update=solved), self._solver)

    def _think(self, question: str, passages: tuple[OfferedPassage, ...]) -> Plan:
        """Plan and solve ``question`` with these passages alone."""
        proposal = self._plan(PlanTask(question=question, passages=passages, max_nodes=MAX_STEPS))
        plan = Plan.of(question, proposal, max_nodes=MAX_STEPS)
        while rank := plan.ready():
            asked = tuple(
                RankQuestion(id=node.id, question=node.asked, kind=node.kind, inputs=plan.inputs(node))
                for node in rank
            )
            task = SolveTask(question=question, sub_questions=asked, memory="", memory_tokens=0, passages=passages)
            for finding in self._solve(task).findings:
                plan.settle(finding.id, finding.answer, finding.citations)
        return plan

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
