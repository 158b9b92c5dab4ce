"""The plan as a drawing: each sub-question below those whose answers it needs."""

from __future__ import annotations

from collections.abc import Sequence

from transcripts.record import PlanInfo, PlanNode
from transcripts.site.citations import anchor
from transcripts.site.diagrams import Diagram, Part, diagram
from transcripts.site.layout import Join
from transcripts.site.wording import plain


def plan_drawing(plan: PlanInfo) -> Diagram | None:
    """Return the drawing of ``plan``, None where it has no sub-question."""
    if not plan.nodes:
        return None
    ranks = plan_ranks(plan.nodes)
    parts = [
        Part(
            key=str(node.id),
            rank=ranks[node.id],
            kind=node.status if node.status in ("supported", "unsupported") else "open",
            tag=f"{node.id}.",
            head=node.asked or node.question,
            foot=node.answer or plain(node.status),
            href=anchor(node.citations[0]) if node.citations else "",
        )
        for node in plan.nodes
    ]
    joins = [Join(str(need), str(node.id)) for node in plan.nodes for need in node.needs]
    return diagram(f"Plan with {len(parts)} sub-questions", parts, joins)


def plan_ranks(nodes: Sequence[PlanNode]) -> dict[int, int]:
    """Return the rank of each node: one more than the highest of those it needs, from 0.

    A need that is unknown, or that closes a circle, does not count; a record may hold anything.
    """
    needs = {node.id: [need for need in node.needs if need != node.id] for node in nodes}
    ranks = dict.fromkeys(needs, 0)
    for _ in needs:
        raised = {
            node: max((ranks[need] + 1 for need in needs[node] if need in ranks), default=0) for node in needs
        }
        if raised == ranks:
            return ranks
        ranks = raised
    return dict.fromkeys(needs, 0)
