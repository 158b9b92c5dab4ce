"""Means with bootstrap intervals. The seed makes them repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000


@dataclass(frozen=True)
class Mean:
    """A mean over ``count`` values with its 95 % interval; all None without values, no interval of one."""

    mean: float | None
    low: float | None
    high: float | None
    count: int


def mean_of(values: Sequence[float], seed: int) -> Mean:
    """Return the mean and its percentile bootstrap interval (Efron and Tibshirani 1993, chapter 13)."""
    if not values:
        return Mean(None, None, None, 0)
    sample = np.asarray(values, float)
    mean = float(sample.mean())
    if len(sample) < 2:
        return Mean(mean, None, None, 1)
    if sample.min() == sample.max():
        return Mean(mean, mean, mean, len(sample))
    from scipy.stats import bootstrap

    found = bootstrap(
        (sample,), np.mean, n_resamples=RESAMPLES, batch=resamples_at_once(len(sample)), method="percentile",
        rng=np.random.default_rng(seed), vectorized=True,
    ).confidence_interval  # fmt: skip
    return Mean(mean, float(found.low), float(found.high), len(sample))


def resamples_at_once(size: int) -> int:
    """How many resamples to hold at once: some 8 MB."""
    return max(1, 1_000_000 // max(1, size))
