"""The shortest connection between two sides of the graph."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scoring.graph import Graph


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

    Breadth-first from the ends, without recursion. Among equally short routes the one whose
    content hashes come first is taken.
    """
    distance = graph.reach(ends)
    near = sorted((distance[start], start) for start in set(starts) if start in distance)
    if not near:
        return None
    length = near[0][0]
    # Every start at that distance is as good; the hashes decide among them.
    frontier = [start for far, start in near if far == length]
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
