"""The rows at hand are those of the table, however they come and go."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.retrieval.lancedb_index.built import lance_passages, needs_lancedb

pytestmark = pytest.mark.slow


def test_rows_are_right_when_there_is_room_for_few(tmp_path: Path) -> None:
    needs_lancedb()
    count = 300
    vectors = np.random.default_rng(1).normal(size=(count, 4)).astype(np.float32)
    words = ["" if row % 7 == 0 else " ".join([f"w{row}", "shared"] * (1 + row % 3)) for row in range(count)]
    passages = lance_passages(words, vectors, tmp_path, room=20)

    def look(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(60):
            rows = random.integers(0, count, random.integers(0, 25))
            np.testing.assert_array_equal(passages.vectors(rows), vectors[rows])
            places, numbers = passages.words(rows)
            expected = [(place, token) for place, row in enumerate(rows) for token in words[row].split()]
            assert places.tolist() == [place for place, _ in expected]
            assert numbers.tolist() == [passages.number(token) for _, token in expected]

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(look, range(4)))
