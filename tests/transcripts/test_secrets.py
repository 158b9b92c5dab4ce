"""The key of a model's server is in no file that a run leaves, whatever the server repeats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pnk import pnk
from tests.endpoint.conftest import chat, make_httpserver  # noqa: F401 (fixtures)
from tests.endpoint.server import KEY, ChatServer, failure
from tests.endpoint.test_loop import KINDS, QUESTION
from tests.transcripts.modelled import make_library, named
from tests.transcripts.test_killed_asks import start_ask


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("secrets") / "library")


def telling(step: Any) -> Any:
    """A server whose model has been told the key, and says it wherever it can."""

    def reply(body: dict[str, Any]) -> str:
        text = step(body) if callable(step) else step
        said = json.loads(text[text.index("{", text.rfind("</think>") + 1) :])
        said["reasoning"] = f"Authorization: Bearer {KEY}"
        if "memory" in said:
            said["memory"] = f"The key is {KEY}."
        if "statements" in said:
            said["statements"][0]["text"] += f" {KEY}"
        return json.dumps(said)

    return reply


def files(folder: Path) -> list[Path]:
    """Everything below a folder, hidden files, the index and git's objects included."""
    return [path for path in folder.rglob("*") if path.is_file()]


def assert_no_key(folder: Path) -> None:
    for path in files(folder):
        assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    "steps",
    [
        {**KINDS, "solve": failure(400, f"key {KEY} may not do this")},
        {**KINDS, "plan": f"I would rather not, {KEY}.", "write": f"No. {KEY}"},
        {kind: telling(step) for kind, step in KINDS.items()},
    ],
    ids=["in an error", "in prose", "in every reply"],
)
def test_the_key_is_in_no_file_and_in_no_output(steps: dict[str, Any], chat: ChatServer, library: Path) -> None:  # noqa: F811
    chat.script_kinds(**steps)
    ran = pnk(
        "ask", "--deep", "--json", "-v", "--kb", library, *named(chat), QUESTION, env={"PNK_ASK_API_KEY": KEY}
    )
    assert chat.keys == {f"Bearer {KEY}"}
    assert ran.json()["transcript"], ran.err
    assert KEY not in ran.out + ran.err
    assert_no_key(library)


def test_the_key_is_not_in_what_a_killed_run_leaves(chat: ChatServer, library: Path) -> None:  # noqa: F811
    chat.script_kinds(**{kind: telling(step) for kind, step in KINDS.items()})
    process = start_ask(chat, library)
    while chat.count < 5:
        assert process.poll() is None
    process.kill()
    process.wait()
    assert_no_key(library)
