"""The shortest connection between two sides of the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scoring.graph import Graph

_Half = tuple[int, tuple[str, ...], tuple[str, ...], tuple[int, ...]]
#: How many half routes of a layer are kept where propositions have several components.
_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Route:
    """Hyperedges, as indexes into the graph's edges, that connect what had to be connected.

    ``nodes`` are the entities passed, from the first side to the second; empty for a tree.
    """

    edges: tuple[int, ...]
    nodes: tuple[str, ...] = ()
    exact: bool = True


def shortest_route(graph: Graph, starts: Collection[str], ends: Collection[str]) -> Route | None:
    """Return the route with the fewest hyperedges from any of ``starts`` to any of ``ends``, or None.

    Breadth-first from the ends, without recursion. Among equally short routes one with the fewest
    distinct propositions is taken, and among those the one whose content hashes come first.
    """
    distance = graph.reach(ends)
    near = sorted((distance[start], start) for start in set(starts) if start in distance)
    if not near:
        return None
    length = near[0][0]
    # Every start at that distance is as good; the hashes decide among them.
    frontier = [start for far, start in near if far == length]
    if _has_repeats(graph, distance, length):
        return _fewest_propositions(graph, distance, frontier, length)
    nodes: list[str] = []
    edges: list[int] = []
    while True:
        if length == 0:
            nodes.append(min(frontier))
            return Route(tuple(edges), tuple(nodes))
        _, node, edge = min(
            (graph.edges[edge].order, node, edge)
            for node in frontier
            for edge in graph.at[node]
            if any(distance.get(other) == length - 1 for other in graph.edges[edge].entities)
        )
        nodes.append(node)
        edges.append(edge)
        length -= 1
        frontier = [other for other in graph.edges[edge].entities if distance.get(other) == length]


def _has_repeats(graph: Graph, distance: Mapping[str, int], length: int) -> bool:
    """Whether a shortest route could use one proposition twice, by two of its unrelated facts."""
    near = (entity for entity, far in distance.items() if far <= length)
    edges = {edge for entity in near for edge in graph.at[entity]}
    counts = Counter(graph.edges[edge].proposition for edge in edges)
    return length > 1 and any(count > 1 for count in counts.values())


def _fewest_propositions(
    graph: Graph, distance: Mapping[str, int], frontier: Collection[str], length: int
) -> Route:
    """Choose among all shortest routes, layer by layer; exact while a layer has few enough half routes."""
    counts = Counter(edge.proposition for edge in graph.edges)
    # For each node and each set of repeatable propositions used so far, the best half route:
    # (distinct propositions, hashes, nodes, edges).
    layer: dict[tuple[str, frozenset[int]], _Half] = {
        (node, frozenset()): (0, (), (node,), ()) for node in frontier
    }
    for remaining in range(length, 0, -1):
        following: dict[tuple[str, frozenset[int]], _Half] = {}
        for (node, used), (distinct, orders, nodes, edges) in layer.items():
            for edge in graph.at[node]:
                hyperedge = graph.edges[edge]
                repeated = hyperedge.proposition in used
                now = used | {hyperedge.proposition} if counts[hyperedge.proposition] > 1 else used
                for other in hyperedge.entities:
                    if distance.get(other) == remaining - 1:
                        half = (
                            distinct + (not repeated),
                            (*orders, hyperedge.order),
                            (*nodes, other),
                            (*edges, edge),
                        )
                        if (other, now) not in following or half < following[other, now]:
                            following[other, now] = half
        layer = dict(sorted(following.items(), key=lambda item: item[1])[:_KEPT])
    _, _, nodes, edges = min(layer.values())
    return Route(edges, nodes)
