"""A batch that is killed or stopped at any moment goes on where it ended: every row once, no reply paid twice."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.batch.model_server import Running, model_server, write_questions
from tests.cli.pnk import pnk
from transcripts.errors import TranscriptError
from transcripts.store import load
from transcripts.unfinished import unfinished_ids

#: Calls of one question of the model server.
CALLS = 6


def start(place: Path, server: Running, *flags: str) -> subprocess.Popen[str]:
    given = ["questions.jsonl", "--kb", "library", "--out", "answers.jsonl", "--yes", *server.flags, *flags]
    command = [sys.executable, "-m", "pinakes_ask", "batch", *given]
    return subprocess.Popen(command, cwd=place, stderr=subprocess.PIPE, text=True, start_new_session=True)


def rows(place: Path) -> list[dict[str, Any]]:
    """The whole rows; a last line that was cut off is not one."""
    file = place / "answers.jsonl"
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [json.loads(line) for line in lines]


def kept(place: Path) -> Counter[str]:
    """How many replies each question has on the disk: all of them, or those of its checkpoint."""
    have = Counter({row["question"]: CALLS for row in rows(place)})
    asks = place / "library" / "asks"
    for run in unfinished_ids(asks):
        file = asks / ".unfinished" / f"{run}.json"
        try:
            checkpoint = load(file)
        except TranscriptError:
            if file.exists():
                raise
            continue  # it ended while this looked: its record is read below
        have[checkpoint.question] = max(have[checkpoint.question], len(checkpoint.exchanges))
    for record in records(place):
        have[load(record.parent).question] = CALLS
    return have


def records(place: Path) -> list[Path]:
    """The finished records on the disk."""
    return sorted((place / "library" / "asks").glob("[0-9]*/[0-9]*/[0-9]*/transcript.json"))


def kill_often(place: Path, kills: int, count: int, seed: int) -> None:
    """Kill a batch at random moments until it was killed so often, over as many rounds as that takes."""
    moments = random.Random(seed)
    killed = checked = 0
    while killed < kills:
        for old in ("answers.jsonl", "library/asks"):
            path = place / old
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        questions = write_questions(place / "questions.jsonl", count)
        with model_server(latency=0.03) as server:
            done = False
            while not done:
                have, sold = kept(place), Counter(one.question for one in server.log())
                process = start(place, server, "-j", "8", "-q")
                if killed < kills:
                    before, patience = server.sold(), time.monotonic() + 60
                    while server.sold() == before and process.poll() is None and time.monotonic() < patience:
                        time.sleep(0.02)
                    time.sleep(moments.uniform(0.0, 1.5))
                    process.kill()
                    killed += 1
                _, said = process.communicate(timeout=120)
                done = process.returncode == 0
                assert process.returncode in (0, -signal.SIGKILL), said
                # What was on the disk before this start was not asked in it.
                for question, calls in Counter(one.question for one in server.log()).items():
                    assert calls - sold[question] <= CALLS - have[question], question
                    checked += have[question] > 0
            assert sorted(row["question"] for row in rows(place)) == sorted(questions)
            assert {row["status"] for row in rows(place)} == {"answered"}
            for row in rows(place):
                assert load(place / row["transcript"]).question == row["question"]
            assert unfinished_ids(place / "library" / "asks") == []
    assert checked, "no start found anything on the disk; the test proves nothing"


@pytest.fixture
def place(notes: Path, tmp_path: Path) -> Path:
    shutil.copytree(notes, tmp_path / "library")
    return tmp_path


def test_killed_at_five_random_moments(place: Path) -> None:
    kill_often(place, kills=5, count=100, seed=8)


@pytest.mark.slow
def test_killed_at_two_hundred_random_moments(place: Path) -> None:
    kill_often(place, kills=200, count=100, seed=88)


def test_a_run_that_was_saved_before_its_row_was_written_is_not_asked_again(place: Path) -> None:
    questions = write_questions(place / "questions.jsonl", 6)
    with model_server(hang_on=questions[0]) as server:
        process = start(place, server, "--ordered", "-j", "6")
        # The first question is never answered, and so no other one is written.
        while len(records(place)) < 5:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
        process.communicate()
        assert rows(place) == []
        # As if one of them had been killed just after it was saved, before it forgot its checkpoint.
        asks = place / "library" / "asks"
        record = records(place)[0]
        shutil.copy(record, asks / ".unfinished" / f"{load(record.parent).id}.json")
        sold = server.sold()
        again = start(place, server, "--ordered", "-q")
        _, said = again.communicate(timeout=60)
        assert (again.returncode, said) == (0, "")
        assert server.sold() == sold + CALLS, "only the first question was asked"
    assert [row["question"] for row in rows(place)] == questions
    assert unfinished_ids(asks) == []


def test_recover_leaves_what_was_paid_for_to_the_next_start(place: Path) -> None:
    questions = write_questions(place / "questions.jsonl", 3)
    with model_server(hang_on="", hang_call=3) as server:
        process = start(place, server, "-j", "3")
        # Each question has two replies on the disk, and its third is asked: that one is never answered.
        while sum(kept(place).values()) < 3 * 2 or len(server.log()) < 3 * 3:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.communicate()
        asks, had = place / "library" / "asks", kept(place)
        cut = unfinished_ids(asks)
        assert len(cut) == 3
        left = pnk("transcripts", "recover", "--kb", place / "library")
        assert (left.code, left.out) == (0, "")
        assert all(run in left.err for run in cut)
        assert unfinished_ids(asks) == cut
        sold = server.sold()
        again = start(place, server, "-q")
        _, said = again.communicate(timeout=60)
        assert (again.returncode, said) == (0, "")
        assert server.sold() - sold == sum(CALLS - had[one] for one in questions)
    assert {row["status"] for row in rows(place)} == {"answered"}


def test_a_run_of_a_batch_that_is_closed_by_its_id_is_the_answer_of_its_question(place: Path) -> None:
    write_questions(place / "questions.jsonl", 1)
    with model_server(hang_on="", hang_call=2) as server:
        process = start(place, server)
        while not kept(place) or len(server.log()) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.communicate()
        (cut,) = unfinished_ids(place / "library" / "asks")
        closed = pnk("transcripts", "recover", cut, "--kb", place / "library")
        assert (closed.code, "closed with what it had" in closed.out) == (0, True)
        sold = server.sold()
        start(place, server, "-q").communicate(timeout=60)
        assert server.sold() == sold
    (row,) = rows(place)
    assert (row["stop_reason"], cut in row["transcript"]) == ("interrupted", True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_lets_calls_under_way_end_and_keeps_them(place: Path, number: int, code: int) -> None:
    write_questions(place / "questions.jsonl", 30)
    with model_server(latency=0.3) as server:
        process = start(place, server, "-j", "4", "--summary", "s.json")
        while server.sold() < 20:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, "left (stopped)" in said) == (code, True), said
        sold = server.sold()
        have = kept(place)
        assert sum(have.values()) == sold, "every reply that was paid is on the disk"
        assert json.loads((place / "s.json").read_text())["skipped"]["left"] == 30 - len(rows(place)) > 0
        again = start(place, server, "-q", "-j", "8")
        _, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, "")
        assert server.sold() == 30 * CALLS
    assert len({row["id"] for row in rows(place)}) == len(rows(place)) == 30


def test_a_second_signal_ends_at_once(place: Path) -> None:
    write_questions(place / "questions.jsonl", 10)
    with model_server(latency=15) as server:
        process = start(place, server)
        while not server.log():
            assert process.poll() is None
            time.sleep(0.05)
        process.terminate()
        time.sleep(0.5)
        assert process.poll() is None, "the first one waits for the calls under way"
        process.terminate()
        process.communicate(timeout=10)
        assert process.returncode == 143


def test_a_second_start_says_so_and_does_nothing(place: Path) -> None:
    write_questions(place / "questions.jsonl", 20)
    with model_server(latency=0.5) as server:
        process = start(place, server)
        while not server.log():
            assert process.poll() is None
            time.sleep(0.05)
        second = start(place, server, "-q")
        _, said = second.communicate(timeout=60)
        assert (second.returncode, "Another batch is writing" in said) == (0, True), said
        process.terminate()
        assert process.communicate(timeout=60)[1].count("error") == 0


def test_two_batches_at_once_do_not_spend_more_than_one_may(place: Path) -> None:
    write_questions(place / "questions.jsonl", 40)
    with model_server(latency=0.02) as server:
        command = [
            sys.executable,
            "-m",
            "pinakes_ask",
            "batch",
            "questions.jsonl",
            "--kb",
            "library",
            *server.flags,
        ]
        flags = ["--max-calls", "60", "-q", "-j", "4"]
        both = [
            subprocess.Popen([*command, *flags, "--out", out], cwd=place, stderr=subprocess.PIPE, text=True)
            for out in ("one.jsonl", "two.jsonl")
        ]
        for process in both:
            process.communicate(timeout=120)
            assert process.returncode == 0
        assert 50 <= server.sold() <= 60
