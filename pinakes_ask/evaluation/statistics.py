"""Tests of paired differences. The seed makes them repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from scoring.means import Mean, mean_of, resamples_at_once

#: Resamples of a permutation test where not all permutations can be tried.
PERMUTATIONS = 9999
Test = Literal["exact McNemar", "permutation (sign flips)"]


@dataclass(frozen=True)
class Paired:
    """Differences on the same questions, ``this - other``.

    :param p: chance of a difference this large if the two were alike; None without pairs.
    :param wins: pairs in which this is larger; :param losses: pairs in which the other is.
    """

    difference: Mean
    test: Test
    p: float | None
    wins: int
    losses: int


def compare(this: Sequence[float], other: Sequence[float], *, binary: bool, seed: int) -> Paired:
    """Test whether two measures of the same questions differ.

    :param this: one value a question; :param other: those of the same questions, in the same order.
    :param binary: whether values are 0 or 1. Then McNemar's exact test is made on the questions that differ
        (McNemar 1947), else a permutation test that flips the signs of the differences (Fisher 1935).
    """
    differences = np.asarray(this, float) - np.asarray(other, float)
    test: Test = "exact McNemar" if binary else "permutation (sign flips)"
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    p: float | None = None
    if len(differences):
        p = 1.0 if not wins + losses else _mcnemar(wins, losses) if binary else _permutation(differences, seed)
    return Paired(mean_of(differences.tolist(), seed), test, p, wins, losses)


def _mcnemar(wins: int, losses: int) -> float:
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, 0.5).pvalue)


def _permutation(differences: Any, seed: int) -> float:
    """Flip signs. Where a difference is 0 its sign changes nothing, so it is left out."""
    from scipy.stats import permutation_test

    nonzero = differences[differences != 0]
    if len(nonzero) == 1:
        # Either sign is as extreme as the other, and the library takes no single pair.
        return 1.0
    found = permutation_test(
        (nonzero,), np.sum, permutation_type="samples", n_resamples=PERMUTATIONS,
        batch=resamples_at_once(len(nonzero)), rng=np.random.default_rng(seed), vectorized=True,
    )  # fmt: skip
    return float(found.pvalue)
