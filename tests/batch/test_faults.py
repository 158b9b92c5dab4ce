"""A server that storms, fails, hangs or is gone costs its questions at most, and a full disk no reply."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.batch.model_server import model_server, write_questions
from tests.cli.pnk import Ran, pnk


@pytest.fixture
def place(notes: Path, tmp_path: Path) -> Path:
    shutil.copytree(notes, tmp_path / "library")
    return tmp_path


def batch(place: Path, *flags: object, out: str = "answers.jsonl") -> Ran:
    given = ("questions.jsonl", "--kb", "library", "--out", out, "--yes", "-q", *flags)
    return pnk("batch", *given, cwd=place, home=place)


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_storm_of_429_at_the_start_costs_nobody_an_answer(place: Path) -> None:
    write_questions(place / "questions.jsonl", 8)
    with model_server(storm=12) as server:
        ran = batch(place, *server.flags, "-j", "4")
        assert (ran.code, ran.err) == (0, "")
        assert server.sold() == 48
    assert {row["status"] for row in rows(place / "answers.jsonl")} == {"answered"}


def test_five_percent_of_errors_and_of_429_cost_nobody_an_answer(place: Path) -> None:
    write_questions(place / "questions.jsonl", 40)
    with model_server(fail_every=20, storm_every=21) as server:
        ran = batch(place, *server.flags, "-j", "8")
        assert (ran.code, ran.err) == (0, "")
        assert server.sold() == 240
    got = rows(place / "answers.jsonl")
    assert ({row["status"] for row in got}, len({row["id"] for row in got}), len(got)) == ({"answered"}, 40, 40)


def test_a_request_that_hangs_is_sent_again_and_holds_up_no_other(place: Path) -> None:
    write_questions(place / "questions.jsonl", 10)
    (place / "library" / "pinakes-ask.toml").write_text("[model]\ntimeout = 2.0\n")
    with model_server(hang_every=25) as server:
        ran = batch(place, *server.flags, "-j", "5")
        assert (ran.code, ran.err) == (0, "")
        assert server.sold() == 62
    # Nobody knows what a request came to that was never answered, so it counts at its worst case.
    tokens = [row["usage"]["prompt_tokens"] for row in rows(place / "answers.jsonl")]
    assert sorted(one > 600 for one in tokens) == [False] * 8 + [True] * 2


def test_a_server_that_is_gone_makes_failed_rows_and_no_gaps(place: Path) -> None:
    write_questions(place / "questions.jsonl", 3)
    with model_server() as server:
        flags = server.flags
    ran = batch(place, *flags, "-j", "3")
    assert ran.code == 5
    got = rows(place / "answers.jsonl")
    assert sorted(row["id"] for row in got) == ["q00000", "q00001", "q00002"]
    assert all("cannot be reached" in row["error"]["message"] for row in got)
    with model_server() as server:
        assert batch(place, *server.flags, "--retry-failed").code == 0
    assert {row["status"] for row in rows(place / "answers.jsonl")} == {"answered"}


def test_a_full_disk_stops_the_batch_and_a_rerun_pays_nothing_twice(place: Path, small_disk: Path | None) -> None:
    if small_disk is None:
        pytest.skip("no file system can be mounted here, so none can be full")
    write_questions(place / "questions.jsonl", 8)
    answers = small_disk / "answers.jsonl"
    filler = small_disk / "filler"
    disk = os.statvfs(small_disk)
    filler.write_bytes(b"x" * (disk.f_bavail * disk.f_frsize - 2 * 4096))
    with model_server() as server:
        full = batch(place, *server.flags, "-j", "2", out=str(answers))
        assert (full.code, "No space left" in full.err) == (1, True), full.err
        written = len(rows(answers))
        assert 0 < written < 8
        sold = server.sold()
        filler.unlink()
        assert batch(place, *server.flags, out=str(answers)).code == 0
        whole = sold // 6
        assert server.sold() <= 48 + (sold - 6 * whole), "what was answered before was not asked again"
    assert sorted(row["id"] for row in rows(answers)) == [f"q0000{n}" for n in range(8)]


def test_a_library_that_was_never_synced_is_one_clear_error(place: Path) -> None:
    write_questions(place / "questions.jsonl", 2)
    shutil.rmtree(place / "library" / ".pinakes-ask")
    ran = batch(place)
    assert (ran.code, "pnk sync" in ran.err) == (1, True)
    assert not (place / "answers.jsonl").exists()
