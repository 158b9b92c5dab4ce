"""A batch on a cluster of real machines: one of them may die, and every question has one row all the same."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.batch.model_server import Running, model_server, write_questions
from tests.batch.test_killed import CALLS, kept, rows, start
from tests.distributed.conftest import Machines
from transcripts.store import load
from transcripts.unfinished import unfinished_ids

pytestmark = pytest.mark.slow
#: Calls that may be under way on a machine with this many questions at once.
JOBS = 3


@pytest.fixture
def place(notes: Path, tmp_path: Path) -> Path:
    shutil.copytree(notes, tmp_path / "library")
    return tmp_path


def wait_for(server: Running, process: subprocess.Popen[str], sold: int) -> None:
    patience = time.monotonic() + 90
    while server.sold() < sold:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < patience
        time.sleep(0.05)


def test_a_machine_dies_and_every_question_has_one_row(place: Path, machines: Machines) -> None:
    questions = write_questions(place / "questions.jsonl", 24)
    with model_server(latency=0.2) as server:
        process = start(place, server, "--ray", machines.address, "-j", str(JOBS), "-v", "--summary", "s.json")
        wait_for(server, process, 40)
        machines.kill(machines.second)
        before = kept(place)
        _, said = process.communicate(timeout=180)
        assert process.returncode == 0, said
        assert "was lost" in said
        log = server.log()
    assert sorted(row["question"] for row in rows(place)) == sorted(questions)
    assert {row["status"] for row in rows(place)} == {"answered"}
    for row in rows(place):
        assert load(place / row["transcript"]).question == row["question"]
    assert unfinished_ids(place / "library" / "asks") == []
    # Only a call that was under way on the machine that died was made again.
    assert sum(before.values()) > 0
    again = {question: calls - CALLS for question, calls in Counter(one.question for one in log).items()}
    assert all(0 <= extra <= 1 for extra in again.values()), again
    assert sum(again.values()) <= JOBS


def test_a_machine_dies_and_the_budget_is_kept(place: Path, machines: Machines) -> None:
    questions = write_questions(place / "questions.jsonl", 24)
    with model_server(latency=0.2) as server:
        flags = ("--ray", machines.address, "-j", str(JOBS), "--max-calls", "100", "--summary", "s.json")
        process = start(place, server, *flags)
        wait_for(server, process, 25)
        machines.kill(machines.second)
        _, said = process.communicate(timeout=180)
        assert process.returncode == 0, said
        sold = server.sold()
        report = json.loads((place / "s.json").read_text())
        assert sold <= report["spent"]["team"]["calls"] <= 100
        assert report["why"] == "budget"
        done = rows(place)
        assert 0 < len(done) == len({row["id"] for row in done}) == 24 - report["skipped"]["left"] < 24
        # The rest is answered without the cluster, from the checkpoints of what was cut off.
        again = start(place, server, "-q", "-j", "8", "--retry-failed")
        _, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, "")
    assert sorted(row["question"] for row in rows(place)) == sorted(questions)
    assert unfinished_ids(place / "library" / "asks") == []


@pytest.mark.parametrize("first", ["with", "without"])
def test_a_batch_that_was_stopped_goes_on_the_other_way(place: Path, machines: Machines, first: str) -> None:
    questions = write_questions(place / "questions.jsonl", 20)
    ways = {"with": ("--ray", machines.address), "without": ()}
    (other,) = ways.keys() - {first}
    with model_server(latency=0.3) as server:
        process = start(place, server, *ways[first], "-j", "2")
        wait_for(server, process, 20)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, "left (stopped)" in said) == (143, True), said
        assert sum(kept(place).values()) == server.sold(), "every reply that was paid is on the disk"
        again = start(place, server, *ways[other], "-q", "-j", "4")
        _, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, "")
        assert server.sold() == 20 * CALLS, "nothing was paid twice"
    assert sorted(row["question"] for row in rows(place)) == sorted(questions)


def test_a_batch_that_was_killed_leaves_no_worker_and_is_taken_up(place: Path, machines: Machines) -> None:
    questions = write_questions(place / "questions.jsonl", 20)
    with model_server(latency=0.2) as server:
        process = start(place, server, "--ray", machines.address, "-j", "2")
        wait_for(server, process, 20)
        process.kill()
        process.communicate()
        have, sold = kept(place), Counter(one.question for one in server.log())
        again = start(place, server, "--ray", machines.address, "-q", "-j", "4")
        _, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, "")
        for question, calls in Counter(one.question for one in server.log()).items():
            assert calls - sold[question] <= CALLS - have[question] + 1, question
    assert sorted(row["question"] for row in rows(place)) == sorted(questions)


def test_a_batch_ends_when_every_worker_is_lost_and_goes_on_later(place: Path, machines: Machines) -> None:
    questions = write_questions(place / "questions.jsonl", 12)
    with model_server(latency=0.3) as server:
        process = start(place, server, "--ray", machines.address, "-j", "2", "--summary", "s.json")
        wait_for(server, process, 12)
        machines.kill(machines.first)
        machines.kill(machines.second)
        time.sleep(5)
        machines.add()
        _, said = process.communicate(timeout=180)
        assert process.returncode == 0, said
    assert sorted(row["question"] for row in rows(place)) == sorted(questions)
