"""What can be wrong with a shared index ends in one clear sentence, and nothing is lost by it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.errors import EmptyLibrary, IndexMismatch, IndexMissing, IndexUnreachable, UsageError
from retrieval.lance import schema
from retrieval.lance.failures import Gone
from retrieval.lance.tables import Tables
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from tests.cli.pnk import pnk
from tests.conftest import ROOT
from tests.retrieval.conftest import Make

FILES: dict[str, str | bytes] = {"heron.md": "# The Grey Heron\n\nThe Grey Heron was built by Ann Bell."}
#: Runs `pnk` as if LanceDB were not installed.
WITHOUT = (
    "import sys; sys.modules['lancedb'] = None; from pinakes_ask.cli import main; sys.argv[0] = 'pnk'; main()"
)


def still_there(library: Path, uri: str) -> bool:
    with Library.open(library, embedder=HashEmbedder(), uri=uri) as opened:
        return len(opened.search(["Ann Bell"])[0].hits) == 1


@pytest.mark.parametrize("command", [("sync",), ("search", "Ann Bell"), ("ask", "Ann Bell?"), ("doctor",)])
def test_without_the_extra_an_error_names_what_to_install(make: Make, command: tuple[str, ...]) -> None:
    library = make({**FILES, "pinakes-ask.toml": '[index]\nbackend = "lance"\nuri = "shared"\n'})
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command, "--kb", str(library)],
        capture_output=True,
        text=True,
        env=os.environ | {"HOME": str(library.parent)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "pip install 'pinakes-ask[lance]'" in done.stderr


def test_nothing_of_the_extra_is_imported_where_the_index_is_local(make: Make) -> None:
    code = (
        "import sys; from pathlib import Path; from pinakes_ask.cli import common; "
        "from retrieval.library import Library; from retrieval.syncing import sync; "
        "print(common.shared_index(Path(sys.argv[1])), [m for m in ('lancedb', 'pydantic') if m in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(make(FILES))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "None []\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('backend = "lance"', "no uri says where its tables lie"),
        ('backend = "postgres"\nuri = "x"', "index.backend"),
        ('backend = "lance"\nurl = "x"', "index.url"),
    ],
)
def test_settings_that_cannot_be_used_are_named(make: Make, settings: str, said: str) -> None:
    library = make({**FILES, "pinakes-ask.toml": f"[index]\n{settings}\n"})
    for command in (("sync",), ("search", "Ann Bell"), ("ask", "Ann Bell?")):
        ran = pnk(*command, "--kb", library, home=library.parent)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


@pytest.mark.slow
def test_the_command_line_uses_the_tables_and_leaves_the_local_index_alone(
    sample_library: Path, tmp_path: Path, uri: str
) -> None:
    library = tmp_path / "library"
    shutil.copytree(sample_library, library)
    local = {file: file.stat().st_mtime_ns for file in (library / ".pinakes-ask").rglob("*") if file.is_file()}
    question = "Where was the composer of The Lantern Suite born?"
    alone = pnk("search", question, "--kb", library, "--json", home=tmp_path).json()
    (library / "pinakes-ask.toml").write_text(f'[index]\nbackend = "lance"\nuri = {json.dumps(uri)}\n')
    missing = pnk("search", question, "--kb", library, home=tmp_path)
    assert (missing.code, "pnk sync" in missing.err) == (1, True)
    assert pnk("sync", "--kb", library, home=tmp_path).code == 0
    assert pnk("doctor", "--kb", library, home=tmp_path).code == 0
    shared = pnk("search", question, "--kb", library, "--json", home=tmp_path).json()
    assert [one["passage"] for one in shared["passages"]] == [one["passage"] for one in alone["passages"]]
    asked = pnk("ask", "--deep", question, "--kb", library, "--json", home=tmp_path).json()
    assert asked["status"] in ("answered", "partial")
    replayed = pnk(
        "transcripts",
        "replay",
        Path(asked["transcript"]).name.split("-")[0],
        "--now",
        "--kb",
        library,
        "--json",
        home=tmp_path,
    ).json()
    assert replayed["fingerprint"]["same"]
    now = {file: file.stat().st_mtime_ns for file in (library / ".pinakes-ask").rglob("*") if file.is_file()}
    assert {file: now[file] for file in local} == local


@pytest.mark.slow
def test_another_embedder_is_refused_with_the_command_that_rebuilds(
    make: Make, uri: str, embedder: HashEmbedder
) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    other = HashEmbedder("other")
    for call in (
        lambda: sync(library, embedder=other, uri=uri),
        lambda: Library.open(library, embedder=other, uri=uri),
    ):
        with pytest.raises(IndexMismatch, match="test-hash, not test-other") as raised:
            call()
        assert "pnk sync --rebuild" in raised.value.do
    assert still_there(library, uri)


@pytest.mark.slow
def test_tables_of_another_format_are_refused_and_kept(make: Make, uri: str, embedder: HashEmbedder) -> None:
    import pyarrow as pa

    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    log = Tables(uri).open(schema.LOG)
    version = log.version
    log.add(pa.table({"number": [2], "format": [99], "body": ["something else"]}, schema=schema.log()))
    for call in (
        lambda: sync(library, embedder=embedder, uri=uri),
        lambda: Library.open(library, embedder=embedder, uri=uri),
    ):
        with pytest.raises(IndexMismatch, match="format 99"):
            call()
    log.checkout(version)
    log.restore()
    assert still_there(library, uri)


@pytest.mark.slow
def test_the_index_of_another_library_is_not_overwritten(make: Make, uri: str, embedder: HashEmbedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    other = make({"lamp.md": "# Lamp\n\nA lamp."}, name="other")
    with pytest.raises(IndexMismatch, match="made from the library 'library', not from 'other'"):
        sync(other, embedder=embedder, uri=uri)
    assert still_there(library, uri)


@pytest.mark.slow
def test_a_place_that_is_none_and_one_that_holds_nothing(
    make: Make, uri: str, embedder: HashEmbedder, tmp_path: Path
) -> None:
    library = make(FILES)
    with pytest.raises(IndexMissing, match="Run `pnk sync` first"):
        Library.open(library, embedder=embedder, uri=uri)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(IndexUnreachable, match="Check uri"):
        sync(library, embedder=embedder, uri=str(tmp_path / "file" / "x"))
    with pytest.raises(UsageError, match="ftp:// is none of"):
        sync(library, embedder=embedder, uri="ftp://host/x")
    with pytest.raises(EmptyLibrary):
        sync(make({}, name="empty"), embedder=embedder, uri=uri)
    assert not (tmp_path / "shared" / "passages.lance").exists()


@pytest.mark.slow
def test_a_table_that_was_deleted_by_hand_is_named_and_a_rebuild_heals_it(
    make: Make, uri: str, embedder: HashEmbedder
) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    shutil.rmtree(Path(uri) / f"{schema.NAMES}.lance")
    with pytest.raises(Gone, match="names") as raised:
        Library.open(library, embedder=embedder, uri=uri)
    assert "pnk sync --rebuild" in raised.value.do
    sync(library, embedder=embedder, uri=uri, rebuild=True)
    assert still_there(library, uri)


@pytest.mark.slow
def test_a_library_that_was_emptied_is_empty(make: Make, uri: str, embedder: HashEmbedder) -> None:
    library = make(FILES)
    sync(library, embedder=embedder, uri=uri)
    (library / "heron.md").unlink()
    for call in (
        lambda: sync(library, embedder=embedder, uri=uri),
        lambda: sync(library, embedder=embedder, uri=uri),
        lambda: Library.open(library, embedder=embedder, uri=uri),
    ):
        with pytest.raises(EmptyLibrary):
            call()
    (library / "heron.md").write_bytes(FILES["heron.md"].encode() if isinstance(FILES["heron.md"], str) else b"")
    sync(library, embedder=embedder, uri=uri)
    assert still_there(library, uri)
