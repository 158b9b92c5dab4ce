"""``--ray local``: workers on this machine, which end with the command, and the same answers as without."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.batch.model_server import model_server, write_questions
from tests.batch.test_killed import rows, start
from tests.cli.pnk import pnk
from tests.conftest import SAMPLE
from tests.distributed.conftest import MISSING, Machines

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _ray() -> None:
    pytest.importorskip("ray", reason=MISSING)


def answers(library: Path, place: Path, *flags: str) -> dict[str, dict[str, Any]]:
    """The rows of the sample questions, without what differs between any two batches."""
    out = place / "answers.jsonl"
    ran = pnk("batch", SAMPLE / "questions.jsonl", "--kb", library, "--out", out, "-q", *flags)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    found = [json.loads(line) for line in out.read_text().splitlines()]
    for row in found:
        assert (place / row.pop("transcript") / "transcript.json").is_file()
        del row["usage"]["seconds"]
    out.unlink()
    return {row["id"]: row for row in found}


def test_the_rows_are_those_of_a_batch_without_workers(sample_library: Path, tmp_path: Path) -> None:
    plain = answers(sample_library, tmp_path)
    assert answers(sample_library, tmp_path, "--ray", "local", "--ray-workers", "2") == plain
    assert len(plain) == 20


def running(folder: Path) -> list[bytes]:
    """The processes of Ray that work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.append((process / "cmdline").read_bytes())
    return [command for command in found if bytes(folder) in command]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_however_the_command_ends(
    notes: Path, tmp_path: Path, ray_folder: Path, number: int
) -> None:
    shutil.copytree(notes, tmp_path / "library")
    questions = write_questions(tmp_path / "questions.jsonl", 8)
    with model_server(latency=0.4) as server:
        given = ["questions.jsonl", "--kb", "library", "--out", "answers.jsonl", "--yes", *server.flags]
        process = subprocess.Popen(
            [sys.executable, "-m", "pinakes_ask", "batch", *given, "--ray", "local"],
            cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "RAY_TMPDIR": str(ray_folder)},
        )  # fmt: skip
        while server.sold() < 8:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        assert running(ray_folder)
        # As a terminal does it, to all processes of the command at once.
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        _, said = process.communicate(timeout=60)
        expected = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}
        assert process.returncode == expected[signal.Signals(number)], said
        patience = time.monotonic() + 30
        while running(ray_folder) and time.monotonic() < patience:
            time.sleep(0.2)
        assert running(ray_folder) == []
        again = start(tmp_path, server, "-q")
        _, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, "")
        if number != signal.SIGKILL:
            assert server.sold() == 8 * 6, "nothing was paid twice"
    assert sorted(row["question"] for row in rows(tmp_path)) == sorted(questions)


def vectors(state: Path) -> Any:
    (file,) = state.rglob("vectors.npy")
    return np.load(file)


def test_a_sync_on_a_cluster_makes_the_same_index(machines: Machines, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    rows = [{"title": f"Note {n}", "text": f"Note {n} tells of {n} ships. " * (1 + n % 7)} for n in range(700)]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    here = pnk("sync", "--kb", corpus, "--state", tmp_path / "here", "--json")
    there = pnk("sync", "--kb", corpus, "--state", tmp_path / "there", "--ray", machines.address, "--json")
    assert here.code == there.code == 0, there.err
    assert here.json() == there.json()
    assert there.json()["embedded"] == 700
    one, two = vectors(tmp_path / "here"), vectors(tmp_path / "there")
    assert one.shape == two.shape
    assert float((one * two).sum(axis=1).min()) > 0.99999


def test_a_sync_goes_on_when_a_machine_dies(machines: Machines, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    rows = [{"title": f"Note {n}", "text": f"Note {n} tells of {n} ships and more. " * 9} for n in range(900)]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, "-m", "pinakes_ask", "sync", "--kb", corpus, "--ray", machines.address, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    cache = tmp_path / "corpus.jsonl.pinakes-ask"
    while not any(file.name.startswith("vectors") or "cache" in file.name for file in cache.rglob("*")):
        assert process.poll() is None
        time.sleep(0.1)
    time.sleep(3)
    machines.kill(machines.second)
    out, _ = process.communicate(timeout=240)
    assert process.returncode == 0
    assert json.loads(out)["embedded"] == 900
