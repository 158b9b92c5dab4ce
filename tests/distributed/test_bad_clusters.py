"""Clusters that cannot be used: said in one line, in bounded time, before anything is asked."""

from __future__ import annotations

import asyncio
import socket
import time
from functools import partial
from pathlib import Path

import pytest

from pinakes_ask.cli.ray import worker_library, worker_model
from pinakes_ask.config import ModelSection
from pinakes_ask.distributed.cluster import joined
from pinakes_ask.distributed.errors import ClusterUnusable
from pinakes_ask.distributed.fleet import Fleet
from pinakes_ask.distributed.worker import Opening
from retrieval.syncing import sync
from tests.batch.model_server import model_server, write_library, write_questions
from tests.cli.pnk import Ran, pnk
from tests.distributed.conftest import MISSING, Machines


def ask(place: Path, address: str, *flags: str, **environment: str) -> Ran:
    write_questions(place / "questions.jsonl", 2)
    given = ("batch", "questions.jsonl", "--kb", "library", "--out", "answers.jsonl", "--ray", address, *flags)
    return pnk(*given, cwd=place, env=environment)


def refused(ran: Ran, place: Path) -> str:
    """What was said, on one line; nothing was asked."""
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert not (place / "answers.jsonl").exists() or not (place / "answers.jsonl").read_text()
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    return ran.err


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_library(tmp_path / "library")
    sync(tmp_path / "library")
    return tmp_path


def test_without_ray_the_extra_is_named(place: Path) -> None:
    """In an environment that has the extra nobody can see this; the one of `make test` has not."""
    try:
        import ray  # noqa: F401
    except ModuleNotFoundError:
        assert "pip install 'pinakes-ask[ray]'" in refused(ask(place, "local"), place)
    else:
        pytest.skip("Ray is installed here")


def test_workers_need_a_cluster(place: Path) -> None:
    ran = pnk("batch", "q", "--kb", "library", "--out", "a", "--ray-workers", "2", cwd=place)
    assert (ran.code, "no cluster was named" in ran.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["somewhere", "host:0", "ray://127.0.0.1:10001", "127.0.0.1:port"])
def test_an_address_that_is_none(place: Path, address: str) -> None:
    pytest.importorskip("ray", reason=MISSING)
    assert "neither 'local' nor a host and port" in refused(ask(place, address), place)


@pytest.mark.slow
def test_an_address_where_nobody_answers(place: Path) -> None:
    pytest.importorskip("ray", reason=MISSING)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "nobody answers there" in refused(ask(place, f"127.0.0.1:{port}"), place)


@pytest.mark.slow
def test_an_address_where_somebody_else_answers(place: Path) -> None:
    pytest.importorskip("ray", reason=MISSING)
    with socket.create_server(("127.0.0.1", 0)) as other:
        begun = time.monotonic()
        said = refused(ask(place, f"127.0.0.1:{other.getsockname()[1]}"), place)
    assert "let nobody in" in said
    assert time.monotonic() - begun < 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("__version__ = '0.0.1'", "has version 0.0.1 of the program"),
        ("raise ImportError('gone')", "does not have"),
    ],
)
def test_a_machine_with_another_version_of_the_program_or_none(
    place: Path, machines: Machines, tmp_path: Path, program: str, said: str
) -> None:
    package = tmp_path / "other" / "pinakes_ask"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(program + "\n")
    machines.add(PYTHONPATH=str(package.parent))
    assert said in refused(ask(place, machines.address), place)


@pytest.mark.slow
def test_a_key_that_a_machine_does_not_have(place: Path, machines: Machines) -> None:
    """The machines were started without one; the command has one, and sends it nowhere."""
    with model_server() as server:
        ran = ask(place, machines.address, "--yes", *server.flags, PNK_ASK_API_KEY="sk-known-to-the-command")
        said = refused(ran, place)
        assert server.log() == []
    assert "neither PNK_ASK_API_KEY nor OPENAI_API_KEY is set there" in said
    assert "environment of `ray start`" in said


@pytest.mark.slow
def test_a_library_that_the_workers_do_not_see(place: Path, machines: Machines) -> None:
    opening = Opening(
        partial(worker_library, place / "elsewhere", None, None),
        partial(worker_model, ModelSection(), keyed=False),
    )

    async def begin() -> None:
        async with Fleet(opening, 2, 1, "fingerprint"):
            raise AssertionError("no worker can begin")

    with joined(machines.address), pytest.raises(ClusterUnusable, match="cannot begin") as error:
        asyncio.run(begin())
    assert "shared file system" in str(error.value)


@pytest.mark.slow
def test_a_library_that_the_workers_see_in_another_state(place: Path, machines: Machines) -> None:
    opening = Opening(
        partial(worker_library, place / "library", None, None), partial(worker_model, ModelSection(), keyed=False)
    )

    async def begin() -> None:
        async with Fleet(opening, 1, 1, "what this machine sees"):
            raise AssertionError("no worker can begin")

    with joined(machines.address), pytest.raises(ClusterUnusable, match="another state of the library"):
        asyncio.run(begin())


@pytest.mark.slow
def test_a_cluster_without_a_free_processor(place: Path, machines: Machines) -> None:
    import ray

    opening = Opening(
        partial(worker_library, place / "library", None, None), partial(worker_model, ModelSection(), keyed=False)
    )

    async def begin() -> None:
        async with Fleet(opening, 2, 1, "any", start=3.0):
            raise AssertionError("no worker can begin")

    class Occupant:
        def here(self) -> bool:
            return True

    with joined(machines.address):
        occupants = [ray.remote(num_cpus=1)(Occupant).remote() for _ in range(2)]
        assert ray.get([one.here.remote() for one in occupants]) == [True, True]
        with pytest.raises(ClusterUnusable, match="no worker found a place"):
            asyncio.run(begin())


@pytest.mark.slow
def test_a_folder_whose_name_is_too_long_for_ray(place: Path) -> None:
    pytest.importorskip("ray", reason=MISSING)
    said = refused(ask(place, "local", RAY_TMPDIR=str(place / ("long" * 30))), place)
    assert "Ray cannot be started on this machine" in said
    assert "RAY_TMPDIR" in said


@pytest.mark.slow
def test_a_key_is_in_no_log_of_the_cluster_and_in_no_record(place: Path, ray_folder: Path) -> None:
    key = "sk-nobody-may-read-this-0123456789"
    with model_server() as server:
        flags = ("--yes", "-q", *server.flags)
        ran = ask(place, "local", *flags, PNK_ASK_API_KEY=key, RAY_TMPDIR=str(ray_folder))
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert server.sold() > 0
    written = [file for folder in (place, ray_folder) for file in folder.rglob("*") if file.is_file()]
    assert any("raylet" in file.name for file in written), "Ray's logs were looked at"
    for file in written:
        assert key.encode() not in file.read_bytes(), file
