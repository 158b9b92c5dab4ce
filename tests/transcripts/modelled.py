"""``pnk ask`` with the scripted server as its model, on a small library in a git repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.pnk import pnk
from tests.endpoint.server import KEY, MODEL, ChatServer
from tests.endpoint.test_loop import DOCUMENTS, QUESTION
from tests.transcripts.test_git import git

#: The calls of one run, in their order.
CALLS = ["plan", "solve", "solve", "write", "propositions", "reinfer"]


def make_library(folder: Path) -> Path:
    """Two notes, indexed and committed; transcripts are committed too."""
    folder.mkdir()
    for title, text in DOCUMENTS.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "config", "user.name", "Test")
    git(folder, "config", "user.email", "test@example.org")
    assert pnk("init", folder).code == 0
    assert pnk("sync", "--kb", folder).code == 0
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "start")
    return folder


def named(chat: ChatServer) -> tuple[str, ...]:
    """The flags that name the server."""
    return ("--model", MODEL, "--base-url", chat.url, "--yes")


def start_ask(chat: ChatServer, library: Path) -> subprocess.Popen[Any]:
    """Begin an ask in a process of its own."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PNK_ASK_")}
    return subprocess.Popen(
        [sys.executable, "-m", "pinakes_ask", "ask", "--deep", "--kb", str(library), *named(chat), QUESTION],
        env={**clean, "PNK_ASK_API_KEY": KEY, "NO_COLOR": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
