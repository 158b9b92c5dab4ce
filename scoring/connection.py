"""Whether an answer's facts connect what its question's form demands."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.graph import Graph
from scoring.identity import Names
from scoring.paths import Route, shortest_route
from scoring.steiner import steiner_forest, steiner_tree
from scoring.types import BRANCH_FORMS, Extraction, Form

NO_TRIPLES = "no fact could be extracted from the answer"
NO_QUESTION_ENTITY = "the question names no entity other than the answer"
NO_BRANCHES = "the compared or counted things are not known"


@dataclass(frozen=True, slots=True)
class Connection:
    """What connects question and answer.

    :ivar route: the smallest connection; None where there is none.
    :ivar starts: the question's side: entities that have to be connected, by key.
    :ivar ends: the answer's side; for branches, ``ends[i]`` belongs to ``starts[i]``.
    :ivar not_applicable: why C and E do not apply; None when they do.
    """

    route: Route | None
    starts: tuple[str, ...] = ()
    ends: tuple[str | None, ...] = ()
    not_applicable: str | None = None
    failed: bool = False


def connect(
    extraction: Extraction, graph: Graph, names: Names, answer: str, *, form: Form | None = None
) -> Connection:
    """Connect ``answer`` to the question in ``graph`` as the question's form demands.

    A chain needs a path from the answer to the nearest question entity other than the answer, from each
    where semicolons part several answers; an intersection needs a tree over the answer and all question
    entities. A comparison, yes/no or count question needs every branch's entity connected to its value,
    and the answer is no terminal.
    """
    form = form or extraction.form or "chain"
    if extraction.failed is not None:
        return Connection(None, not_applicable=extraction.failed, failed=True)
    if _nothing_extracted(extraction):
        return Connection(None, not_applicable=NO_TRIPLES, failed=True)
    if form in BRANCH_FORMS:
        return _branches(extraction, graph, names)
    ends = _answers(graph, names, answer)
    starts = tuple(sorted({names.key(entity) for entity in extraction.question_entities}.difference(ends)))
    if not starts:
        return Connection(None, ends=ends, not_applicable=NO_QUESTION_ENTITY)
    # What is not connected comes first, so that a gap names that.
    reached = graph.reach(starts)
    ends = tuple(sorted(ends, key=lambda end: end in reached))
    if form == "intersection":
        # A lone tree node is no fact: the answer has to stand in the body even then.
        return Connection(steiner_tree(graph, (*ends, *starts)), starts, ends)
    return Connection(_chains(graph, starts, ends), starts, ends)


def _answers(graph: Graph, names: Names, answer: str) -> tuple[str, ...]:
    """Return the answer's key; those of its parts where it names several things, apart by semicolons."""
    whole = names.key(answer)
    parts = names.each(answer)
    return (whole,) if whole in graph.at or len(parts) < 2 else parts


def _chains(graph: Graph, starts: tuple[str, ...], ends: tuple[str, ...]) -> Route | None:
    """Return the route to the answer; where that is several things, the smallest union of a route to each."""
    routes = [shortest_route(graph, starts, (end,)) for end in ends]
    if len(routes) == 1:
        return routes[0]
    pairs = [(route.nodes[0], end) for route, end in zip(routes, ends, strict=True) if route is not None]
    return steiner_forest(graph, pairs) if len(pairs) == len(ends) else None


def _nothing_extracted(extraction: Extraction) -> bool:
    body = [proposition for proposition in extraction.propositions if proposition.role == "body"]
    return bool(body) and not any(proposition.triples for proposition in extraction.propositions)


def _branches(extraction: Extraction, graph: Graph, names: Names) -> Connection:
    if not extraction.branches:
        return Connection(None, not_applicable=NO_BRANCHES)
    starts = tuple(names.key(branch.entity) for branch in extraction.branches)
    ends = tuple(names.key(branch.value) if branch.value else None for branch in extraction.branches)
    pairs = [(start, end) for start, end in zip(starts, ends, strict=True) if end is not None]
    # A value that is the entity itself says nothing of it.
    stated = len(pairs) == len(starts) and all(start != end for start, end in pairs)
    route = steiner_forest(graph, pairs) if stated else None
    return Connection(route, starts, ends)
