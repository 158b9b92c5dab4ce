"""``pnk transcripts serve`` as a process of its own, and requests in which every header can be chosen."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

_SECONDS = 60


@dataclass
class Server:
    """A running server: the address that it printed, and the process."""

    address: str
    process: subprocess.Popen[str]
    port: int = field(init=False)
    token: str = field(init=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        assert parts.hostname == "127.0.0.1"
        assert parts.port is not None
        self.port, self.token = parts.port, parts.query.removeprefix("token=")

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        known: bool = True,
    ) -> Answer:
        """Send one request; ``known`` adds the token. A header given as "" is left out."""
        every = {"Host": f"127.0.0.1:{self.port}"} | ({"X-Pinakes-Token": self.token} if known else {})
        every |= dict(headers or {})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_SECONDS)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in every.items():
                if value:
                    connection.putheader(name, value)
            if body is not None and "Content-Length" not in every and "Transfer-Encoding" not in every:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            if body:
                connection.send(body)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read().decode())
        finally:
            connection.close()

    def review(self, run: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Answer:
        """Post a review as the page's form does."""
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.ask("POST", f"/runs/{run}/review", {**form, **(headers or {})}, urlencode(fields).encode())


@dataclass(frozen=True)
class Answer:
    """What came back; header names are in lower case."""

    code: int
    headers: dict[str, str]
    text: str


@contextmanager
def serving(asks: Path, *flags: object) -> Iterator[Server]:
    """Serve the records in ``asks`` and end it with Ctrl-C."""
    command = [sys.executable, "-m", "pinakes_ask", "transcripts", "serve"]
    command += ["--kb", str(asks.parent), "--asks", str(asks), *map(str, flags)]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    ) as process:
        try:
            assert process.stdout is not None
            yield Server(process.stdout.readline().strip(), process)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=_SECONDS)
