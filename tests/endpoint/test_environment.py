"""What the environment holds reaches no server that the user named, but for the key that is meant for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.pnk import pnk
from tests.endpoint.server import KEY, MODEL, ChatServer
from tests.endpoint.test_score_with_model import ROW, right

#: All that a request for JSON over HTTP needs.
NEEDED = {"Host", "Connection", "Accept", "Accept-Encoding", "User-Agent", "Content-Type", "Content-Length"}


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "a", **ROW}) + "\n", encoding="utf-8")
    return path


def headers(chat: ChatServer, answers: Path, **environment: str) -> dict[str, str]:
    """What the server is told by a process with this environment."""
    chat.script(right)
    ran = pnk("score", answers, "--model", MODEL, "--base-url", chat.url, env=environment)
    assert (ran.code, ran.err.count("Traceback"), chat.count) == (0, 0, 2), ran.err
    return {name.title(): value for name, value in chat.headers.items()}


@pytest.mark.parametrize(
    "custom",
    [
        "X-Team: secret\nCookie: a=b",
        "Authorization: Bearer other\nauthorization: Basic b3RoZXI=",
        "User-Agent: other\nHost: example.org",
        "no colon",
        "X-Ü: ü\nX-Bad\x01: \x02",
    ],
)
def test_headers_of_the_environment_are_not_sent(
    custom: str, chat: ChatServer, answers: Path, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("default login somebody password secret\n", encoding="utf-8")
    told = headers(
        chat,
        answers,
        PNK_ASK_API_KEY=KEY,
        OPENAI_API_KEY="sk-other",
        OPENAI_ADMIN_KEY="sk-admin",
        OPENAI_ORG_ID="organisation",
        OPENAI_PROJECT_ID="project",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        OPENAI_CUSTOM_HEADERS=custom,
        HOME=str(tmp_path),
    )
    assert told.keys() == NEEDED | {"Authorization"}
    assert told["Authorization"] == f"Bearer {KEY}"
    assert told["Host"] in chat.url
    assert "other" not in told["User-Agent"]


def test_without_a_key_none_is_sent(chat: ChatServer, answers: Path) -> None:
    assert headers(chat, answers, OPENAI_ADMIN_KEY="sk-admin").keys() == NEEDED
