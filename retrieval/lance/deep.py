"""Looking as deep as it takes: candidates among the allowed rows, however few those are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Candidates beyond those wanted, since LanceDB's scores order them a little otherwise than ours.
MARGIN = 50
#: Where no more rows than this are allowed, all of them are candidates.
FEW = 1000


def among(find: Callable[[int], Rows], n: int, allowed: Mask | None, total: int) -> Rows:
    """Return candidates for the best ``n`` of the allowed rows: at least as many, where there are.

    :param find: returns the best ``limit`` rows of all, fewer only where there are no more.
    """
    if allowed is not None and np.count_nonzero(allowed) <= FEW:
        return np.flatnonzero(allowed)
    limit = n + MARGIN
    while True:
        found = find(min(limit, total)) if total else np.zeros(0, np.int64)
        kept = found if allowed is None else found[allowed[found]]
        if allowed is None or len(kept) >= n + MARGIN or limit >= total or len(found) < limit:
            return kept
        limit *= 4
