"""A library on LanceDB answers as the local index does."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from retrieval.types import Filters, Found
from tests.conftest import SAMPLE
from tests.retrieval.conftest import Make

pytestmark = pytest.mark.slow


def asked() -> list[str]:
    return [json.loads(line)["question"] for line in (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()]


def assert_same(ours: list[Found], theirs: list[Found], within: float = 1e-5) -> None:
    for one, other in zip(ours, theirs, strict=True):
        assert [hit.passage for hit in one.hits] == [hit.passage for hit in other.hits], one.query
        assert [hit.reached_by for hit in one.hits] == [hit.reached_by for hit in other.hits], one.query
        np.testing.assert_allclose([hit.score for hit in one.hits], [hit.score for hit in other.hits], atol=within)
        assert (one.confidence.probability is None) == (other.confidence.probability is None)
        for name, value in one.confidence.signals.items():
            assert other.confidence.signals[name] == pytest.approx(value, abs=10 * within), name


@pytest.mark.parametrize(
    "filters",
    [
        None,
        Filters(source_type="markdown"),
        Filters(path_prefix="docs/people"),
        Filters(tags=("music",)),
        Filters(tags=("it's none",)),
    ],
)
def test_every_question_of_the_sample_library_is_answered_the_same(
    sample_library: Path, uri: str, filters: Filters | None
) -> None:
    sync(sample_library, uri=uri)
    with Library.open(sample_library) as local, Library.open(sample_library, uri=uri) as shared:
        assert shared.fingerprint == local.fingerprint
        assert (shared.documents_count, shared.passages_count) == (local.documents_count, local.passages_count)
        assert list(shared.passages()) == list(local.passages())
        for k in (5, 60):
            assert_same(local.search(asked(), k, filters), shared.search(asked(), k, filters))
        first = next(local.passages())
        assert shared.passage(first.id) == first
        with pytest.raises(KeyError):
            shared.passage("no'such#0")


def test_more_rows_than_a_thread_keeps_at_hand_are_all_right(make: Make, uri: str, embedder: HashEmbedder) -> None:
    # Each text names many others, so that one question touches a good part of them.
    texts = {
        f"{n}.md": f"# Isle Number{n}\n\nIt lies by "
        + ", ".join(f"Isle Number{n * step % 900}" for step in (3, 7, 11))
        for n in range(900)
    }
    library = make(texts)
    sync(library, embedder=embedder)
    sync(library, embedder=embedder, uri=uri)
    questions = [f"What lies by Isle Number{n} and by the isle of Number{n * 5 % 900}?" for n in range(0, 900, 9)]
    with (
        Library.open(library, embedder=embedder) as local,
        Library.open(library, embedder=embedder, uri=uri) as shared,
    ):
        expected = shared.search(questions, 20)
        # Many of these texts are nearly equal, so that the last bit of a float moves a rank here and there.
        assert_same(local.search(questions, 20), expected, within=5e-3)
        barrier = threading.Barrier(4)

        def search(_: int) -> list[Found]:
            barrier.wait()
            return shared.search(questions, 20)

        with ThreadPoolExecutor(4) as threads:
            for found in threads.map(search, range(4)):
                assert_same(expected, found)


def test_two_wiki_multi_hop_qa_is_answered_as_well(data: Path, tmp_path: Path, uri: str) -> None:
    folder = data / "2wikimultihopqa"
    corpus = tmp_path / "corpus.jsonl"
    records = (folder / "corpus.jsonl").read_text("utf-8").splitlines()[:600]
    corpus.write_text("\n".join(records), encoding="utf-8")
    sync(corpus)
    sync(corpus, uri=uri)
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    held = [one for one in questions if max(one["supporting_corpus_idx"]) < len(records)]
    assert len(held) > 50
    recall = {}
    for name, place in (("local", None), ("shared", uri)):
        with Library.open(corpus, uri=place) as library:
            found = library.search([one["question"] for one in held], 5)
        recall[name] = np.mean(
            [
                len(gold & {hit.passage.document for hit in one.hits}) / len(gold)
                for one, gold in zip(
                    found, (set(map(str, one["supporting_corpus_idx"])) for one in held), strict=True
                )
            ]
        )
    assert recall["shared"] == pytest.approx(recall["local"], abs=0.005)
