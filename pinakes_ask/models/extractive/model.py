"""Serving every task from its fields, without a language model."""

from __future__ import annotations

from typing import TypeVar, cast

from pydantic import BaseModel

from pinakes_ask.errors import ModelError
from pinakes_ask.models.extractive.candidates import STATED, Candidate
from pinakes_ask.models.extractive.compare import Comparison, comparison, decide
from pinakes_ask.models.extractive.decompose import chain
from pinakes_ask.models.extractive.follow import follow
from pinakes_ask.models.extractive.kinds import Kind, question_kind
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.models.extractive.write import write
from pinakes_ask.plan import Plan, SubQuestion
from pinakes_ask.seams import Replied, Usage
from pinakes_ask.tasks import (
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
        steps = compared.plan(task.question) if compared is not None else ()
        if compared is not None and len(steps) <= task.max_nodes:
            form: Form = "yes/no" if compared.direction == "same" else "comparison"
            return PlanReply(
                reasoning=f"compares {', '.join(name.text for name in compared.names)}",
                form=form,
                sub_questions=steps,
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
        for one in self._solver.candidates(asked.question, _own_first(task.passages, asked.passages)):
            if one.strength >= STATED:
                return Finding(id=asked.id, supported=True, answer=one.answer, citations=one.cites)
        return Finding(id=asked.id, reasoning="no stated fact answers it")

    def _reinfer(self, task: ReinferTask) -> ReinferReply:
        """Solve the question with the statements as the only passages."""
        plan = self._think(
            task.question,
            tuple(
                OfferedPassage(number=number, title=one.source, sentences=(one.text,))
                for number, one in enumerate(task.statements, start=1)
            ),
        )
        sinks = plan.sinks()
        return ReinferReply(short_answer=sinks[0].answer if plan.answered and len(sinks) == 1 else None)

    def _write(self, task: WriteTask) -> WriteReply:
        """Write; where the plan is not complete, solve one with all passages at hand."""
        if task.complete:
            return write(task, self._solver)
        plan = self._think(task.question, task.passages)
        if not plan.answered and task.established:
            return write(task, self._solver)
        established = tuple(node.as_established() for node in plan.established())
        solved = {"established": established, "complete": plan.answered}
        return write(task.model_copy(update=solved), self._solver)

    def _think(self, question: str, passages: tuple[OfferedPassage, ...]) -> Plan:
        """Plan and solve ``question`` with these passages alone, choosing each step by how far it leads."""
        proposal = self._plan(PlanTask(question=question, passages=passages, max_nodes=MAX_STEPS))
        plan = Plan.of(question, proposal, max_nodes=MAX_STEPS)
        return follow(plan, lambda node: self._options(node, plan, question, passages))

    def _options(
        self, node: SubQuestion, plan: Plan, question: str, passages: tuple[OfferedPassage, ...]
    ) -> list[Candidate]:
        """The answers that the passages state for one step, strongest first."""
        if node.kind != "find":
            compared = comparison(read_question(question, [passage.title for passage in passages]))
            decision = decide(compared, plan.inputs(node)) if compared is not None else None
            return [Candidate(decision, (), 1.0)] if decision is not None else []
        stated = self._solver.candidates(plan.fill(node.question), passages)
        return [one for one in stated if one.strength >= STATED]

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
