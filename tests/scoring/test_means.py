"""Intervals on data whose answer is known."""

from __future__ import annotations

import math
import random

import pytest

from scoring.means import mean_of


def test_the_interval_of_a_normal_sample_is_the_textbooks() -> None:
    rng = random.Random(1)
    values = [rng.gauss(10, 2) for _ in range(400)]
    found = mean_of(values, seed=0)
    mean = sum(values) / 400
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / 399 / 400)
    assert found.mean == pytest.approx(mean)
    assert found.low == pytest.approx(mean - 1.96 * error, abs=0.25 * error)
    assert found.high == pytest.approx(mean + 1.96 * error, abs=0.25 * error)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = random.Random(2)
    inside = 0
    for trial in range(200):
        found = mean_of([float(rng.random() < 0.3) for _ in range(60)], seed=trial)
        assert found.low is not None and found.high is not None
        inside += found.low <= 0.3 <= found.high
    assert 180 <= inside <= 199


def test_the_seed_makes_an_interval_repeatable() -> None:
    values = [0.0, 1.0, 1.0, 0.3, 0.7] * 9
    assert mean_of(values, 5) == mean_of(values, 5)
    assert mean_of(values, 5) != mean_of(values, 6)


def test_few_values_claim_no_more_than_they_can() -> None:
    assert mean_of([], 0) == (empty := mean_of([], 1)) and (empty.mean, empty.count) == (None, 0)
    one = mean_of([0.4], 0)
    assert (one.mean, one.low, one.high, one.count) == (0.4, None, None, 1)
    same = mean_of([1.0, 1.0, 1.0], 0)
    assert (same.low, same.high) == (1.0, 1.0)
