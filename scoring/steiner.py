"""The smallest set of facts that connects several entities at once."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence

from scoring.graph import Graph
from scoring.paths import Route, shortest_route

#: Above these the tree is approximated. The exact method takes 3^terminals steps a node.
MAX_TERMINALS = 7
MAX_NODES = 4000
#: Above this many branches each is connected on its own.
MAX_BRANCHES = 4

_ONE = 1 << 48


def steiner_tree(graph: Graph, terminals: Iterable[str]) -> Route | None:
    """Return the fewest hyperedges that connect all ``terminals``, or None where nothing does.

    Exact (Dreyfus and Wagner 1971, with the weight on the hyperedges) up to :data:`MAX_TERMINALS`
    terminals and :data:`MAX_NODES` nodes. Above, terminals are added one by one, nearest first,
    and the route says that it is not exact. Equal trees are told apart by content hash.
    """
    wanted = sorted(set(terminals))
    if not wanted:
        return None
    within = graph.reach(wanted[:1])
    if any(terminal not in within for terminal in wanted):
        return None
    if len(wanted) == 1:
        return Route(())
    edges = sorted({edge for entity in within for edge in graph.at[entity]})
    if len(wanted) > MAX_TERMINALS or len(within) + len(edges) > MAX_NODES:
        return _approximate(graph, wanted)
    return Route(tuple(sorted(_Exact(graph, within, edges).solve(wanted))))


def steiner_forest(graph: Graph, pairs: Sequence[tuple[str, str]]) -> Route | None:
    """Return the fewest hyperedges that connect the two entities of every pair, or None.

    Exact up to :data:`MAX_BRANCHES` pairs: every way to share trees between pairs is tried. Above,
    the union of the shortest routes is taken.
    """
    routes = [shortest_route(graph, [start], [end]) for start, end in pairs]
    if any(route is None for route in routes):
        return None
    union = _union(route for route in routes if route)
    if len(pairs) > MAX_BRANCHES:
        return Route(union.edges, exact=len(pairs) == 1)
    best = union
    for groups in _partitions(list(pairs)):
        trees = [steiner_tree(graph, {entity for pair in group for entity in pair}) for group in groups]
        if all(tree is not None for tree in trees):
            candidate = _union(tree for tree in trees if tree)
            if _cost(graph, candidate.edges) < _cost(graph, best.edges):
                best = candidate
    return best


def _union(routes: Iterable[Route]) -> Route:
    found = list(routes)
    edges = sorted({edge for route in found for edge in route.edges})
    return Route(tuple(edges), exact=all(route.exact for route in found))


def _weight(graph: Graph, edge: int) -> int:
    """One, and a little more that depends on the content only, so that no two trees cost the same."""
    return _ONE + int(graph.edges[edge].order[:8], 16)


def _cost(graph: Graph, edges: Iterable[int]) -> tuple[int, int]:
    chosen = list(edges)
    distinct = len({graph.edges[edge].proposition for edge in chosen})
    return distinct, sum(_weight(graph, edge) for edge in chosen)


def _partitions(items: list[tuple[str, str]]) -> Iterator[list[list[tuple[str, str]]]]:
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in _partitions(rest):
        yield [[first], *smaller]
        for place, group in enumerate(smaller):
            yield [*smaller[:place], [first, *group], *smaller[place + 1 :]]


def _approximate(graph: Graph, wanted: list[str]) -> Route | None:
    inside, missing, edges = {wanted[0]}, set(wanted[1:]), set[int]()
    while missing:
        route = shortest_route(graph, sorted(missing), sorted(inside))
        if route is None:
            return None
        edges.update(route.edges)
        for edge in route.edges:
            inside |= graph.edges[edge].entities
        inside |= set(route.nodes)
        missing -= inside
    return Route(tuple(sorted(edges)), exact=False)


class _Exact:
    """Dynamic programming over subsets of terminals.

    Nodes are entities (0 to n-1, free) and hyperedges (n and above, weighted). ``cost[s][v]`` is
    the weight of the lightest tree that spans the terminals in the bit set ``s`` and the node ``v``.
    """

    def __init__(self, graph: Graph, entities: Iterable[str], edges: Sequence[int]) -> None:
        self._edges = edges
        self._entities = sorted(entities)
        self._number = {entity: place for place, entity in enumerate(self._entities)}
        count = len(self._entities)
        self._next: list[list[int]] = [[] for _ in range(count + len(edges))]
        self._weight = [0] * count + [_weight(graph, edge) for edge in edges]
        for place, edge in enumerate(edges, start=count):
            for entity in graph.edges[edge].entities:
                self._next[place].append(self._number[entity])
                self._next[self._number[entity]].append(place)

    def solve(self, terminals: list[str]) -> set[int]:
        """Return the edges of the lightest tree over ``terminals``, all of one component."""
        full = (1 << (len(terminals) - 1)) - 1
        cost: list[dict[int, int]] = [{} for _ in range(full + 1)]
        came: list[dict[int, tuple[int, int]]] = [{} for _ in range(full + 1)]
        for subset in range(1, full + 1):
            if subset & (subset - 1) == 0:
                cost[subset][self._number[terminals[subset.bit_length() - 1]]] = 0
            part = (subset - 1) & subset
            while part > subset ^ part:
                for node, left in cost[part].items():
                    right = cost[subset ^ part].get(node)
                    total = left + right - self._weight[node] if right is not None else None
                    if total is not None and total < cost[subset].get(node, total + 1):
                        cost[subset][node], came[subset][node] = total, (part, node)
                part = (part - 1) & subset
            self._spread(cost[subset], came[subset])
        return self._collect(came, full, self._number[terminals[-1]])

    def _spread(self, cost: dict[int, int], came: dict[int, tuple[int, int]]) -> None:
        heap = [(value, node) for node, value in cost.items()]
        heapq.heapify(heap)
        while heap:
            value, node = heapq.heappop(heap)
            if value > cost[node]:
                continue
            for other in self._next[node]:
                total = value + self._weight[other]
                if total < cost.get(other, total + 1):
                    cost[other], came[other] = total, (0, node)
                    heapq.heappush(heap, (total, other))

    def _collect(self, came: list[dict[int, tuple[int, int]]], full: int, last: int) -> set[int]:
        found: set[int] = set()
        pending = [(full, last)]
        while pending:
            subset, node = pending.pop()
            if node >= len(self._entities):
                found.add(self._edges[node - len(self._entities)])
            if node in came[subset]:
                part, before = came[subset][node]
                pending += [(part, node), (subset ^ part, node)] if part else [(subset, before)]
        return found
