"""A verdict for people: the path, the gap, and why every other proposition is off the path."""

from __future__ import annotations

from scoring.graph import BODY, Graph
from scoring.identity import Names
from scoring.types import Extraction
from scoring.verdict import Verdict


def why_off(extraction: Extraction, verdict: Verdict) -> dict[int, str]:
    """Return, for each proposition that is not on the path, the reason."""
    names = Names(extraction)
    graph = Graph(extraction.propositions, names, BODY)
    on = set(verdict.path.propositions)
    meanings = graph.meanings()
    said = {meanings[place] for place in on}
    reached = set(graph.reach([names.key(entity) for entity in extraction.question_entities]))
    reasons: dict[int, str] = {}
    for place, one in enumerate(extraction.propositions):
        edges = [edge for edge in graph.edges if edge.proposition == place]
        if place in on:
            continue
        if one.role != "body":
            reasons[place] = "a conclusion" if one.role == "head" else "talk about the answer, no fact"
        elif not one.triples:
            reasons[place] = "no fact was found in it"
        elif all(triple.negated for triple in one.triples):
            reasons[place] = "negated, so it connects nothing"
        elif meanings.get(place) in said:
            reasons[place] = "says again what the path already says"
        elif not any(edge.entities & reached for edge in edges):
            reasons[place] = "connected to nothing that the question names"
        else:
            reasons[place] = "connected, but not needed" if on else "connected to the question, leads to no answer"
    return reasons


def as_tree(extraction: Extraction, verdict: Verdict) -> str:
    """Return the explanation as an indented tree of plain text."""
    lines = [_headline(verdict)]
    if verdict.path.edges:
        lines.append("├─ path")
        lines += [f"│  ├─ [{e.proposition}] {' — '.join(e.entities)}: {e.text}" for e in verdict.path.edges]
    if verdict.gap is not None:
        lines.append(f"├─ gap: {verdict.gap.text}")
    lines += [f"├─ {measure}: not applicable, {reason}" for measure, reason in verdict.not_applicable.items()]
    lines.append("└─ off the path")
    for place, reason in why_off(extraction, verdict).items():
        lines.append(f"   ├─ [{place}] {extraction.propositions[place].text} ({reason})")
    return "\n".join(lines)


def _headline(verdict: Verdict) -> str:
    figures = (("C", verdict.completeness), ("E", verdict.essentiality), ("D", verdict.determinateness))
    parts = [f"{name} {'not applicable' if value is None else f'{value:g}'}" for name, value in figures]
    return f"{', '.join(parts)}; anchor {verdict.anchor or 'none'}; class {verdict.failure_class or 'none'}"


def as_mermaid(verdict: Verdict) -> str:
    """Return the path, or the gap, as a Mermaid flow chart."""
    numbers: dict[str, str] = {}

    def node(name: str) -> str:
        if name not in numbers:
            numbers[name] = f"n{len(numbers)}"
            return f'{numbers[name]}["{_escaped(name)}"]'
        return numbers[name]

    lines = ["flowchart LR"]
    for edge in verdict.path.edges:
        first, *others = [name for name in verdict.path.nodes if name in edge.entities] or edge.entities
        lines += [f"  {node(first)} -- {edge.proposition} --- {node(other)}" for other in others]
    if verdict.gap is not None:
        lines.append(f"  {node(verdict.gap.source)} -. nothing .- {node(verdict.gap.target)}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Mermaid's own escapes, so that no name can end its label or begin markup."""
    return "".join(char if char.isalnum() or char in " .,'-()" else f"#{ord(char)};" for char in text)
