"""Solving a plan as a whole: of each step's possible answers, the one that leads furthest.

The mother and the father of somebody may both fit a step; which of them was meant often shows only
when the next step finds something for one of them and nothing for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pinakes_ask.models.extractive.candidates import Candidate
from pinakes_ask.plan import Plan, SubQuestion

#: Possible answers tried for each step.
WIDTH = 3
#: Steps tried in all, which bounds the work on plans of many steps.
MAX_TRIES = 200


def follow(plan: Plan, options: Callable[[SubQuestion], Sequence[Candidate]]) -> Plan:
    """Settle every node of ``plan`` along its best path and return it.

    The best path has the most answered steps, then the greatest product of their strengths.
    ``options`` gives a node's possible answers, strongest first; the answers of the nodes it needs are
    filled in when it is called.
    """
    order = plan.in_order()
    best: tuple[int, float] = (-1, 0.0)
    chosen: dict[int, Candidate] = {}
    path: dict[int, Candidate] = {}
    tries = 0

    def visit(position: int, strength: float) -> None:
        nonlocal best, chosen, tries
        tries += 1
        if position == len(order):
            if (len(path), strength) > best:
                best, chosen = (len(path), strength), dict(path)
            return
        node = order[position]
        possible: Sequence[Candidate] = ()
        if all(need in path for need in node.needs) and tries < MAX_TRIES:
            possible = options(node)[:WIDTH]
        for candidate in possible:
            path[node.id], node.answer = candidate, candidate.answer
            visit(position + 1, strength * candidate.strength)
            del path[node.id]
            node.answer = None
        if not possible:
            visit(position + 1, strength)

    visit(0, 1.0)
    for node in order:
        candidate = chosen.get(node.id)
        if candidate is None:
            plan.settle(node.id, None, (), "no stated fact answers it")
        else:
            node.asked = plan.fill(node.question)
            plan.settle(node.id, candidate.answer, candidate.cites)
    return plan
