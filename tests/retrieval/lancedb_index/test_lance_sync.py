"""A sync of a library on LanceDB: what it embeds, what it leaves, and what readers see of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.health import examine
from retrieval.lance import schema
from retrieval.lance.log import read_log
from retrieval.lance.tables import Tables
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from tests.retrieval.conftest import Make

pytestmark = pytest.mark.slow

FILES: dict[str, str | bytes] = {
    "heron.md": "# The Grey Heron\n\nThe Grey Heron was built by Ann Bell.",
    "ann.md": "# Ann Bell\n\nAnn Bell was born in Corvane. See [[The Grey Heron]].",
    "lamp.md": "# The Old Lamp\n\nThe Old Lamp burns.",
    "corvane.md": "---\ntags: [it's an isle]\n---\n# Corvane\n\nCorvane is an isle of 40 people.",
}


class Shorter(HashEmbedder):
    """Another model, whose vectors have another length."""

    dimension = 32


def texts(library: Path, uri: str) -> dict[str, str]:
    with Library.open(library, embedder=HashEmbedder(), uri=uri) as opened:
        return {passage.id: passage.text for passage in opened.passages()}


def same_as_local(library: Path, uri: str, state: Path) -> bool:
    """Whether the index is the one that a local sync from nothing makes."""
    sync(library, embedder=HashEmbedder(), state=state, rebuild=True)
    question = ["Who built The Grey Heron, and where was Ann Bell born?"]
    with (
        Library.open(library, embedder=HashEmbedder(), state=state) as local,
        Library.open(library, embedder=HashEmbedder(), uri=uri) as shared,
    ):
        assert list(local.passages()) == list(shared.passages())
        ours, theirs = local.search(question, 9)[0].hits, shared.search(question, 9)[0].hits
        assert [hit.passage.id for hit in ours] == [hit.passage.id for hit in theirs]
        return local.fingerprint == shared.fingerprint


def test_only_what_changed_is_embedded_and_what_is_gone_is_forgotten(
    make: Make, uri: str, embedder: HashEmbedder, tmp_path: Path
) -> None:
    library = make(FILES)
    first = sync(library, embedder=embedder, uri=uri)
    assert (first.documents, first.added, first.embedded) == (4, 4, 4)
    assert not (library / ".pinakes-ask").exists(), "nothing is kept on the local disk"
    assert same_as_local(library, uri, tmp_path / "a")

    again = sync(library, embedder=embedder, uri=uri)
    assert (again.unchanged, again.embedded, again.added) == (4, 0, 0)
    assert read_log(Tables(uri)).number == 1, "nothing was written"

    (library / "ann.md").write_text("# Ann Bell\n\nAnn Bell was born on the isle of Corvane.")
    (library / "heron.md").rename(library / "boat.md")
    (library / "corvane.md").unlink()
    (library / "new.md").write_text("# Lamp\n\nThe lamp of Ann Bell.")
    changed = sync(library, embedder=embedder, uri=uri)
    assert (changed.added, changed.changed, changed.removed) == (2, 1, 2)
    assert changed.embedded == 2, "a file of another name has the same text"
    assert sorted(texts(library, uri)) == ["ann.md#0", "boat.md#0", "lamp.md#0", "new.md#0"]
    assert same_as_local(library, uri, tmp_path / "b")


def test_vectors_found_their_place_and_are_kept_nowhere_else(make: Make, uri: str, embedder: HashEmbedder) -> None:
    sync(make(FILES), embedder=embedder, uri=uri)
    assert Tables(uri).open(schema.EMBEDDINGS).count_rows() == 0


def test_a_worker_keeps_what_it_opened_while_others_sync(make: Make, uri: str, embedder: HashEmbedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    question = ["Who built The Grey Heron?"]
    with Library.open(library, embedder=embedder, uri=uri) as before:
        expected = before.search(question, 5)
        for number in range(3):
            (library / "heron.md").write_text(f"# The Grey Heron\n\nBuilt by Bo Carr in {1900 + number}.")
            (library / f"more{number}.md").write_text("# The Grey Heron\n\nThe Grey Heron sank.")
            sync(library, embedder=embedder, uri=uri)
        assert before.search(question, 5) == expected
        assert before.passages_count == 4
        assert len(list(before.passages())) == 4
    with Library.open(library, embedder=embedder, uri=uri) as after:
        assert after.search(question, 5) != expected
        assert after.passages_count == 7


def test_a_worker_needs_no_documents(make: Make, uri: str, embedder: HashEmbedder, tmp_path: Path) -> None:
    sync(make(FILES), embedder=embedder, uri=uri)
    with Library.open(tmp_path / "another machine", embedder=embedder, uri=uri) as library:
        assert library.search(["Ann Bell"])[0].hits


def test_unreadable_files_are_reported_each_time_and_tried_again(
    make: Make, uri: str, embedder: HashEmbedder
) -> None:
    library = make({**FILES, "broken.pdf": b"%PDF-1.4 nothing"})
    for _ in range(2):
        report = sync(library, embedder=embedder, uri=uri)
        assert [problem.location for problem in report.problems] == ["broken.pdf"]
    assert [problem.location for problem in examine(library, embedder=embedder, uri=uri).problems] == [
        "broken.pdf"
    ]
    (library / "broken.pdf").unlink()
    assert not sync(library, embedder=embedder, uri=uri).problems


def test_a_rebuild_takes_another_embedder_and_older_readers_stay(
    make: Make, uri: str, embedder: HashEmbedder
) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    other = Shorter("other")
    with Library.open(library, embedder=embedder, uri=uri) as before:
        assert sync(library, embedder=other, uri=uri, rebuild=True).embedded == 4
        assert before.search(["Ann Bell"])[0].hits
    with Library.open(library, embedder=other, uri=uri) as after:
        assert after.search(["Ann Bell"])[0].hits


def test_a_relative_address_is_one_from_the_library(
    make: Make, uri: str, embedder: HashEmbedder, tmp_path: Path
) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri="../tables")
    assert texts(library, str(tmp_path / "tables"))


def test_doctor_tells_what_waits(make: Make, uri: str, embedder: HashEmbedder) -> None:
    library = make(FILES)
    assert not examine(library, embedder=embedder, uri=uri).healthy
    sync(library, embedder=embedder, uri=uri)
    sound = examine(library, embedder=embedder, uri=uri)
    assert (sound.healthy, sound.documents, sound.waiting) == (True, 4, ())
    assert sound.disk["passages"] > 0
    (library / "new.md").write_text("# New\n\nNew.")
    assert examine(library, embedder=embedder, uri=uri).waiting == ("new: new.md",)
    assert "other" in examine(library, embedder=HashEmbedder("other"), uri=uri).faults[0]
