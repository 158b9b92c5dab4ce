"""A sync killed at any moment leaves the old index or the new one, and the next sync completes."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder

PROGRAM = Path(__file__).with_name("killed_sync.py")


def write(library: Path, version: str) -> None:
    library.mkdir(exist_ok=True)
    for number in range(80):
        (library / f"{number}.md").write_text(f"# Document {number}\n\nThis is the {version} text of {number}.")


def versions(library: Path) -> set[str]:
    with Library.open(library, embedder=HashEmbedder()) as opened:
        passages = list(opened.passages())
        assert len(passages) == 80
        assert len(opened.search(["old new text"], k=100)[0].hits) == 80
        return {word for passage in passages for word in ("old", "new") if f"the {word} text" in passage.text}


def vectors(cache: Path) -> int:
    """How many vectors a cache holds that another process may be writing."""
    reading = f"{cache.as_uri()}?mode=ro"
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(reading, timeout=60, uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
    return 0  # the file or its table is not there yet


def start(library: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(library)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begin\n"
    return process


def kill_and_check(tmp_path: Path, kills: int, seed: int) -> None:
    moments = random.Random(seed)
    first = tmp_path / "timed"
    write(first, "new")
    begun = time.perf_counter()
    process = start(first)
    process.communicate()
    whole = time.perf_counter() - begun
    seen: list[str] = []
    for number in range(kills):
        library = tmp_path / str(number)
        write(library, "old")
        sync(library, embedder=HashEmbedder())
        write(library, "new")
        process = start(library)
        begun = time.perf_counter()
        time.sleep(moments.uniform(0, whole))
        if process.poll() is not None:
            whole = min(whole, time.perf_counter() - begun)  # the machine was busier before
        process.kill()
        process.communicate()
        found = versions(library)
        assert len(found) == 1, "never a mixture"
        seen.append(found.pop())
        embedder = HashEmbedder()
        sync(library, embedder=embedder)
        assert versions(library) == {"new"}
        leftovers = list((library / ".pinakes-ask" / "generations").iterdir())
        assert len(leftovers) == 1
    assert "old" in seen, "no kill came before the end; the test proves nothing"


def test_killed_at_five_random_moments(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 5, seed=11)


@pytest.mark.slow
def test_killed_at_a_hundred_random_moments(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 100, seed=7)


def test_a_killed_first_sync_keeps_its_vectors(tmp_path: Path) -> None:
    library = tmp_path / "library"
    write(library, "new")
    process = start(library)
    cache = library / ".pinakes-ask" / "cache.sqlite3"
    while vectors(cache) == 0:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    embedder = HashEmbedder()
    report = sync(library, embedder=embedder)
    assert report.embedded < 80
    assert versions(library) == {"new"}
