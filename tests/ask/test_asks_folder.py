"""Where records go."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinakes_ask.asking import asks_folder


def test_in_a_folder_beside_a_file_or_where_it_was_named(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("{}\n")
    assert asks_folder(tmp_path, "asks", Path("/x")) == tmp_path / "asks"
    assert asks_folder(tmp_path, "notes/asks", Path("/x")) == tmp_path / "notes" / "asks"
    assert asks_folder(corpus, "asks", Path("/x")) == tmp_path / "corpus.jsonl.asks"
    assert asks_folder(tmp_path, str(tmp_path / "else"), Path("/x")) == tmp_path / "else"
    assert asks_folder(tmp_path, "~/asks", Path("/x")) == Path.home() / "asks"


def test_elsewhere_when_the_library_is_read_only(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    library = tmp_path / "library"
    library.mkdir()
    library.chmod(0o555)
    request.addfinalizer(lambda: library.chmod(0o755))
    assert asks_folder(library, "asks", tmp_path) == tmp_path / "asks"
