from __future__ import annotations

import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from retrieval.errors import UsageError
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from retrieval.types import Filters, Found, Reach

FILES = {
    "suite.md": "# The Lantern Suite\n\nThe Lantern Suite is a work for strings by Odile Varga.",
    "odile.md": "# Odile Varga\n\nOdile Varga was born in Penquill in 1871.",
    "penquill.md": "# Penquill\n\nPenquill is a harbour on the island of Corvane.",
    "ferry.txt": "The ferry crosses twice a day in summer.",
    "clerk.md": "---\ntags: [people, quiet]\n---\n# Tobias Reed\n\nTobias Reed kept the ledgers.",
    "sub/tides.md": "# Tides\n\nThe harbour of [Penquill](../penquill.md) has strong tides.",
}


@pytest.fixture
def library(make, embedder: HashEmbedder):
    root = make(FILES)
    sync(root, embedder=embedder)
    with Library.open(root, embedder=embedder) as opened:
        yield opened


def documents(found: Found) -> list[str]:
    return [hit.passage.document for hit in found.hits]


def test_a_hop_leads_to_what_the_question_does_not_name(library: Library) -> None:
    found = library.search(["Where was the composer of The Lantern Suite born?"], k=3)[0]
    assert set(documents(found)[:2]) == {"suite.md", "odile.md"}
    by_document = {hit.passage.document: hit for hit in found.hits}
    assert Reach("name", "The Lantern Suite") in by_document["suite.md"].reached_by
    hops = [reach for reach in by_document["odile.md"].reached_by if reach.source is not None]
    assert hops == [Reach("name", "Odile Varga", "suite.md#0", 1)]


def test_a_chain_of_three_is_walked(make, embedder: HashEmbedder) -> None:
    chain = {
        "suite.md": "# The Lantern Suite\n\nThe Lantern Suite was composed by Odile Varga.",
        "odile.md": "# Odile Varga\n\nOdile Varga studied under Piers Haldon.",
        "piers.md": "# Piers Haldon\n\nPiers Haldon kept bees.",
    }
    # Enough documents that share words with the question to keep the end of the chain out of both lists.
    crowd = {
        f"{n}.md": f"# Person{n} Smith\n\nA teacher of composers, number {n}, was taught." for n in range(150)
    }
    root = make(chain | crowd)
    sync(root, embedder=embedder)
    with Library.open(root, embedder=embedder) as opened:
        found = opened.search(["Who taught the teacher of the composer of The Lantern Suite?"], k=30)[0]
    reached = {hit.passage.document: hit.reached_by for hit in found.hits}
    assert Reach("name", "Odile Varga", "suite.md#0", 1) in reached["odile.md"]
    assert Reach("name", "Piers Haldon", "odile.md#0", 2) in reached["piers.md"]


def test_scores_fall_and_every_hit_says_how_it_was_reached(library: Library) -> None:
    for found in library.search(["Who was born in Penquill?", "ferry"], k=6):
        scores = [hit.score for hit in found.hits]
        assert scores == sorted(scores, reverse=True)
        assert len(set(documents(found))) == len(found.hits)
        assert all(hit.reached_by for hit in found.hits)


def test_an_answer_does_not_depend_on_the_other_questions(library: Library) -> None:
    questions = ["Who was born in Penquill?", "ferry", "Where was the composer of The Lantern Suite born?"]
    together = library.search(questions)
    assert together == [library.search([question])[0] for question in questions]
    assert library.search([]) == []


def test_threads_may_search_at_once(library: Library) -> None:
    expected = library.search(["Who was born in Penquill?"])
    answers: list[list[Found]] = []
    threads = [
        threading.Thread(target=lambda: answers.append(library.search(["Who was born in Penquill?"])))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 8


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (Filters(tags=("people",)), {"clerk.md"}),
        (Filters(tags=("people", "quiet")), {"clerk.md"}),
        (Filters(tags=("people", "loud")), set()),
        (Filters(path_prefix="sub/"), {"sub/tides.md"}),
        (Filters(path_prefix="SUB/"), set()),
        (Filters(path_prefix="%"), set()),
        (Filters(source_type="text"), {"ferry.txt"}),
        (Filters(source_type="text", path_prefix="sub/"), set()),
    ],
)
def test_filters_hold_inside_scoring(library: Library, filters: Filters, kept: set[str]) -> None:
    found = library.search(["Where is the harbour of Penquill, and who kept the ferry ledgers?"], 5, filters)[0]
    assert set(documents(found)) == kept


def test_times_are_compared_as_times(make, embedder: HashEmbedder) -> None:
    root = make({"old.txt": "harbour", "new.txt": "harbour"})
    os.utime(root / "old.txt", (1_000_000_000, 1_000_000_000.5))
    sync(root, embedder=embedder)
    cut = datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    with Library.open(root, embedder=embedder) as opened:
        assert documents(opened.search(["harbour"], 5, Filters(modified_before=cut))[0]) == []
        later = Filters(modified_after=cut, modified_before=datetime(2002, 1, 1, tzinfo=UTC))
        assert documents(opened.search(["harbour"], 5, later)[0]) == ["old.txt"]


@pytest.mark.parametrize("question", ["", "  ", "?!", "\x00"])
def test_a_question_without_words_is_refused(library: Library, question: str) -> None:
    with pytest.raises(UsageError, match="no word"):
        library.search([question])


def test_k_must_be_positive_and_may_exceed_the_library(library: Library) -> None:
    with pytest.raises(UsageError):
        library.search(["ferry"], k=0)
    assert len(library.search(["harbour ferry ledgers strings born"], k=100)[0].hits) == len(FILES)


def test_a_question_of_ten_thousand_words_and_of_stop_words(library: Library) -> None:
    assert library.search(["ferry ledgers Penquill harbour " * 2500])[0].hits
    assert library.search(["where is it"])[0].hits


def test_surrogates_and_other_scripts_in_a_question(library: Library) -> None:
    assert library.search(["Penquill \udc63 東京"])[0].hits


def test_scripts_without_spaces_are_found(make, embedder: HashEmbedder) -> None:
    root = make({"a.md": "# 東京\n\n東京は日本の首都です。", "b.md": "# 大阪\n\n大阪は商業の町です。"})
    sync(root, embedder=embedder)
    with Library.open(root, embedder=embedder) as opened:
        found = opened.search(["日本の首都はどこですか", "東京について"])
        assert documents(found[0])[0] == "a.md"
        assert Reach("name", "東京") in found[1].hits[0].reached_by


def test_accents_may_be_left_out(make, embedder: HashEmbedder) -> None:
    root = make({"a.md": "# Séverine Almássy\n\nShe painted.", "b.md": "# Other\n\nHe wrote."})
    sync(root, embedder=embedder)
    with Library.open(root, embedder=embedder) as opened:
        assert documents(opened.search(["severine almassy"])[0])[0] == "a.md"


def test_a_reranker_moves_hits_but_not_alone(make, embedder: HashEmbedder) -> None:
    class Backwards:
        def scores(self, question: str, texts: list[str]):
            import numpy as np

            return np.arange(len(texts), dtype=np.float32)

    root = make(FILES)
    sync(root, embedder=embedder)
    with (
        Library.open(root, embedder=embedder) as plain,
        Library.open(root, embedder=embedder, reranker=Backwards()) as reranked,
    ):
        question = ["Who was born in Penquill?"]
        before, after = plain.search(question, 6)[0], reranked.search(question, 6)[0]
        assert set(documents(before)) == set(documents(after))
        assert [hit.score for hit in after.hits] == sorted((hit.score for hit in after.hits), reverse=True)


def test_a_search_reads_but_never_writes(make, embedder: HashEmbedder, tmp_path: Path) -> None:
    root = make(FILES)
    sync(root, embedder=embedder)
    state = root / ".pinakes-ask"
    before = {path: path.stat().st_mtime_ns for path in state.rglob("*")}
    with Library.open(root, embedder=embedder) as opened:
        opened.search(["Penquill"])
    assert {path: path.stat().st_mtime_ns for path in state.rglob("*")} == before
