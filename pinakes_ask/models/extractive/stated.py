"""What facts state outright: a plan for the question, and its answer where every step of it is stated."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.candidates import STATED, Candidate, same_thing
from pinakes_ask.models.extractive.compare import comparison, decide
from pinakes_ask.models.extractive.decompose import chain
from pinakes_ask.models.extractive.follow import follow
from pinakes_ask.models.extractive.kinds import Kind, question_kind
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.plan import Plan, SubQuestion
from pinakes_ask.tasks import Established, Form, OfferedPassage, PlanReply, PlanTask

#: Bound on the steps of a plan that is made here; a plan of the loop is never longer by default.
MAX_STEPS = 8


def planned(task: PlanTask) -> PlanReply:
    """Return a plan by the structure of the question's sentence."""
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
    return PlanReply(
        reasoning="innermost described thing first" if parsed.doc is not None else "no parser for this language",
        form="yes/no" if question_kind(task.question) is Kind.YES_NO else "chain",
        sub_questions=chain(parsed),
    )


def stated(question: str, passages: Sequence[OfferedPassage], solver: Solver) -> Candidate | None:
    """Return the answer that one sentence tells in the words of the whole question, else :func:`by_plan`'s."""
    return solver.tells(question, passages) or by_plan(question, passages, solver)


def by_plan(question: str, passages: Sequence[OfferedPassage], solver: Solver) -> Candidate | None:
    """Return the answer that facts state along a whole plan, with the sentences of all its steps, or None."""
    offered = tuple(passages)
    plan = Plan.of(
        question,
        planned(PlanTask(question=question, passages=offered, max_nodes=MAX_STEPS)),
        max_nodes=MAX_STEPS,
    )
    follow(plan, lambda node: _options(node, plan, question, offered, solver))
    established = [node.as_established() for node in plan.established()]
    return final(established, offered, solver) if plan.answered else None


def final(
    established: Sequence[Established], passages: Sequence[OfferedPassage], solver: Solver
) -> Candidate | None:
    """Return the answer of the step that no other needs, where the whole question hangs on it alone."""
    needed = {need for step in established for need in step.needs}
    sinks = [step for step in established if step.id not in needed]
    if len(sinks) != 1:
        return None
    cites = tuple(dict.fromkeys(cite for step in established for cite in step.citations))
    told = solver.tells(sinks[0].question, passages)
    outright = told is not None and same_thing(told.answer, sinks[0].answer)
    return Candidate(sinks[0].answer, cites, 1.0, told=outright)


def _options(
    node: SubQuestion, plan: Plan, question: str, passages: tuple[OfferedPassage, ...], solver: Solver
) -> list[Candidate]:
    """The answers that the passages state for one step, strongest first."""
    if node.kind != "find":
        compared = comparison(read_question(question, [passage.title for passage in passages]))
        decision = decide(compared, plan.inputs(node)) if compared is not None else None
        return [Candidate(decision, (), 1.0)] if decision is not None else []
    return [one for one in solver.candidates(plan.fill(node.question), passages) if one.strength >= STATED]
