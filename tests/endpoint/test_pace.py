"""The limits of a server, kept by every run that uses it. Time goes on only by being waited for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug import Response

from pinakes_ask.errors import ModelError
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.pace import Pace
from pinakes_ask.models.endpoint.transport import Endpoint
from tests.endpoint.conftest import TestTimer
from tests.endpoint.server import MODEL, ChatServer, completion, failure
from tests.endpoint.tasks import REINFER, REPLIES

GOOD = json.dumps(REPLIES["reinfer"])


def ask_many(chat: ChatServer, timer: TestTimer, runs: int, each: int, **limits: Any) -> list[float]:
    """Let ``runs`` runs ask ``each`` tasks one after the other; return when the server saw each request."""
    seen: list[float] = []
    step = chat.steps[0] if chat.steps else GOOD

    def stamped(body: dict[str, Any]) -> str | Response:
        seen.append(timer.now())
        return step(body) if callable(step) and not isinstance(step, Response) else step

    async def run(model: EndpointModel) -> None:
        for _ in range(each):
            await model.reply(REINFER)

    async def all_runs() -> None:
        async with EndpointModel(Endpoint(chat.url, MODEL, **limits), timer=timer) as model:
            await asyncio.gather(*(run(model) for _ in range(runs)))

    chat.script(stamped)
    asyncio.run(all_runs())
    return seen


def most_in_a_minute(seen: list[float]) -> int:
    return max(sum(start <= at < start + 60 for at in seen) for start in seen)


def test_no_minute_sees_more_requests_than_the_limit_and_none_fewer(chat: ChatServer, timer: TestTimer) -> None:
    seen = ask_many(chat, timer, runs=5, each=26, requests_per_minute=60, concurrency=1)
    assert len(seen) == 130
    assert most_in_a_minute(seen) == 60
    assert timer.now() == pytest.approx(120)


def test_requests_that_overlap_keep_the_limit_too(chat: ChatServer, timer: TestTimer) -> None:
    seen = ask_many(chat, timer, runs=8, each=5, requests_per_minute=12, concurrency=8)
    assert len(seen) == 40
    assert most_in_a_minute(seen) <= 12


def test_without_a_limit_nothing_is_waited_for(chat: ChatServer, timer: TestTimer) -> None:
    assert ask_many(chat, timer, runs=3, each=10) == [0.0] * 30


def test_no_minute_takes_more_tokens_than_the_limit(chat: ChatServer, timer: TestTimer) -> None:
    worst = EndpointModel(Endpoint(chat.url, MODEL)).worst_case(REINFER)
    booked = worst.prompt_tokens + worst.completion_tokens
    # Each takes 110 in the end, so that after four of them one more is not sure to fit.
    seen = ask_many(chat, timer, runs=1, each=9, tokens_per_minute=booked + 350, concurrency=1)
    assert most_in_a_minute(seen) == 4
    assert timer.now() == pytest.approx(120)


def test_tokens_that_nobody_counted_stay_at_their_worst_case(chat: ChatServer, timer: TestTimer) -> None:
    chat.script(completion(GOOD, usage=None))
    worst = EndpointModel(Endpoint(chat.url, MODEL)).worst_case(REINFER)
    limit = 2 * (worst.prompt_tokens + worst.completion_tokens)
    assert most_in_a_minute(ask_many(chat, timer, runs=1, each=4, tokens_per_minute=limit)) == 2


def test_a_request_above_the_limit_on_tokens_is_sent_alone(chat: ChatServer, timer: TestTimer) -> None:
    seen = ask_many(chat, timer, runs=2, each=2, tokens_per_minute=10)
    assert seen == [0.0, 60.0, 120.0, 180.0]


def test_a_server_that_asks_for_rest_has_it_from_every_run(chat: ChatServer, timer: TestTimer) -> None:
    steps = [failure(429, Retry_After="30"), *[completion(GOOD)] * 5]
    seen = ask_many(
        chat.script(lambda body: steps.pop(0)), timer, runs=3, each=1, requests_per_minute=60, concurrency=1
    )
    assert seen == [0.0, 30.0, 30.0, 30.0]
    assert timer.waits == [30.0]


def test_a_server_rests_also_from_the_others_once_one_request_was_given_up(
    chat: ChatServer, timer: TestTimer
) -> None:
    chat.script(*[failure(429, Retry_After="30")] * 4, GOOD)

    async def run() -> float:
        async with EndpointModel(Endpoint(chat.url, MODEL), timer=timer) as model:
            with pytest.raises(ModelError, match="4 times"):
                await model.reply(REINFER)
            given_up = timer.now()
            await model.reply(REINFER)
            return timer.now() - given_up

    assert asyncio.run(run()) == 30.0


def turns(timer: TestTimer, body: Callable[[Pace], Any], **limits: int) -> None:
    async def run() -> None:
        await body(Pace(timer, **limits))

    asyncio.run(run())


def test_a_request_counts_until_a_minute_after_its_end(timer: TestTimer) -> None:
    async def body(pace: Pace) -> None:
        async with pace.turn(1):
            timer.seconds = 40.0  # it took so long, and reached the server at some moment of these
        async with pace.turn(1):
            assert timer.now() == 100.0

    turns(timer, body, requests=1)


def test_a_request_on_its_way_is_waited_for_and_turns_keep_their_order(timer: TestTimer) -> None:
    order: list[int] = []

    async def body(pace: Pace) -> None:
        async def one(number: int) -> None:
            async with pace.turn(1):
                order.append(number)

        async with pace.turn(1):
            waiting = [asyncio.create_task(one(number)) for number in range(3)]
            await asyncio.sleep(0.01)
            assert order == []
        await asyncio.gather(*waiting)

    turns(timer, body, requests=1)
    assert order == [0, 1, 2]


def test_a_turn_that_is_given_up_frees_the_next(timer: TestTimer) -> None:
    async def body(pace: Pace) -> None:
        async with pace.turn(1):
            waiting = asyncio.create_task(pace.turn(1).__aenter__())
            await asyncio.sleep(0.01)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        async with asyncio.timeout(5), pace.turn(1):
            assert timer.now() == 60.0

    turns(timer, body, requests=1)


def test_the_window_slides_with_the_time_that_passes_otherwise(timer: TestTimer) -> None:
    given: list[float] = []

    async def body(pace: Pace) -> None:
        for moment in (0.0, 40.0, 40.0, 70.0):
            timer.seconds = max(timer.seconds, moment)
            async with pace.turn(1):
                given.append(timer.now())

    turns(timer, body, requests=2)
    assert given == [0.0, 40.0, 60.0, 100.0]
