from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.state import POINTER, prepare, state_dir


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_inside_a_folder_and_beside_a_file(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("{}")
    assert state_dir(tmp_path) == tmp_path / ".pinakes-ask"
    assert state_dir(corpus) == tmp_path / "corpus.jsonl.pinakes-ask"
    assert state_dir(tmp_path, tmp_path / "elsewhere") == tmp_path / "elsewhere"


def test_a_read_only_place_falls_to_the_cache_by_resolved_path(tmp_path: Path, cache: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    library.chmod(0o555)
    try:
        found = state_dir(library)
        assert found.is_relative_to(cache)
        link = tmp_path / "link"
        link.symlink_to(library)
        assert state_dir(link) == found
    finally:
        library.chmod(0o755)


def test_a_readable_state_serves_reading_where_it_cannot_be_written(tmp_path: Path, cache: Path) -> None:
    library = tmp_path / "library"
    beside = library / ".pinakes-ask"
    beside.mkdir(parents=True)
    (beside / POINTER).write_text("{}")
    beside.chmod(0o555)
    try:
        assert state_dir(library) == beside
        own = state_dir(library, writing=True)
        assert own.is_relative_to(cache)
        prepare(own)
        (own / POINTER).write_text("{}")
        assert state_dir(library) == own, "what the user synced comes first"
    finally:
        beside.chmod(0o755)


def test_the_state_ignores_itself(tmp_path: Path) -> None:
    prepare(tmp_path / "state")
    assert (tmp_path / "state" / ".gitignore").read_text() == "*\n"
