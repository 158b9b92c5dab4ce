"""Several processes sync one index at once: no passage is lost, and none stands in it twice."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from retrieval.lance import schema
from retrieval.lance.log import Generation, publish, read_log
from retrieval.lance.tables import Tables
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).with_name("slow_sync.py")
CLAIMS = Path(__file__).with_name("claims.py")


def write(library: Path, version: str, numbers: range) -> None:
    library.mkdir(exist_ok=True)
    for number in numbers:
        (library / f"{number}.md").write_text(f"# Document {number}\n\nThis is the {version} text of {number}.")


def start(library: Path, uri: str, seconds: float = 0.05) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), str(library), uri, str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begin\n"
    return process


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdout is not None
    while (said := process.stdout.readline()) != line:
        assert said, "it ended before"


def finished(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said


def found(library: Path, uri: str) -> list[str]:
    with Library.open(library, embedder=HashEmbedder(), uri=uri) as opened:
        ids = [passage.id for passage in opened.passages()]
        assert len(opened.search(["old new text document"], k=len(ids) + 9)[0].hits) == len(ids)
        return ids


def assert_holds_exactly(library: Path, uri: str, state: Path) -> None:
    """Whether the current generation is what a local sync of the folder as it is now makes."""
    sync(library, embedder=HashEmbedder(), state=state)
    with Library.open(library, embedder=HashEmbedder(), state=state) as local:
        expected = list(local.passages())
    with Library.open(library, embedder=HashEmbedder(), uri=uri) as shared:
        assert list(shared.passages()) == expected
        assert shared.passages_count == len(expected)


def test_one_that_began_earlier_does_not_undo_one_that_ended_earlier(tmp_path: Path, uri: str) -> None:
    library = tmp_path / "library"
    write(library, "old", range(30))
    slow = start(library, uri, 1.0)
    wait_for(slow, "embedding\n")
    # Only the second one sees these; it is done long before the first one, whose view is older.
    write(library, "new", range(20, 50))
    quick = start(library, uri, 0)
    finished(quick)
    assert len(found(library, uri)) == 50
    finished(slow)
    assert_holds_exactly(library, uri, tmp_path / "state")


def test_one_that_began_later_and_ends_later_does_not_lose_what_only_it_saw(tmp_path: Path, uri: str) -> None:
    library = tmp_path / "library"
    write(library, "old", range(30))
    first = start(library, uri, 1.0)
    wait_for(first, "embedding\n")
    write(library, "new", range(20, 60))
    second = start(library, uri, 1.0)
    finished(first)
    finished(second)
    assert_holds_exactly(library, uri, tmp_path / "state")


def test_two_at_the_same_moment_leave_every_passage_once(tmp_path: Path, uri: str) -> None:
    library = tmp_path / "library"
    write(library, "old", range(60))
    first, second = start(library, uri), start(library, uri)
    for begin in range(60, 120, 10):
        write(library, "new", range(begin, begin + 10))
        time.sleep(0.1)
    finished(first)
    finished(second)
    both = start(library, uri), start(library, uri)
    for process in both:
        finished(process)
    assert_holds_exactly(library, uri, tmp_path / "state")


def test_what_one_embedded_another_need_not(tmp_path: Path, uri: str) -> None:
    library = tmp_path / "library"
    write(library, "old", range(40))
    killed = start(library, uri, 0.3)
    for _ in range(3):
        wait_for(killed, "embedding\n")
    killed.kill()
    killed.communicate()
    embedder = HashEmbedder()
    assert sync(library, embedder=embedder, uri=uri).embedded == embedder.embedded <= 24
    assert len(found(library, uri)) == 40


def test_killed_at_any_moment_the_index_is_the_old_one_or_the_new_one(tmp_path: Path, uri: str) -> None:
    moments = random.Random(5)
    library = tmp_path / "library"
    write(library, "old", range(40))
    begun = time.perf_counter()
    finished(start(library, uri))
    whole = time.perf_counter() - begun
    seen = set()
    for number in range(8):
        version = f"version{number}"
        before = found_texts(library, uri)
        write(library, version, range(40))
        process = start(library, uri)
        time.sleep(moments.uniform(0, whole))
        process.kill()
        process.communicate()
        after = found_texts(library, uri)
        assert len(after) == 1, "never a mixture"
        assert after in (before, {version})
        seen.add(after == before)
    assert True in seen, "no kill came before the end; the test proves nothing"
    sync(library, embedder=HashEmbedder(), uri=uri)
    assert_holds_exactly(library, uri, tmp_path / "state")


def found_texts(library: Path, uri: str) -> set[str]:
    with Library.open(library, embedder=HashEmbedder(), uri=uri) as opened:
        assert opened.passages_count == 40
        return {passage.text.split(" text of")[0].split()[-1] for passage in opened.passages()}


def generation(name: str) -> Generation:
    return Generation("model", name, "library", 1, 1, 1, {schema.PASSAGES: 1})


def test_of_two_generations_made_on_one_only_the_first_counts(uri: str) -> None:
    tables = Tables(uri)
    assert publish(tables, 0, generation("first"))
    assert not publish(tables, 0, generation("second"))
    assert publish(tables, 0, generation("first")), "sent again, since the answer was lost"
    log = read_log(tables)
    assert (log.number, log.current) == (1, generation("first"))
    assert publish(tables, 1, generation("third"))
    assert [one.fingerprint for one in read_log(tables).generations.values()] == ["first", "third"]


def test_of_many_that_claim_a_number_at_once_one_gets_it(uri: str) -> None:
    # While they race, the files of the log are merged again and again, as cleaning does.
    claims = []
    for name in "abc":
        command = [sys.executable, str(CLAIMS), uri, name]
        claims.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    for process in claims:
        wait_for(process, "ready\n")
    for process in claims:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    won: dict[int, list[str]] = {}
    for process in claims:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        for line in said.splitlines():
            name, number = line.split()
            won.setdefault(int(number), []).append(name)
    log = read_log(Tables(uri))
    assert log.number == 40
    assert {number: [one.fingerprint] for number, one in log.generations.items()} == won
    assert len({name for names in won.values() for name in names}) > 1, "nobody raced; the test proves nothing"
