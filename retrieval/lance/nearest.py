"""Meaning: LanceDB's vector search finds candidates, and they are scored exactly."""

from __future__ import annotations

from functools import partial

import numpy as np

from retrieval.indexes.vectors import Mask, Ranked
from retrieval.lance.deep import Rows, deepest
from retrieval.lance.failures import talking
from retrieval.lance.page import Passages
from retrieval.protocols import Vectors

#: Cells of the approximate index that a query looks into.
PROBES = 32
#: Candidates that the approximate index brings for each one wanted; their exact order is LanceDB's to find.
REFINED = 3


class LanceNearest:
    """The passages of one generation by inner product.

    :param approximate: the table has an index over its vectors; without one every vector is read.
    """

    def __init__(self, passages: Passages, *, approximate: bool) -> None:
        self._passages, self._approximate = passages, approximate

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[Ranked]:
        """Return ``(rows, scores)`` for each query: at most ``n`` allowed rows, best first, ties by row."""
        return [self._one(query, n, allowed) for query in queries]

    def _one(self, query: Vectors, n: int, allowed: Mask | None) -> Ranked:
        total = len(self._passages)
        wanted = total if allowed is None else int(np.count_nonzero(allowed))

        def score(rows: Rows) -> Vectors:
            return (self._passages.vectors(rows) @ query).astype(np.float32)

        found = deepest(partial(self._found, query, exact=not self._approximate), score, n, allowed, total)
        if self._approximate and len(found[0]) < min(n, wanted):
            # The cells that were looked into hold too few of the allowed rows.
            found = deepest(partial(self._found, query, exact=True), score, n, allowed, total)
        return found

    def _found(self, query: Vectors, limit: int, *, exact: bool) -> Rows:
        passages = self._passages
        with talking(passages.uri):
            search = passages.table.search(query, vector_column_name="vector").distance_type("dot")
            search = search.bypass_vector_index() if exact else search.nprobes(PROBES).refine_factor(REFINED)
            found = search.with_row_id(True).select(["_distance"]).limit(limit).to_arrow()
        return passages.rows(found["_rowid"].to_numpy().astype(np.int64))
