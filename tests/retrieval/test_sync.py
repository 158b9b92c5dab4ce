from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from retrieval.errors import (
    EmptyLibrary,
    IndexBusy,
    IndexDamaged,
    IndexMismatch,
    IndexMissing,
    LibraryNotFound,
)
from retrieval.library import Library
from retrieval.state import POINTER
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder

FILES = {"a.md": "# Ada\n\nAda met Bea.", "b.md": "# Bea\n\nBea lived in Corvane.", "c.txt": "Something else."}


def titles(library: Path, embedder: HashEmbedder, question: str = "Ada Bea something") -> list[str]:
    with Library.open(library, embedder=embedder) as opened:
        return sorted(hit.passage.title for hit in opened.search([question], k=10)[0].hits)


def test_the_second_sync_embeds_nothing(make, embedder) -> None:
    library = make(FILES)
    first = sync(library, embedder=embedder)
    assert (first.documents, first.added, first.embedded) == (3, 3, first.passages)
    pointer = (library / ".pinakes-ask" / POINTER).read_text()
    second = sync(library, embedder=embedder)
    assert (second.unchanged, second.embedded) == (3, 0)
    assert (library / ".pinakes-ask" / POINTER).read_text() == pointer
    assert embedder.embedded == first.passages


def test_only_what_changed_is_embedded_and_what_is_gone_disappears(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    (library / "a.md").write_text("# Ada\n\nAda met Dora.")
    (library / "b.md").unlink()
    (library / "d.md").write_text("# Dora\n\nNew.")
    report = sync(library, embedder=embedder)
    assert (report.added, report.changed, report.removed, report.unchanged, report.embedded) == (1, 1, 1, 1, 2)
    assert titles(library, embedder, "Ada Bea Dora something") == ["Ada", "Dora", "c"]


def test_a_change_of_equal_size_within_the_clock_tick_is_seen(make, embedder) -> None:
    library = make({"a.txt": "aaaa", "b.txt": "x"})
    sync(library, embedder=embedder)
    stat = (library / "a.txt").stat()
    (library / "a.txt").write_text("bbbb")
    os.utime(library / "a.txt", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert sync(library, embedder=embedder).changed == 1


def test_a_touched_file_is_unchanged_and_its_new_time_is_kept(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    os.utime(library / "a.md", (1_700_000_000, 1_700_000_000))
    report = sync(library, embedder=embedder)
    assert (report.unchanged, report.changed, report.embedded) == (3, 0, 0)
    assert sync(library, embedder=embedder).unchanged == 3


def test_a_changed_sidecar_changes_its_document(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    (library / "c.txt.pnk.yaml").write_text("title: Renamed")
    assert sync(library, embedder=embedder).changed == 1
    assert "Renamed" in titles(library, embedder)


def test_a_failed_file_is_listed_and_tried_again_until_it_works(make, embedder) -> None:
    library = make(FILES | {"d.txt": b"\x00"})
    for _ in range(3):
        report = sync(library, embedder=embedder)
        assert [(p.location, p.skipped) for p in report.problems] == [("d.txt", True)]
    generation = json.loads((library / ".pinakes-ask" / POINTER).read_text())["generation"]
    assert generation == "000001", "a file that goes on failing is no reason to build the index again"
    (library / "d.txt").write_text("now text")
    report = sync(library, embedder=embedder)
    assert (report.added, report.problems) == (1, ())


def test_a_changed_record_re_embeds_one(tmp_path: Path, embedder) -> None:
    corpus = tmp_path / "c.jsonl"
    records = [{"id": n, "title": f"T{n}", "text": f"text {n}"} for n in range(20)]
    corpus.write_text("\n".join(map(json.dumps, records)))
    sync(corpus, embedder=embedder)
    records[3]["text"] = "changed"
    corpus.write_text("\n".join(map(json.dumps, records)))
    report = sync(corpus, embedder=embedder)
    assert (report.changed, report.unchanged, report.embedded) == (1, 19, 1)


def test_another_embedder_is_refused_with_the_command(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    other = HashEmbedder("other")
    for call in (lambda: sync(library, embedder=other), lambda: Library.open(library, embedder=other)):
        with pytest.raises(IndexMismatch, match="sync --rebuild"):
            call()
    assert sync(library, embedder=other, rebuild=True).embedded == 3
    assert titles(library, other)


def test_an_index_of_another_version_is_built_anew_from_the_cache(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    pointer = library / ".pinakes-ask" / POINTER
    pointer.write_text(json.dumps(json.loads(pointer.read_text()) | {"format": 0}))
    with pytest.raises(IndexMismatch, match="another version"):
        Library.open(library, embedder=embedder)
    assert sync(library, embedder=embedder).embedded == 0
    assert titles(library, embedder) == ["Ada", "Bea", "c"]


def test_a_title_that_two_documents_share_is_told_once(make, embedder) -> None:
    library = make({"a.md": "# Same\n\none", "b.md": "# Same\n\ntwo"})
    for _ in range(2):
        report = sync(library, embedder=embedder)
        assert [(p.location, p.skipped) for p in report.problems] == [("a.md", False)]
        assert "'Same'" in report.problems[0].problem
    assert titles(library, embedder, "one two") == ["Same", "Same"]


def test_a_state_inside_the_library_is_not_indexed(make, embedder) -> None:
    library = make(FILES)
    for _ in range(2):
        report = sync(library, state=library / "state", embedder=embedder)
    assert (report.documents, report.unchanged) == (3, 3)


def test_a_rebuild_changes_nothing(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    with Library.open(library, embedder=embedder) as before:
        found, fingerprint = before.search(["Who met Bea?"]), before.fingerprint
    (library / "z.md").write_text("# Z\n\nz")
    sync(library, embedder=embedder)
    (library / "z.md").unlink()
    sync(library, embedder=embedder)
    shutil.rmtree(library / ".pinakes-ask")
    sync(library, embedder=embedder, rebuild=True)
    with Library.open(library, embedder=embedder) as after:
        assert after.fingerprint == fingerprint
        assert after.search(["Who met Bea?"]) == found


def test_nothing_synced_nothing_there_nothing_readable(make, tmp_path: Path, embedder) -> None:
    with pytest.raises(LibraryNotFound):
        Library.open(tmp_path / "none", embedder=embedder)
    with pytest.raises(IndexMissing, match="pnk sync"):
        Library.open(make(FILES), embedder=embedder)
    nothing = make({}, name="nothing")
    with pytest.raises(EmptyLibrary):
        sync(nothing, embedder=embedder)
    assert not (nothing / ".pinakes-ask").exists()
    with pytest.raises(EmptyLibrary, match=r"a\.txt"):
        sync(make({"a.txt": b"\x00"}, name="bad"), embedder=embedder)


def test_a_library_that_became_empty_forgets_everything(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    for name in FILES:
        (library / name).unlink()
    with pytest.raises(EmptyLibrary):
        sync(library, embedder=embedder)
    with pytest.raises(EmptyLibrary):
        Library.open(library, embedder=embedder)


@pytest.mark.parametrize("name", ["passages.sqlite3", "vectors.npy", "hops.mentions.values.npy", POINTER])
@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_index_says_so_and_the_next_sync_mends_it(make, embedder, name: str, how: str) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    state = library / ".pinakes-ask"
    path = state / POINTER if name == POINTER else next(state.glob(f"generations/*/{name}"))
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises((IndexDamaged, IndexMissing)):
        Library.open(library, embedder=embedder)
    sync(library, embedder=embedder)
    assert titles(library, embedder) == ["Ada", "Bea", "c"]


def test_a_damaged_cache_is_replaced(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    (library / ".pinakes-ask" / "cache.sqlite3").write_bytes(b"no database at all" * 1000)
    (library / "e.md").write_text("# Eve\n\nnew")
    assert sync(library, embedder=embedder).embedded == 4


def test_two_syncs_are_kept_apart_and_readers_never_wait(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    with FileLock(library / ".pinakes-ask" / "lock"), Library.open(library, embedder=embedder) as opened:
        assert opened.search(["Ada"])[0].hits
        caught: list[BaseException] = []

        def other() -> None:
            try:
                sync(library, embedder=embedder)
            except IndexBusy as error:
                caught.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert caught


def test_an_open_library_stays_what_it_was(make, embedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder)
    with Library.open(library, embedder=embedder) as opened:
        before = opened.search(["Bea Corvane"])
        for name in ("a.md", "b.md"):
            (library / name).unlink()
        sync(library, embedder=embedder)
        assert opened.search(["Bea Corvane"]) == before
        assert opened.passage("b.md#0").text.endswith("Corvane.")
    assert titles(library, embedder, "Bea Corvane something") == ["c"]


def test_progress_is_told_in_stages(make, embedder) -> None:
    told: list[tuple[str, int, int]] = []
    sync(make(FILES), embedder=embedder, progress=lambda *step: told.append(step))
    assert {stage for stage, _, _ in told} == {"reading", "embedding", "indexing"}
    assert ("embedding", 3, 3) in told


def test_state_elsewhere_leaves_the_library_alone(make, tmp_path: Path, embedder) -> None:
    library = make(FILES)
    sync(library, state=tmp_path / "state", embedder=embedder)
    assert sorted(path.name for path in library.iterdir()) == sorted(FILES)
    with Library.open(library, state=tmp_path / "state", embedder=embedder) as opened:
        assert (opened.documents_count, opened.passages_count) == (3, 3)
        assert [passage.id for passage in opened.passages()] == ["a.md#0", "b.md#0", "c.txt#0"]
        with pytest.raises(KeyError):
            opened.passage("none#0")


def test_surrogates_and_controls_reach_no_store(make, embedder) -> None:
    library = make({"a.txt": b"bad \xed\xa1\xa3 surrogate and \x1b[31m colour"})
    report = sync(library, embedder=embedder)
    assert report.documents == 1
    assert [p.skipped for p in report.problems] == [False]
