"""Workers that are lost: said, replaced where there is a processor, and the batch ended where there is none."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from pinakes_ask.batch.errors import RunLost
from pinakes_ask.cli.ray import worker_library, worker_model
from pinakes_ask.config import ModelSection
from pinakes_ask.distributed.cluster import joined
from pinakes_ask.distributed.errors import NoWorkerLeft
from pinakes_ask.distributed.fleet import Fleet
from pinakes_ask.distributed.messages import Kept
from pinakes_ask.distributed.place import Place
from pinakes_ask.distributed.worker import Opening
from retrieval.library import Library
from tests.batch.model_server import model_server, write_questions
from tests.batch.test_killed import CALLS, rows, start
from tests.distributed.conftest import Machines
from tests.distributed.test_worker import sent

pytestmark = pytest.mark.slow


def descendants(process: int) -> list[int]:
    """All processes that a process started, and that these started."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(file.parent.name)] = int(fields[1])
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def workers_of(process: int) -> list[int]:
    """The processes of the workers of a batch, by the title that Ray gives them."""
    titles = {one: Path(f"/proc/{one}/cmdline").read_bytes() for one in descendants(process)}
    return [one for one, title in titles.items() if title.startswith(b"ray::Worker")]


def test_a_worker_whose_process_is_killed_is_replaced(notes: Path, tmp_path: Path, ray_folder: Path) -> None:
    """As the system does it when memory is short."""
    shutil.copytree(notes, tmp_path / "library")
    questions = write_questions(tmp_path / "questions.jsonl", 12)
    with model_server(latency=0.3) as server:
        process = start(tmp_path, server, "--ray", "local", "--ray-workers", "2", "-j", "2", "-v")
        patience = time.monotonic() + 90
        while server.sold() < 15:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < patience
            time.sleep(0.05)
        found = workers_of(process.pid)
        assert len(found) == 2
        os.kill(found[0], signal.SIGKILL)
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert "was lost" in said
        assert "came in place of the lost one" in said
        assert server.sold() <= 12 * CALLS + 2, "only what was under way there was asked again"
    assert sorted(row["question"] for row in rows(tmp_path)) == sorted(questions)


def test_a_server_that_refuses_the_key_ends_the_batch(notes: Path, tmp_path: Path, ray_folder: Path) -> None:
    shutil.copytree(notes, tmp_path / "library")
    write_questions(tmp_path / "questions.jsonl", 6)
    with model_server(refuse_after=9) as server:
        process = start(tmp_path, server, "--ray", "local", "-j", "1")
        _, said = process.communicate(timeout=120)
        assert process.returncode == 1, said
        assert "rejected" in said
        assert len(server.log()) < 20, "no further question was asked"


async def until_lost(place: Place) -> None:
    """Ask a worker whose machine was killed; its process may outlive the machine by a moment."""
    for _ in range(100):
        await place.begin(sent())
        place.drop(sent().run)
        await asyncio.sleep(0.1)


def test_without_any_worker_the_batch_ends(notes: Path, machines: Machines) -> None:
    with Library.open(notes) as library:
        fingerprint = library.fingerprint
    heard: list[str] = []
    opening = Opening(
        partial(worker_library, notes, None, None), partial(worker_model, ModelSection(), keyed=False)
    )

    async def lose_all() -> None:
        async with Fleet(opening, 2, 1, fingerprint, watch=heard.append, come_back=3.0) as fleet:
            async with fleet.place() as place:
                assert isinstance(await place.begin(sent()), Kept)
                place.drop(sent().run)
            machines.kill(machines.first)
            machines.kill(machines.second)
            for _ in range(2):
                with pytest.raises(RunLost, match="was lost"):
                    async with fleet.place() as place:
                        await until_lost(place)
            async with fleet.place():
                raise AssertionError("there is no worker")

    with joined(machines.address), pytest.raises(NoWorkerLeft, match="none came back within 3 seconds"):
        asyncio.run(lose_all())
    assert sum("was lost" in one for one in heard) >= 2
