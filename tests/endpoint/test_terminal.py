"""``pnk ask --deep`` on a terminal: the live view, and Ctrl-C once and twice."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pnk import TIMEOUT, pnk
from tests.endpoint.oracle import Oracle, kind_of
from tests.endpoint.server import MODEL, ChatServer
from tests.endpoint.worlds import chain
from transcripts.store import load

WORLD = chain(3)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    for title, text in WORLD.documents.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    assert pnk("sync", "--kb", folder).code == 0
    return folder


@dataclass
class OnTerminal:
    """A running command whose standard error and input are a terminal."""

    process: subprocess.Popen[str]
    master: int

    def ended(self) -> tuple[int, str, str]:
        """Wait for its end: exit code, standard output, and what the terminal got."""
        seen = b""
        reader_done = threading.Event()

        def read() -> None:
            nonlocal seen
            try:
                while chunk := os.read(self.master, 65536):
                    seen += chunk
            except OSError:
                pass  # how a terminal says that its other end is closed
            reader_done.set()

        threading.Thread(target=read, daemon=True).start()
        out, _ = self.process.communicate(timeout=TIMEOUT)
        reader_done.wait(10)
        os.close(self.master)
        return self.process.returncode, out, seen.decode("utf-8", "replace")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)


def start(chat: ChatServer, library: Path, *flags: object) -> OnTerminal:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "pinakes_ask", "ask", "--deep", "--kb", library, "--model", MODEL]
    command += ["--base-url", chat.url, "--yes", *flags, WORLD.question]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PNK_ASK_")}
    process = subprocess.Popen(
        list(map(str, command)),
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**env, "TERM": "xterm", "COLUMNS": "100"},
        encoding="utf-8",
        start_new_session=True,
    )
    os.close(slave)
    return OnTerminal(process, master)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def blocking(oracle: Oracle, kinds: dict[str, threading.Event]) -> Callable[[dict[str, Any]], Any]:
    """The oracle, but each of these kinds waits for its event."""

    def step(body: dict[str, Any]) -> Any:
        event = kinds.get(kind_of(body))
        if event is not None:
            event.wait(TIMEOUT)
        return oracle(body)

    return step


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_the_plan_and_what_it_took_are_drawn_while_it_runs_and_not_on_standard_output(
    chat: ChatServer, library: Path
) -> None:
    chat.script(Oracle(WORLD, delay=0.3))
    code, out, terminal = start(chat, library, "--no-save", "--json").ended()
    assert code == 0
    assert json.loads(out)["short_answer"] == WORLD.short_answer
    drawn = plain(terminal)
    assert "Who taught {1}?" in drawn
    assert "Who taught Ann Bell? → Ivo Orr" in drawn
    assert "cost unknown" in drawn
    assert re.search(r"[1-9] calls?, [\d,]+ tokens", drawn)
    assert "Traceback" not in drawn


def test_ctrl_c_once_ends_with_the_best_answer_so_far_and_a_saved_record(
    chat: ChatServer, library: Path, tmp_path: Path
) -> None:
    oracle, held = Oracle(WORLD), threading.Event()
    chat.script(blocking(oracle, {"solve": held}))
    run = start(chat, library, "--json", "--asks", tmp_path)
    until(lambda: chat.count == 2)
    run.interrupt()
    code, out, terminal = run.ended()
    held.set()
    result = json.loads(out)
    assert (code, result["status"], result["stop_reason"]) == (130, "partial", "interrupted")
    assert result["statements"]
    record = load(Path(result["transcript"]))
    assert record.stop_reason == "interrupted"
    assert "Traceback" not in terminal


def test_ctrl_c_twice_stops_at_once_and_what_was_paid_can_be_recovered(
    chat: ChatServer, library: Path, tmp_path: Path
) -> None:
    oracle, held = Oracle(WORLD), threading.Event()
    chat.script(blocking(oracle, {"solve": held, "write": held}))
    run = start(chat, library, "--json", "--asks", tmp_path)
    until(lambda: chat.count == 2)
    run.interrupt()
    until(lambda: chat.count == 3)
    run.interrupt()
    code, out, terminal = run.ended()
    held.set()
    assert (code, out) == (130, "")
    assert "Traceback" not in terminal


def test_lines_instead_of_a_drawing_where_they_are_wanted(chat: ChatServer, library: Path) -> None:
    chat.script(Oracle(WORLD))
    named = ("--model", MODEL, "--base-url", chat.url, "--yes", "--no-save", "-v")
    ran = pnk("ask", "--deep", "--kb", library, *named, WORLD.question)
    lines = ran.err.splitlines()
    assert "plan: 3 sub-questions, chain" in lines
    assert "round 2: 2. Who taught Ann Bell?" in lines
    assert "round 2: 2. → Ivo Orr" in lines
    assert "answer: checking" in lines
