"""The recovered path as a drawing: what the question names, the facts that lead on, the answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from transcripts.site.citations import anchor
from transcripts.site.diagrams import Diagram, Part, diagram
from transcripts.site.layout import Join
from transcripts.site.path_file import RecoveredPath

_ENTITY_WIDE = 210.0
_FACT_WIDE = 290.0


def path_drawing(path: RecoveredPath) -> Diagram | None:
    """Return the drawing of ``path``: entities and facts in turn, or the gap where nothing connects.

    None where there is neither.
    """
    if not path.nodes:
        return _gap_drawing(path)
    ranks = _ranks(path)
    parts = [
        Part(_entity(node), ranks[_entity(node)], _kind(node, path), node, wide=_ENTITY_WIDE, most=2)
        for node in path.nodes
    ]
    joins = []
    for index, edge in enumerate(path.edges):
        key = _fact(index)
        if key not in ranks:
            continue
        parts.append(
            Part(
                key,
                ranks[key],
                "fact",
                edge.text,
                href=anchor(edge.citations[0]) if edge.citations else "",
                wide=_FACT_WIDE,
            )
        )
        for node in edge.entities:
            ends = sorted((key, _entity(node)), key=lambda end: ranks.get(end, 0))
            joins.append(Join(*ends))
    facts = sum(part.kind == "fact" for part in parts)
    return diagram(f"Path of {facts} facts through {len(path.nodes)} names", parts, joins)


def _gap_drawing(path: RecoveredPath) -> Diagram | None:
    if path.gap is None:
        return None
    parts = [
        Part("from", 0, "question", path.gap.source, wide=_ENTITY_WIDE, most=2),
        Part("gap", 1, "gap", "Nothing connects these two.", wide=_FACT_WIDE),
        Part("to", 2, "lost", path.gap.target, wide=_ENTITY_WIDE, most=2),
    ]
    return diagram(f"No path: {path.gap.text}", parts, [Join("from", "gap"), Join("gap", "to")])


def _ranks(path: RecoveredPath) -> Mapping[str, int]:
    """How many steps each entity and fact lies from what the question names."""
    beside: dict[str, list[str]] = {_entity(node): [] for node in path.nodes}
    for index, edge in enumerate(path.edges):
        ends = [_entity(node) for node in edge.entities if _entity(node) in beside]
        if ends:
            beside[_fact(index)] = ends
            for end in ends:
                beside[end].append(_fact(index))
    asked = [_entity(node) for node in path.nodes if _kind(node, path) == "question"]
    ranks: dict[str, int] = {}
    # What cannot be reached from the question starts a part of its own.
    for starts in (asked, *([_entity(node)] for node in path.nodes)):
        fresh = [start for start in starts if start not in ranks]
        ranks |= dict.fromkeys(fresh, 0)
        queue = deque(fresh)
        while queue:
            here = queue.popleft()
            for there in beside[here]:
                if there not in ranks:
                    ranks[there] = ranks[here] + 1
                    queue.append(there)
    return ranks


def _kind(node: str, path: RecoveredPath) -> str:
    if path.answer is not None and node.casefold() == path.answer.casefold():
        return "answer"
    asked = {entity.casefold() for entity in path.question}
    return "question" if node.casefold() in asked else "entity"


def _entity(node: str) -> str:
    return f"entity {node}"


def _fact(index: int) -> str:
    return f"fact {index}"
