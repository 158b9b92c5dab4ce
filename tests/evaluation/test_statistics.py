"""Tests of differences on data whose answer is known."""

from __future__ import annotations

import math
import random

import pytest

from pinakes_ask.evaluation.statistics import compare


def test_mcnemar_is_the_exact_binomial_of_the_pairs_that_differ() -> None:
    this = [1.0] * 9 + [0.0] * 1 + [1.0] * 40
    other = [0.0] * 9 + [1.0] * 1 + [1.0] * 40
    found = compare(this, other, binary=True, seed=0)
    by_hand = 2 * sum(math.comb(10, k) for k in (0, 1)) / 2**10
    assert (found.test, found.wins, found.losses) == ("exact McNemar", 9, 1)
    assert found.p == pytest.approx(by_hand)
    assert found.difference.mean == pytest.approx(8 / 50)


def test_the_permutation_test_counts_the_signs_that_are_as_extreme() -> None:
    # Of the 2^5 signs of 1, 2, 3, 4, 5 only all plus and all minus are as far from 0 as 15.
    found = compare([1.0, 2.0, 3.0, 4.0, 5.0, 7.0], [0.0, 0.0, 0.0, 0.0, 0.0, 7.0], binary=False, seed=0)
    assert found.p == pytest.approx(2 / 32)
    assert (found.wins, found.losses, found.difference.count) == (5, 0, 6)


def test_a_large_difference_is_found_and_none_is_not() -> None:
    rng = random.Random(3)
    base = [rng.random() for _ in range(200)]
    better = [value + 0.2 + rng.gauss(0, 0.1) for value in base]
    noise = [value + rng.gauss(0, 0.1) for value in base]
    strong = compare(better, base, binary=False, seed=0)
    weak = compare(noise, base, binary=False, seed=0)
    assert strong.p is not None and strong.p < 0.001
    assert weak.p is not None and weak.p > 0.05


def test_equal_runs_are_equal_and_no_pairs_say_nothing() -> None:
    assert compare([1.0, 0.0], [1.0, 0.0], binary=True, seed=0).p == 1.0
    assert compare([0.5, 0.25], [0.5, 0.25], binary=False, seed=0).p == 1.0
    assert compare([], [], binary=False, seed=0).p is None


FEW = [(pairs, differing) for pairs in range(1, 5) for differing in range(1, pairs + 1)]


@pytest.mark.parametrize(("pairs", "differing"), FEW)
def test_the_fewest_pairs_can_be_tested_and_show_little(pairs: int, differing: int) -> None:
    this = [0.5 * (place + 1) if place < differing else 0.0 for place in range(pairs)]
    found = compare(this, [0.0] * pairs, binary=False, seed=0)
    assert found.p == pytest.approx(2 / 2**differing)
    ones = [float(place < differing) for place in range(pairs)]
    assert compare(ones, [0.0] * pairs, binary=True, seed=0).p == pytest.approx(2 / 2**differing)
