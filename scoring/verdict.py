"""What scoring says about an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Anchor = Literal["gold", "self"]
#: What is wrong with an answer's reasoning; described in :mod:`scoring.failures`.
FailureClass = Literal[
    "extraction_failed",
    "wrong_answer",
    "head_only",
    "circular",
    "deviated",
    "unresolved_reference",
    "answer_unstated",
    "question_unmentioned",
    "partial_branch",
    "broken",
    "undetermined",
]


@dataclass(frozen=True, slots=True)
class Gap:
    """The two entities that the answer leaves unconnected, from the question's side to the answer's."""

    source: str
    target: str

    @property
    def text(self) -> str:
        """The gap in words."""
        return f"nothing connects {self.source} to {self.target}"

    def to_json(self) -> dict[str, str]:
        """Return ``{from, to, text}``."""
        return {"from": self.source, "to": self.target, "text": self.text}


@dataclass(frozen=True, slots=True)
class Edge:
    """A proposition on the path, with the entities it joins there."""

    proposition: int
    entities: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Path:
    """The recovered reasoning: entities, and the propositions that join them, in reading order.

    For a chain the nodes run from the question to the answer; for a tree or for branches the order
    is that of the entities' names.
    """

    nodes: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()

    @property
    def propositions(self) -> tuple[int, ...]:
        """The distinct propositions on the path, by index, in path order."""
        return tuple(dict.fromkeys(edge.proposition for edge in self.edges))

    def to_json(self) -> dict[str, Any]:
        """Return ``{nodes, edges: [{proposition, entities, text}]}``."""
        return {
            "nodes": list(self.nodes),
            "edges": [
                {"proposition": edge.proposition, "entities": list(edge.entities), "text": edge.text}
                for edge in self.edges
            ],
        }


@dataclass(frozen=True, slots=True)
class Measures:
    """C, E and D by one set of definitions; None is "not applicable", never a value."""

    completeness: int | None = None
    essentiality: float | None = None
    determinateness: int | None = None

    def to_json(self) -> dict[str, float | None]:
        """Return the three measures under their names."""
        return {
            "completeness": self.completeness,
            "essentiality": self.essentiality,
            "determinateness": self.determinateness,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The scores of one answer.

    :ivar anchor: which answer the headline figures were computed for; None when there was none.
    :ivar completeness: 1 when the body connects question and answer, 0 when not, None: not applicable.
    :ivar essentiality: share of the body that the shortest connection needs, from 0 to 1, or None.
    :ivar determinateness: 1 when the long answer alone yields the same short answer, or None.
    :ivar failure_class: what went wrong; None when nothing did, or when C is not applicable.
    :ivar anchors: the measures for each anchor that exists.
    :ivar not_applicable: the reason for every measure that is None.
    :ivar paper: the paper's literal definitions: every proposition, no branches, gold anchor.
    :ivar counts: propositions by role, duplicates, those without a triple, and what was dropped.
    :ivar exact: False where the smallest tree was only approximated, because of its size.
    :ivar determinateness_by: who inferred the short answer again, e.g. ``same-model``; or None.
    """

    anchor: Anchor | None
    completeness: int | None
    essentiality: float | None
    determinateness: int | None
    failure_class: FailureClass | None
    gap: Gap | None
    path: Path
    anchors: Mapping[Anchor, Measures] = field(default_factory=dict)
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    paper: Measures = field(default_factory=Measures)
    counts: Mapping[str, int] = field(default_factory=dict)
    exact: bool = True
    determinateness_by: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain JSON values; ``path`` is the list of proposition indexes."""
        return {
            "anchor": self.anchor,
            "completeness": self.completeness,
            "essentiality": self.essentiality,
            "determinateness": self.determinateness,
            "class": self.failure_class,
            "gap": self.gap.to_json() if self.gap else None,
            "path": list(self.path.propositions),
            "anchors": {name: measures.to_json() for name, measures in self.anchors.items()},
            "not_applicable": dict(self.not_applicable),
            "paper": self.paper.to_json(),
            "counts": dict(self.counts),
            "exact": self.exact,
            "determinateness_by": self.determinateness_by,
        }
