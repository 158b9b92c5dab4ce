"""The graph of an answer: entities on one side, the facts that join them on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.text import content_words, fold, words
from scoring.identity import Names
from scoring.types import Proposition, Role

#: The propositions that carry the reasoning; those and the conclusions; all.
BODY: frozenset[Role] = frozenset({"body"})
BODY_AND_HEAD: frozenset[Role] = frozenset({"body", "head"})
ALL: frozenset[Role] = frozenset({"body", "head", "meta"})


#: The relation of a triple, folded, and the entities at its two ends.
Fact = tuple[str, frozenset[str]]
#: Facts, and the content words of their proposition that name none of its entities.
Meaning = tuple[frozenset[Fact], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Hyperedge:
    """One connected component of a proposition's triples, which joins all its entities at once.

    ``meaning`` is what it says, without direction, whatever its entities are called: its relations
    and their ends, and the words around them. ``order`` is the proposition's content hash; it breaks
    ties, so that the order of propositions never matters.
    """

    proposition: int
    entities: frozenset[str]
    meaning: Meaning
    order: str


def content_hash(proposition: Proposition) -> str:
    """Return a hash of what a proposition says: its text and triples, not its place or role."""
    facts = sorted(
        "\x1f".join((*sorted((t.subject, t.object)), t.relation, str(t.negated))) for t in proposition.triples
    )
    return hashlib.sha256("\x1e".join([proposition.text, *facts]).encode("utf-8", "replace")).hexdigest()


class Graph:
    """The bipartite graph over the propositions of the given roles.

    Two unrelated facts in one proposition are two hyperedges, so they connect nothing. Negated
    triples and triples with an empty argument make no hyperedge.

    :ivar edges: the hyperedges, in the order of the propositions.
    :ivar at: for each entity, the indexes into :attr:`edges` of the hyperedges it is in.
    """

    def __init__(self, propositions: Iterable[Proposition], names: Names, roles: frozenset[Role]) -> None:
        self.edges: list[Hyperedge] = []
        self.at: dict[str, list[int]] = {}
        for index, proposition in enumerate(propositions):
            if proposition.role in roles:
                self._add(index, proposition, names)

    def _add(self, index: int, proposition: Proposition, names: Names) -> None:
        if not proposition.triples:
            return
        order = content_hash(proposition)
        named = " ".join(name for triple in proposition.triples for name in (triple.subject, triple.object))
        said = frozenset(content_words(proposition.text)).difference(words(named))
        parts: list[tuple[set[str], set[Fact]]] = []
        for triple in proposition.triples:
            if triple.negated or not triple.subject.strip() or not triple.object.strip():
                continue
            ends = {
                names.key_in(triple.subject, proposition, order),
                names.key_in(triple.object, proposition, order),
            }
            fact = (fold(triple.relation).strip(), frozenset(ends))
            joined = [part for part in parts if part[0] & ends]
            parts = [part for part in parts if not part[0] & ends]
            parts.append((ends.union(*(part[0] for part in joined)), {fact}.union(*(part[1] for part in joined))))
        for part, facts in sorted(parts, key=lambda part: sorted(part[0])):
            for entity in part:
                self.at.setdefault(entity, []).append(len(self.edges))
            self.edges.append(Hyperedge(index, frozenset(part), (frozenset(facts), said), order))

    def meanings(self) -> dict[int, Meaning]:
        """Return what each proposition of the graph says, by its index."""
        found: dict[int, Meaning] = {}
        for edge in self.edges:
            facts, said = edge.meaning
            found[edge.proposition] = (found.get(edge.proposition, (frozenset(), said))[0] | facts, said)
        return found

    def __contains__(self, entity: str) -> bool:
        return entity in self.at

    def reach(self, sources: Iterable[str]) -> dict[str, int]:
        """Return the distance in hyperedges of every entity that the sources are connected to.

        Sources that are in the graph have distance 0. The order is breadth-first.
        """
        distance = {source: 0 for source in sorted(set(sources)) if source in self.at}
        queue = list(distance)
        seen: set[int] = set()
        for entity in queue:
            for edge in self.at[entity]:
                if edge not in seen:
                    seen.add(edge)
                    for other in self.edges[edge].entities:
                        if other not in distance:
                            distance[other] = distance[entity] + 1
                            queue.append(other)
        return distance
