"""The scripted server, and the model that asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.seams import Replied
from pinakes_ask.tasks import Task
from tests.endpoint.server import KEY, MODEL, ChatServer


@pytest.fixture(scope="session")
def make_httpserver() -> Iterator[HTTPServer]:
    """Several requests at once, so that one that hangs holds up no other."""
    server = HTTPServer(host="127.0.0.1", threaded=True)
    server.start()
    yield server
    server.clear()
    if server.is_running():
        server.stop()


@pytest.fixture
def chat(httpserver: HTTPServer) -> ChatServer:
    return ChatServer(httpserver)


class TestTimer:
    """Time that goes on only by being waited for. ``waits`` are the seconds of each wait."""

    __test__ = False

    def __init__(self) -> None:
        self.seconds = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)


@pytest.fixture
def timer() -> TestTimer:
    return TestTimer()


@pytest.fixture
def waits(timer: TestTimer) -> list[float]:
    """The seconds that the model waited between retries, without waiting them."""
    return timer.waits


@pytest.fixture
def ask(chat: ChatServer, timer: TestTimer) -> Callable[..., Replied[Any]]:
    """Ask one task, or several in a row, of a new model on the scripted server."""

    def asked(*tasks: Task[Any], account: Any = None, **settings: Any) -> Replied[Any]:
        async def run() -> Replied[Any]:
            endpoint = Endpoint(**{"base_url": chat.url, "model": MODEL, "api_key": KEY, **settings})
            async with EndpointModel(endpoint, timer=timer) as model:
                asked = model if account is None else model.paid_by(account)
                return [await asked.reply(task) for task in tasks][-1]

        return asyncio.run(run())

    return asked
