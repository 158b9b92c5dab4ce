"""What is wrong with an answer, as one class of a fixed precedence, and where the gap is.

The classes, first match wins:

1. ``extraction_failed``: no facts could be extracted, so nothing can be said.
2. ``wrong_answer``: the reasoning leads to the run's own answer, but gold, or the compared values
   themselves, say otherwise.
3. ``head_only``: only the conclusion connects question and answer.
4. ``circular``: the facts about the question lead back to where they started, never to the answer.
5. ``deviated``: they lead as far as the plan's hops demand, but to another place than the answer.
6. ``unresolved_reference``: a side of the gap ends in a pronoun that nothing resolves.
7. ``answer_unstated``: no fact of the body mentions the answer.
8. ``question_unmentioned``: no fact of the body mentions an entity of the question.
9. ``partial_branch``: some of the things to connect are connected, others are not.
10. ``broken``: both sides are there, and nothing connects them.
11. ``undetermined``: connected (C = 1), but the long answer alone yields another short answer (D = 0).

Broken, circular and deviated are LogicScore's three (arXiv 2601.15050); the others tell apart what
they leave together.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.connection import Connection, connect
from scoring.graph import BODY_AND_HEAD, Graph
from scoring.identity import Names
from scoring.types import BRANCH_FORMS, Extraction
from scoring.verdict import FailureClass, Gap


@dataclass(frozen=True, slots=True)
class Facts:
    """What the classes are decided from.

    ``answer`` of the connection's anchor is ``connection.ends``; ``wrong`` says that the answer is
    known to be wrong although the reasoning leads to it.
    """

    extraction: Extraction
    graph: Graph
    names: Names
    connection: Connection
    determined: int | None
    wrong: bool


def classify(facts: Facts) -> FailureClass | None:
    """Return the class of the failure, or None where nothing failed or C does not apply."""
    connection = facts.connection
    if connection.failed:
        return "extraction_failed"
    if facts.wrong:
        return "wrong_answer"
    if connection.not_applicable:
        return None
    if connection.route is not None:
        return "undetermined" if facts.determined == 0 else None
    if _connects_with_heads(facts):
        return "head_only"
    if facts.extraction.form in BRANCH_FORMS:
        return _branch_class(facts)
    return _path_class(facts)


def find_gap(facts: Facts) -> Gap:
    """Return the nearest two entities that nothing connects; C must be 0.

    On the question's side that is the entity farthest along from the question's, on the answer's
    side the one farthest from the answer; of entities equally far the one whose name comes first.
    """
    connection, names = facts.connection, facts.names
    if facts.extraction.form in BRANCH_FORMS:
        return _branch_gap(facts)
    end = _end(connection)
    answer_side = facts.graph.reach([end])
    # In an intersection some of the question's entities may be connected already.
    missing = [start for start in connection.starts if start not in answer_side] or list(connection.starts)
    return Gap(
        names.label(_farthest(facts.graph.reach(missing), min(missing))),
        names.label(_farthest(answer_side, end)),
    )


def _end(connection: Connection) -> str:
    end = connection.ends[0]
    return end if end is not None else ""


def _farthest(reached: dict[str, int], otherwise: str) -> str:
    if not reached:
        return otherwise
    resolved = {key: far for key, far in reached.items() if not Names.is_unresolved(key)} or reached
    return min(resolved, key=lambda key: (-resolved[key], key))


def _connects_with_heads(facts: Facts) -> bool:
    if not any(proposition.role == "head" for proposition in facts.extraction.propositions):
        return False
    whole = Graph(facts.extraction.propositions, facts.names, BODY_AND_HEAD)
    if facts.extraction.form in BRANCH_FORMS:
        return connect(facts.extraction, whole, facts.names, "").route is not None
    end = facts.names.label(_end(facts.connection))
    return connect(facts.extraction, whole, facts.names, end).route is not None


def _path_class(facts: Facts) -> FailureClass:
    connection, graph = facts.connection, facts.graph
    end = _end(connection)
    question_side = graph.reach(connection.starts)
    answer_side = graph.reach([end])
    if not set(question_side) & set(answer_side):
        if _has_cycle(graph, question_side):
            return "circular"
        hops = facts.extraction.plan_hops
        if hops is not None and max(question_side.values(), default=0) >= hops:
            return "deviated"
    if answer_side and any(Names.is_unresolved(key) for key in (*question_side, *answer_side)):
        return "unresolved_reference"
    if not answer_side:
        return "answer_unstated"
    if not question_side:
        return "question_unmentioned"
    if set(question_side) & set(answer_side) or facts.extraction.form == "intersection":
        return "partial_branch"
    return "broken"


def _has_cycle(graph: Graph, entities: dict[str, int]) -> bool:
    """Whether distinct facts among ``entities`` close a circle. A repeated fact closes none."""
    edges = {edge for entity in entities for edge in graph.at[entity]}
    kept = {graph.edges[edge].meaning: edge for edge in sorted(edges)}.values()
    incidences = sum(len(graph.edges[edge].entities) for edge in kept)
    components = _components(graph, entities)
    return incidences > len(kept) + len(entities) - components


def _components(graph: Graph, entities: dict[str, int]) -> int:
    left, count = set(entities), 0
    while left:
        left -= set(graph.reach([next(iter(left))]))
        count += 1
    return count


def _branch_class(facts: Facts) -> FailureClass:
    connection, graph = facts.connection, facts.graph
    sides = [key for key in (*connection.starts, *connection.ends) if key is not None]
    if any(Names.is_unresolved(key) for key in graph.reach(sides)):
        return "unresolved_reference"
    if not any(start in graph for start in connection.starts):
        return "question_unmentioned"
    connected = [
        end is not None and end in graph.reach([start])
        for start, end in zip(connection.starts, connection.ends, strict=True)
    ]
    return "partial_branch" if any(connected) or None in connection.ends else "broken"


def _branch_gap(facts: Facts) -> Gap:
    branches = facts.extraction.branches or ()
    pairs = zip(branches, facts.connection.starts, facts.connection.ends, strict=True)
    for branch, start, end in pairs:
        reached = facts.graph.reach([start])
        if end is None:
            return Gap(branch.entity, "the value asked for")
        if end not in reached:
            return Gap(
                facts.names.label(_farthest(reached, start)),
                facts.names.label(_farthest(facts.graph.reach([end]), end)),
            )
    return Gap("the question", "the answer")
