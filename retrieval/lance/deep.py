"""Looking as deep as it takes: the best rows by our scores, among candidates that LanceDB finds by its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]
#: Candidates beyond those wanted, since LanceDB's scores order them a little otherwise than ours.
MARGIN = 50
#: Where no more rows than this are allowed, all of them are candidates.
FEW = 1000
#: Rows with equal scores are told apart by their place, for which all of them must be seen; up to this many.
MOST_TIED = 5000


def deepest(
    find: Callable[[int], Rows], score: Callable[[Rows], Scores], n: int, allowed: Mask | None, total: int
) -> tuple[Rows, Scores]:
    """Return the best ``n`` of the allowed rows with their scores, best first, ties by row.

    :param find: returns the best ``limit`` rows of all by LanceDB's scores, fewer only where there are no more.
    :param score: returns our scores of rows.
    :param total: number of all rows.
    """
    if total == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    if allowed is not None and np.count_nonzero(allowed) <= FEW:
        rows = np.flatnonzero(allowed)
        return _best(rows, score(rows), n)
    limit = n + MARGIN
    while True:
        found = find(min(limit, total))
        kept = found if allowed is None else found[allowed[found]]
        scores = score(kept)
        rows, best = _best(kept, scores, n)
        if len(found) < limit or limit >= total:
            return rows, best
        # What LanceDB found last must be worse than what is wanted last, or more such may follow.
        if len(rows) == n and (scores[-1] < best[-1] or limit > MOST_TIED):
            return rows, best
        limit *= 4


def _best(rows: Rows, scores: Scores, n: int) -> tuple[Rows, Scores]:
    order = np.lexsort((rows, -scores))[:n]
    return rows[order], scores[order]
