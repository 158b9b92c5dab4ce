"""One conformance suite for every make of the two indexes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import fuse, top
from retrieval.hops.csr import Ragged
from retrieval.indexes.reference import RankBm25Index
from retrieval.indexes.vectors import FlatIndex, HalfIndex, InvertedIndex, VectorIndex
from retrieval.indexes.words import Bm25sIndex, WordIndex
from tests.retrieval.lancedb_index.built import lance_nearest, lance_words, needs_lancedb

Passages = list[list[str]]


def reloaded(passages: Passages, folder: Path) -> WordIndex:
    Bm25sIndex.build(passages).save(folder)
    return Bm25sIndex.load(folder)


def shared(passages: Passages, folder: Path) -> WordIndex:
    needs_lancedb()
    return lance_words(passages, folder)


@pytest.fixture(params=["bm25s", "bm25s from disk", "rank-bm25", pytest.param("lance", marks=pytest.mark.slow)])
def index_of(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Passages], WordIndex]:
    makes: dict[str, Callable[[Passages], WordIndex]] = {
        "bm25s": Bm25sIndex.build,
        "bm25s from disk": lambda passages: reloaded(passages, tmp_path),
        "rank-bm25": RankBm25Index,
        "lance": lambda passages: shared(passages, tmp_path),
    }
    return makes[request.param]


CORPUS = [["grey", "heron", "ferry"], ["heron"], ["ferry", "ferry", "launch"], [], ["lamp"]]


def test_words_are_scored(index_of: Callable[[Passages], WordIndex]) -> None:
    index = index_of(CORPUS)
    scores = index.scored(["ferry", "unknown"]).of(np.arange(5))
    assert scores.shape == (5,)
    assert scores.dtype == np.float32
    assert list(np.flatnonzero(scores)) == [0, 2]
    assert scores[2] > scores[0], "twice in as short a passage"
    for nothing in ([], ["unknown"]):
        assert not index.scored(nothing).of(np.arange(5)).any()
        assert len(index.scored(nothing).best(5)) == 0


def test_the_best_by_words_come_first_and_ties_by_row(index_of: Callable[[Passages], WordIndex]) -> None:
    index = index_of([["launch"], ["ferry", "lamp"], ["ferry"], ["ferry"], ["ferry", "ferry"]])
    assert index.scored(["ferry"]).best(10).tolist() == [4, 2, 3, 1]
    assert index.scored(["ferry"]).best(2).tolist() == [4, 2]
    allowed = np.asarray([True, True, False, True, False])
    assert index.scored(["ferry"]).best(10, allowed).tolist() == [3, 1]
    assert len(index.scored(["ferry"]).best(10, np.zeros(5, bool))) == 0


def test_a_word_given_twice_counts_twice(index_of: Callable[[Passages], WordIndex]) -> None:
    index = index_of(CORPUS)
    once, twice = (index.scored(["ferry"] * times).of(np.arange(5)) for times in (1, 2))
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-5)


def test_a_word_in_most_passages_still_counts(index_of: Callable[[Passages], WordIndex]) -> None:
    assert (index_of([["a"], ["a"], ["a", "b"]]).scored(["a"]).of(np.arange(3)) > 0).all()


def test_rare_words_have_more_idf(index_of: Callable[[Passages], WordIndex]) -> None:
    index = index_of(CORPUS)
    unknown, rare, common = index.idf(["unknown", "lamp", "ferry"])
    assert unknown > rare > common > 0


def test_presence_and_numbers(index_of: Callable[[Passages], WordIndex]) -> None:
    index = index_of(CORPUS)
    found = index.presence(["ferry", "heron", "unknown"], np.asarray([2, 0]))
    assert found.tolist() == [[True, False, False], [True, True, False]]
    assert index.number("unknown") == -1
    assert len({index.number(word) for word in ("grey", "heron", "ferry", "launch", "lamp")}) == 5


def test_an_empty_corpus_and_empty_passages(index_of: Callable[[Passages], WordIndex]) -> None:
    for corpus in ([], [[], []]):
        index = index_of(corpus)
        assert index.scored(["a"]).of(np.arange(len(corpus))).tolist() == [0.0] * len(corpus)
        assert len(index.scored(["a"]).best(3)) == 0


WORDS = st.sampled_from("a b c d e f".split())


@given(st.lists(st.lists(WORDS, max_size=8), max_size=12), st.lists(WORDS, max_size=5))
def test_bm25s_equals_rank_bm25(corpus: Passages, query: list[str]) -> None:
    fast, reference = Bm25sIndex.build(corpus), RankBm25Index(corpus)
    np.testing.assert_allclose(fast.scores(query), reference.scores(query), rtol=2e-4, atol=1e-6)
    np.testing.assert_allclose(fast.idf(query), reference.idf(query), rtol=1e-5)


def unit(count: int, dimension: int = 16) -> np.ndarray:
    vectors = np.random.default_rng(3).normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


LANCE = [pytest.param(name, marks=pytest.mark.slow) for name in ("lance", "lance, approximate")]


@pytest.fixture(params=["flat", "half", "inverted", "inverted from disk", *LANCE])
def nearest_of(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[np.ndarray], VectorIndex]:
    def saved(vectors: np.ndarray) -> VectorIndex:
        InvertedIndex.build(vectors).save(tmp_path / "x")
        return InvertedIndex.load(tmp_path / "x")

    def on_lance(vectors: np.ndarray) -> VectorIndex:
        needs_lancedb()
        return lance_nearest(vectors, tmp_path, approximate="approximate" in request.param)

    makes = {
        "flat": FlatIndex,
        "half": HalfIndex,
        "inverted": InvertedIndex.build,
        "inverted from disk": saved,
        **dict.fromkeys(("lance", "lance, approximate"), on_lance),
    }
    return makes[request.param]


def test_the_nearest_come_first(nearest_of: Callable[[np.ndarray], VectorIndex]) -> None:
    vectors = unit(400)
    for query, (rows, scores) in zip(range(5), nearest_of(vectors).search(vectors[:5], 10), strict=True):
        assert rows[0] == query
        assert scores[0] == pytest.approx(1, abs=1e-5)
        assert (np.diff(scores) <= 0).all()
        assert len(set(rows.tolist())) == 10


def test_only_allowed_rows_are_returned_and_as_many_as_there_are(
    nearest_of: Callable[[np.ndarray], VectorIndex],
) -> None:
    vectors = unit(400)
    allowed = np.zeros(400, bool)
    allowed[[5, 77, 301]] = True
    rows, _ = nearest_of(vectors).search(vectors[:1], 10, allowed)[0]
    assert sorted(rows.tolist()) == [5, 77, 301]
    assert len(nearest_of(vectors).search(vectors[:1], 10, np.zeros(400, bool))[0][0]) == 0


def test_ties_are_settled_by_row_and_a_rebuild_changes_nothing(
    nearest_of: Callable[[np.ndarray], VectorIndex],
) -> None:
    vectors = np.repeat(unit(50), 8, axis=0)
    once, again = (nearest_of(vectors).search(vectors[:1], 8)[0] for _ in range(2))
    assert once[0].tolist() == list(range(8)) == again[0].tolist()


def test_no_passages() -> None:
    rows, scores = FlatIndex(np.zeros((0, 4), np.float32)).search(np.ones((1, 4), np.float32), 5)[0]
    assert (len(rows), len(scores)) == (0, 0)


def test_fusion_sums_reciprocal_ranks() -> None:
    fused = fuse([np.asarray([7, 8]), np.asarray([8])], [1.0, 2.0])
    assert fused == {7: 1 / 61, 8: 1 / 62 + 2 / 61}


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 10))
def test_top_is_a_stable_sort_of_what_scores(values: list[int], n: int) -> None:
    scores = np.asarray(values, np.float32)
    expected = sorted((row for row, value in enumerate(values) if value > 0), key=lambda row: (-values[row], row))[
        :n
    ]
    assert top(scores, n).tolist() == expected


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6), st.data())
def test_ragged_rows_come_back(rows: list[list[int]], data: st.DataObject) -> None:
    ragged = Ragged.of(rows)
    assert [ragged[place].tolist() for place in range(len(ragged))] == rows
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    places, values = ragged.gather(np.asarray(wanted, np.int64))
    assert [(p, v) for p, v in zip(places.tolist(), values.tolist(), strict=True)] == [
        (place, value) for place, row in enumerate(wanted) for value in rows[row]
    ]
