"""A run as a timeline: the first search, each round, the writing, the check."""

from __future__ import annotations

from dataclasses import dataclass

from transcripts.record import PlanNode, RoundInfo, Transcript
from transcripts.site.wording import STOPS, plain


@dataclass(frozen=True)
class Asked:
    """A sub-question of a round, what answered it, and the passages that came back for it."""

    number: int
    question: str
    answer: str | None
    status: str
    found: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One point of the timeline. ``lines`` are facts about it, ``memory`` what was remembered after it."""

    name: str
    lines: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    memory: str = ""


def timeline(transcript: Transcript) -> tuple[Step, ...]:
    """Return the steps of a run in their order."""
    nodes = {node.id: node for node in transcript.plan.nodes} if transcript.plan else {}
    steps = [Step("First search", (_confidence(transcript),))]
    if transcript.plan is not None:
        steps.append(Step("Plan", _plan_lines(transcript)))
    steps += [_round(index, one, nodes) for index, one in enumerate(transcript.rounds, start=1)]
    if transcript.answer.statements:
        count = len(transcript.answer.statements)
        lines = [f"{count} statement{'s' if count != 1 else ''}"]
        if transcript.answer.removed_citations:
            removed = len(transcript.answer.removed_citations)
            lines.append(f"{removed} citations of no offered sentence were removed")
        if transcript.before_repair is not None:
            lines.append("written a second time to close a gap")
        steps.append(Step("Answer", tuple(lines)))
    stop = STOPS.get(transcript.stop_reason, plain(transcript.stop_reason))
    steps.append(Step("End", (f"Asking ended because {stop}.",)))
    return tuple(steps)


def _confidence(transcript: Transcript) -> str:
    confidence = transcript.confidence
    if confidence.probability is None:
        return f"Whether it was enough is unknown: {confidence.reason or 'no reason is recorded'}."
    said = f"The evidence suffices with a probability of {confidence.probability:.2f}"
    if confidence.threshold is None:
        return said + "."
    enough = "enough" if confidence.probability >= confidence.threshold else "not enough"
    return f"{said}; {confidence.threshold:.2f} is needed, so it was {enough}."


def _plan_lines(transcript: Transcript) -> tuple[str, ...]:
    plan = transcript.plan
    if plan is None:
        return ()
    count = len(plan.nodes)
    first = f"{count} sub-question{'s' if count != 1 else ''}, in the form of a {plan.form} question"
    return (first, *(f"Repaired: {repair}" for repair in plan.repairs))


def _round(index: int, one: RoundInfo, nodes: dict[int, PlanNode]) -> Step:
    asked = []
    for number, question in one.asked:
        node = nodes.get(number)
        asked.append(
            Asked(
                number=number,
                question=question,
                answer=node.answer if node else None,
                status=node.status if node else "open",
                found=one.retrieved.get(number, ()),
            )
        )
    lines = [f"Missing: {missing}" for missing in one.missing]
    if one.grown:
        lines.append(f"Added to the plan: {', '.join(map(str, one.grown))}")
    return Step(f"Round {index}", tuple(lines), tuple(asked), one.memory)
