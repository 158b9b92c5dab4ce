"""A model's server in a process of its own, so that a batch can be killed and the server remembers what it sold.

It answers each kind of task about two notes as the scripted server does, keeps connections open, and can be
slow, fail now and then, storm with 429, or fall silent. Run as ``python -m tests.batch.model_server``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endpoint.server import MODEL, kind_of
from tests.endpoint.test_loop import DOCUMENTS, KINDS

_QUESTION = re.compile(r'^QUESTION: (.*)$|"question":"((?:[^"\\]|\\.)*)"', re.MULTILINE)


@dataclass(frozen=True)
class Sold:
    """One request: whose question, which task, and the status that it was answered with."""

    question: str
    kind: str
    status: int


class Server:
    """Answers on one port until the process is ended."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._log: list[tuple[str, str, int]] = []
        self._hung: set[str] = set()

    async def serve(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, limit=1 << 22, backlog=512)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1])) if length else b""
                status, text = await self._answer(head, body)
                data = text.encode()
                writer.write(f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n".encode())
                writer.write(f"retry-after: 0\r\ncontent-length: {len(data)}\r\n\r\n".encode() + data)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: bytes, body: bytes) -> tuple[int, str]:
        if head.startswith(b"GET /log"):
            return 200, json.dumps(self._log)
        request = json.loads(body)
        number = len(self._log)
        question, kind = asked(request), kind_of(request)
        status = self._status(number)
        self._log.append((question, kind, status))
        hangs = self._given.hang_on in question and self._calls(question) == self._given.hang_call
        first = hangs and question not in self._hung
        self._hung |= {question} if first else set()
        if first or self._every(self._given.hang_every, number):
            await asyncio.sleep(3600)
        await asyncio.sleep(self._given.latency if status == 200 else 0)
        if status != 200:
            return status, json.dumps({"error": {"message": "not now"}})
        step = KINDS[kind]
        return 200, completion(step(request) if callable(step) else step)

    def _status(self, number: int) -> int:
        if self._given.refuse_after is not None and number >= self._given.refuse_after:
            return 401
        if number < self._given.storm or self._every(self._given.storm_every, number):
            return 429
        return 500 if self._every(self._given.fail_every, number) else 200

    def _calls(self, question: str) -> int:
        return sum(one == question for one, _, _ in self._log)

    @staticmethod
    def _every(period: int, number: int) -> bool:
        return period > 0 and number % period == period - 1


def asked(request: dict[str, Any]) -> str:
    """The question that a request is about."""
    found = _QUESTION.search(request["messages"][1]["content"])
    return (found[1] or found[2]) if found else ""


def completion(text: str) -> str:
    message = {"role": "assistant", "content": text, "refusal": None}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice]}
    return json.dumps({**body, "usage": usage})


@dataclass(frozen=True)
class Running:
    url: str
    process: subprocess.Popen[str]

    @property
    def flags(self) -> tuple[str, ...]:
        return ("--model", MODEL, "--base-url", f"{self.url}/v1")

    def log(self) -> list[Sold]:
        """Every request so far."""
        with urllib.request.urlopen(f"{self.url}/log", timeout=30) as reply:
            return [Sold(*one) for one in json.load(reply)]

    def sold(self) -> int:
        """How many requests were answered, or will be."""
        return sum(one.status == 200 for one in self.log())


@contextmanager
def model_server(**settings: object) -> Iterator[Running]:
    """Run a server with these settings: ``latency`` in seconds, ``fail_every`` so many requests, and so on."""
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.batch.model_server", *flags],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdout is not None
        yield Running(f"http://127.0.0.1:{process.stdout.readline().strip()}", process)
    finally:
        process.kill()
        process.communicate()


def write_library(folder: Path) -> None:
    """Two notes, which hold what every question asks."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, text in DOCUMENTS.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")


def write_questions(file: Path, count: int) -> list[str]:
    """Write ``count`` questions with ids, and return their texts."""
    texts = [f"Where was the author of The Reed born, told for reader number {n}?" for n in range(count)]
    rows = [json.dumps({"id": f"q{n:05}", "question": text}) for n, text in enumerate(texts)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--storm", type=int, default=0, help="answer so many requests at the start with 429")
    for name in ("storm", "fail", "hang"):
        parser.add_argument(f"--{name}-every", type=int, default=0)
    parser.add_argument(
        "--hang-on", default="\0", help="never answer one request about questions with this in them"
    )
    parser.add_argument("--hang-call", type=int, default=1, help="which of a question's requests that is")
    parser.add_argument("--refuse-after", type=int)
    asyncio.run(Server(parser.parse_args()).serve())


if __name__ == "__main__":
    main()
