"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Cormack, Clarke and Büttcher, SIGIR 2009.
RRF_K = 60


def fuse(rankings: Sequence[NDArray[np.int64]], weights: Sequence[float], k: int = RRF_K) -> dict[int, float]:
    """Return ``{row: sum of weight / (k + rank)}`` over rankings given best first; ranks count from 1."""
    total: dict[int, float] = {}
    for rows, weight in zip(rankings, weights, strict=True):
        for rank, row in enumerate(rows.tolist(), start=1):
            total[row] = total.get(row, 0.0) + weight / (k + rank)
    return total


def top(scores: NDArray[np.float32], n: int, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Return the rows of the ``n`` largest positive scores among the allowed, best first, ties by row."""
    if allowed is not None:
        scores = np.where(allowed, scores, 0.0).astype(np.float32)
    if n < len(scores):
        # Everything that ties with the last place, so that a tie is settled by row and nothing else.
        floor = np.partition(scores, len(scores) - n)[len(scores) - n]
        rows = np.flatnonzero(scores >= max(floor, np.finfo(np.float32).tiny))
    else:
        rows = np.flatnonzero(scores > 0)
    order = np.lexsort((rows, -scores[rows]))[:n]
    return rows[order].astype(np.int64)
