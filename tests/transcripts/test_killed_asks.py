"""An ask that is killed at any moment loses no record, leaves none that cannot be read, and can be mended."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pnk import pnk
from tests.endpoint.conftest import chat, make_httpserver  # noqa: F401 (fixtures)
from tests.endpoint.server import KEY, ChatServer
from tests.endpoint.test_loop import KINDS
from tests.transcripts.modelled import CALLS, make_library, named, start_ask
from tests.transcripts.test_git import git
from transcripts.folders import run_folders
from transcripts.store import load
from transcripts.unfinished import unfinished_ids

#: Seconds that the server thinks, so that kills fall between calls as well as into them.
THINKING = 0.05


def slowly(step: Any) -> Any:
    def reply(body: dict[str, Any]) -> Any:
        time.sleep(THINKING)
        return step(body) if callable(step) else step

    return reply


@pytest.fixture
def thinking(chat: ChatServer) -> ChatServer:  # noqa: F811
    return chat.script_kinds(**{kind: slowly(step) for kind, step in KINDS.items()})


def wait_for_git(library: Path) -> None:
    """A git that the killed process had started ends by itself."""
    for _ in range(200):
        if not (library / ".git" / "index.lock").exists():
            return
        time.sleep(0.05)
    raise AssertionError("git left its lock")


def saved(library: Path) -> set[str]:
    """The ids of all records, each of which can be read and is whole."""
    runs = run_folders(library / "asks")
    for run in runs:
        folder = library / "asks" / run.name
        assert sorted(path.name for path in folder.iterdir()) == ["answer.md", "path.json", "transcript.json"]
        assert load(folder).id == run.id
    return {run.id for run in runs}


def kill_and_check(library: Path, server: ChatServer, kills: int, seed: int) -> None:
    moments = random.Random(seed)
    assert start_ask(server, library).wait() == 0
    before = saved(library)
    unfinished = 0
    for _ in range(kills):
        process = start_ask(server, library)
        # Counted by its calls, so that the moment is in the run however busy the machine is.
        call = server.count + moments.randint(0, len(CALLS))
        while server.count < call and process.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 3 * THINKING))
        process.kill()
        process.wait()
        now = saved(library)
        assert before <= now, "a finished record is lost"
        before = now
        for run_id in unfinished_ids(library / "asks"):
            load(library / "asks" / ".unfinished" / f"{run_id}.json")
        listed = pnk("transcripts", "list", "--json", "--kb", library).json()
        assert ({run["id"] for run in listed["runs"]}, listed["problems"]) == (now, [])
        unfinished = max(unfinished, len(unfinished_ids(library / "asks")))
    wait_for_git(library)
    assert unfinished, "no kill came while a run was under way; the test proves nothing"
    left = set(unfinished_ids(library / "asks"))
    recovered = pnk("transcripts", "recover", "--json", "--kb", library)
    assert recovered.code == 0, recovered.err
    assert {run["id"] for run in recovered.json()["runs"]} == left
    assert saved(library) == before | left
    assert [path.name for path in (library / "asks" / ".unfinished").iterdir()] == [".gitignore"]
    assert git(library, "status", "--porcelain") == ""


def test_killed_at_five_random_moments(thinking: ChatServer, tmp_path: Path) -> None:
    kill_and_check(make_library(tmp_path / "library"), thinking, 5, seed=3)


@pytest.mark.slow
def test_killed_at_a_hundred_random_moments(thinking: ChatServer, tmp_path: Path) -> None:
    kill_and_check(make_library(tmp_path / "library"), thinking, 100, seed=4)


def test_a_killed_ask_is_taken_up_without_paying_twice(chat: ChatServer, tmp_path: Path) -> None:  # noqa: F811
    library = make_library(tmp_path / "library")
    server = chat.script_kinds(**{**KINDS, "write": [slowly_forever, KINDS["write"]]})
    process = start_ask(server, library)
    while server.count < 4:  # the write is asked, and never answered
        time.sleep(0.02)
        assert process.poll() is None
    process.kill()
    process.wait()
    ran = pnk(
        "transcripts",
        "recover",
        "--resume",
        "--json",
        *named(server),
        "--kb",
        library,
        env={"PNK_ASK_API_KEY": KEY},
    )
    assert ran.code == 0, ran.err
    (run,) = ran.json()["runs"]
    assert (run["state"], run["status"], run["notes"]) == ("resumed", "answered", [])
    assert server.count == len(CALLS) + 1, "only the call that was under way is made again"
    record = load(library / "asks" / run["folder"].split("asks/")[1])
    assert [one.kind for one in record.exchanges] == CALLS
    assert record.usage.calls == len(CALLS)
    assert git(library, "status", "--porcelain") == ""
    assert pnk("transcripts", "replay", record.id, "--kb", library).code == 0


def slowly_forever(body: dict[str, Any]) -> str:
    time.sleep(3)
    return "{}"
