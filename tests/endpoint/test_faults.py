"""Every fault of a server or a model, over real HTTP, with its right outcome."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from werkzeug import Response

from pinakes_ask.budget import Budget, Limits
from pinakes_ask.errors import ModelError, ModelRefused, ReplyUnusable
from pinakes_ask.metered import MeteredModel
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.seams import Usage
from tests.ask.fakes import TestClock
from tests.endpoint.server import KEY, MODEL, ChatServer, completion, failure, hang
from tests.endpoint.tasks import PLAN, REINFER, REPLIES, SOLVE, TASKS, WRITE

Ask = Callable[..., Any]
GOOD = json.dumps(REPLIES["reinfer"])


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_every_task_is_asked_strictly_and_answered(task: Any, chat: ChatServer, ask: Ask) -> None:
    chat.script(json.dumps(REPLIES[task.kind]))
    replied = ask(task)
    assert replied.reply == task.reply_model.model_validate(REPLIES[task.kind])
    assert replied.usage == Usage(100, 10, None)
    (request,) = chat.requests
    assert (request["model"], request["temperature"]) == (MODEL, 0)
    assert request["response_format"]["json_schema"]["strict"] is True
    assert chat.keys == {f"Bearer {KEY}"}


def test_prices_make_a_cost_and_no_price_none(chat: ChatServer, ask: Ask) -> None:
    chat.script(GOOD)
    assert ask(REINFER, prompt_price=1.0, completion_price=10.0).usage.cost == pytest.approx(0.0002)
    assert ask(REINFER, prompt_price=1.0).usage.cost is None
    assert EndpointModel(Endpoint(chat.url, MODEL)).worst_case(REINFER).cost is None


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_the_worst_case_holds_the_prompt_and_the_longest_reply(task: Any, chat: ChatServer, ask: Ask) -> None:
    chat.script(json.dumps(REPLIES[task.kind]))
    ask(task)
    worst = EndpointModel(Endpoint(chat.url, MODEL)).worst_case(task)
    assert worst.completion_tokens == chat.requests[0]["max_tokens"]
    assert worst.prompt_tokens * 3 > len(chat.prompt())
    assert worst.estimated


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": 0, "completion_tokens": 0}]
)
def test_usage_that_is_missing_is_estimated_and_marked(usage: Any, chat: ChatServer, ask: Ask) -> None:
    chat.script(completion(GOOD, usage=usage))
    taken = ask(REINFER).usage
    assert taken.estimated
    assert taken.prompt_tokens > 100


@pytest.mark.parametrize(
    ("understood", "tries"),
    [({"json_schema", "json_object", "text"}, 1), ({"json_object", "text"}, 2), ({"text"}, 3)],
)
def test_structured_output_steps_down_and_remembers(
    understood: set[str], tries: int, chat: ChatServer, ask: Ask
) -> None:
    chat.script(GOOD).formats = understood
    ask(REINFER, REINFER)
    assert chat.count == tries + 1
    told = "JSON schema" in chat.prompt()
    assert told == ("json_schema" not in understood)


def test_newer_names_of_settings_are_learned(chat: ChatServer, ask: Ask) -> None:
    def picky(body: dict[str, Any]) -> str | Response:
        if "max_tokens" in body:
            return failure(400, "'max_tokens' is not supported, use 'max_completion_tokens' instead")
        if "temperature" in body:
            return failure(400, "'temperature' does not support 0 with this model")
        return GOOD

    chat.script(picky)
    ask(REINFER, REINFER)
    assert chat.count == 4
    assert chat.requests[-1]["max_completion_tokens"] == chat.requests[0]["max_tokens"]
    assert chat.requests[-1]["response_format"]["type"] == "json_schema"


def test_a_prompt_that_is_too_long_is_told_and_teaches_nothing(chat: ChatServer, ask: Ask) -> None:
    chat.script(failure(400, "this model's maximum context length is 4096 tokens", "context_length_exceeded"))
    with pytest.raises(ModelError, match="maximum context length"):
        ask(REINFER)
    assert chat.count == 1


@pytest.mark.parametrize("text", ["I think it is Dale.", '{"short_answer": ["Dale"]}', "[1, 2]", "{}"])
def test_a_reply_that_cannot_be_read_is_asked_again_with_the_reason(text: str, chat: ChatServer, ask: Ask) -> None:
    chat.script(text, GOOD)
    replied = ask(REINFER)
    assert replied.reply.short_answer == "Dale"
    assert replied.usage == Usage(200, 20, None)
    assert "cannot be used" in chat.requests[1]["messages"][-1]["content"]
    assert chat.requests[1]["messages"][-2] == {"role": "assistant", "content": text}


def test_a_model_that_never_replies_in_json_is_asked_twice(chat: ChatServer, ask: Ask) -> None:
    chat.script("Dale, I think.")
    with pytest.raises(ReplyUnusable, match="no JSON object"):
        ask(WRITE)
    assert chat.count == 2


def test_a_reply_that_was_cut_off_gets_twice_the_room(chat: ChatServer, ask: Ask) -> None:
    chat.script(completion(GOOD[:20], finish="length"), GOOD)
    assert ask(REINFER).reply.short_answer == "Dale"
    assert chat.requests[1]["max_tokens"] == 2 * chat.requests[0]["max_tokens"]


def test_a_reply_that_is_always_cut_off_says_so(chat: ChatServer, ask: Ask) -> None:
    chat.script(completion(GOOD, finish="length"))
    with pytest.raises(ReplyUnusable, match="cut off at 2000 tokens"):
        ask(REINFER)
    assert len(chat.served) == 2


def test_a_model_that_runs_on_is_bounded_from_then_on(chat: ChatServer, ask: Ask) -> None:
    chat.script(completion(GOOD[:20], finish="length"), json.dumps(REPLIES["solve"]))
    chat.keywords |= {"maxItems", "maxLength"}
    ask(SOLVE, SOLVE)
    first, *others = [
        request["response_format"]["json_schema"]["schema"]["properties"] for request in chat.requests
    ]
    assert "maxItems" not in first["findings"]
    assert len(others) == 2
    for schema in others:
        assert schema["findings"]["maxItems"] >= 8
        assert schema["findings"]["items"]["properties"]["citations"]["maxItems"] >= 8
        # A memory as long as it may be still fits.
        assert schema["memory"]["maxLength"] >= 4 * SOLVE.memory_tokens
        assert schema["missing"]["items"]["maxLength"] > 0


def test_a_server_that_takes_no_bounds_is_asked_without_them_and_in_full_form(chat: ChatServer, ask: Ask) -> None:
    chat.script(completion(GOOD[:20], finish="length"), GOOD)
    ask(REINFER, REINFER)
    assert [("maxLength" in json.dumps(request)) for request in chat.requests] == [False, True, False, False]
    assert all(request["response_format"]["type"] == "json_schema" for request in chat.requests)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (completion(None, refusal="I cannot help with that."), "declined: I cannot help"),
        (completion("", finish="content_filter"), "content filter"),
        (completion(""), "empty"),
        (completion(None), "empty"),
    ],
)
def test_refusals_and_empty_replies_end_the_task(response: Response, why: str, chat: ChatServer, ask: Ask) -> None:
    chat.script(response)
    with pytest.raises(ReplyUnusable, match=why):
        ask(SOLVE)
    assert chat.count == 1


@pytest.mark.parametrize(
    "body", ["<html>hello</html>", "{}", '{"choices": []}', '{"choices": [{"mess', "[]", "null"]
)
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
def test_a_response_that_is_no_completion_is_told(body: str, kind: str, chat: ChatServer, ask: Ask) -> None:
    chat.script(Response(body, content_type=kind))
    with pytest.raises(ReplyUnusable, match="no chat completion"):
        ask(REINFER)


def test_content_in_parts_is_joined(chat: ChatServer, ask: Ask) -> None:
    parts = [{"type": "text", "text": GOOD[:10]}, {"type": "text", "text": GOOD[10:]}]
    body = {"choices": [{"message": {"content": parts}}]}
    chat.script(Response(json.dumps(body), content_type="application/json"))
    assert ask(REINFER).reply.short_answer == "Dale"


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_is_told_at_once_and_never_shown(
    status: int, chat: ChatServer, ask: Ask, waits: list[float]
) -> None:
    chat.script(failure(status, f"Incorrect API key provided: {KEY}"))
    with pytest.raises(ModelRefused, match="the key was rejected") as caught:
        ask(PLAN)
    assert (chat.count, waits) == (1, [])
    assert KEY not in str(caught.value)
    assert KEY not in repr(Endpoint(chat.url, MODEL, KEY))


def test_an_unknown_model_is_named(chat: ChatServer, ask: Ask) -> None:
    chat.script(failure(404, "no such model"))
    with pytest.raises(ModelRefused, match="'test-model' was not found"):
        ask(PLAN)
    assert chat.count == 1


def test_a_used_up_quota_is_not_waited_for(chat: ChatServer, ask: Ask, waits: list[float]) -> None:
    chat.script(failure(429, "You exceeded your quota", "insufficient_quota"))
    with pytest.raises(ModelRefused, match="quota"):
        ask(PLAN)
    assert waits == []


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(status: int, chat: ChatServer, ask: Ask, waits: list[float]) -> None:
    chat.script(failure(status), failure(status), failure(status), GOOD)
    assert ask(REINFER).usage == Usage(100, 10, None)
    assert waits == [1.0, 2.0, 4.0]


def test_a_server_that_stays_busy_is_given_up(chat: ChatServer, ask: Ask, waits: list[float]) -> None:
    chat.script(failure(503, f"overloaded, {KEY}"))
    with pytest.raises(ModelError, match=r"503: .*overloaded.*4 times") as caught:
        ask(REINFER)
    assert chat.count == 4
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(("after", "wait"), [("7", 7.0), ("0.5", 0.5), ("soon", 1.0)])
def test_the_wait_that_a_server_asks_for_is_kept(
    after: str, wait: float, chat: ChatServer, ask: Ask, waits: list[float]
) -> None:
    chat.script(failure(429, Retry_After=after), GOOD)
    assert ask(REINFER).reply.short_answer == "Dale"
    assert waits == [wait]


def test_a_date_to_wait_for_counts_from_the_date_of_the_reply(
    chat: ChatServer, ask: Ask, waits: list[float]
) -> None:
    def later(body: dict[str, Any]) -> Response:
        return failure(429, Retry_After=format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True))

    chat.script(later, GOOD)
    ask(REINFER)
    assert waits == [pytest.approx(60, abs=2)]


def test_a_wait_of_an_hour_is_not_waited(chat: ChatServer, ask: Ask, waits: list[float]) -> None:
    chat.script(failure(429, Retry_After="3600"))
    with pytest.raises(ModelError, match="3600 seconds"):
        ask(REINFER)
    assert waits == []


def test_a_redirect_is_not_followed(chat: ChatServer, ask: Ask) -> None:
    chat.script(Response("", 307, headers={"Location": f"{chat.url}/elsewhere"}))
    with pytest.raises(ModelError, match="307"):
        ask(REINFER)
    assert chat.count == 1


def test_a_server_that_is_not_there(ask: Ask, waits: list[float]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with pytest.raises(ModelError, match="cannot be reached, 4 times"):
            ask(REINFER, base_url=url)
    assert waits == [1.0, 2.0, 4.0]


def test_silence_is_counted_in_full_and_asked_again_once(chat: ChatServer, ask: Ask) -> None:
    chat.script(hang(0.4), GOOD)
    worst = EndpointModel(Endpoint(chat.url, MODEL)).worst_case(REINFER)
    assert ask(REINFER, timeout=0.15).usage == worst + Usage(100, 10, None)
    chat.script(hang(0.4))
    with pytest.raises(ModelError, match=r"within 0\.15 seconds, twice"):
        ask(REINFER, timeout=0.15)


@pytest.fixture
def dropping() -> Iterator[tuple[str, list[int]]]:
    """A server that promises more than it sends, and closes."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen: list[int] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                seen.append(1)
                connection.sendall(
                    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"cho'
                )

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", seen
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_a_connection_dropped_inside_the_reply_is_tried_twice(dropping: tuple[str, list[int]], ask: Ask) -> None:
    url, seen = dropping
    with pytest.raises(ModelError, match="broke off"):
        ask(REINFER, base_url=url)
    assert len(seen) == 2


def test_asking_again_is_paid_from_the_same_budget(chat: ChatServer, ask: Ask) -> None:
    chat.script("prose", GOOD)
    budget = Budget(Limits(calls=2), TestClock())
    booked = budget.reserve(Usage(1, 1, None))
    budget.settle(booked, ask(REINFER, account=budget).usage)
    assert budget.calls == 2
    assert budget.spent.prompt_tokens == 200
    with pytest.raises(ReplyUnusable, match="not asked again, since it would be call 3 of 2"):
        ask(REINFER, account=_script(chat, budget, "prose"))


def _script(chat: ChatServer, budget: Budget, *steps: str) -> Budget:
    chat.script(*steps)
    return budget


def test_a_metered_endpoint_records_the_failure(chat: ChatServer) -> None:
    import asyncio

    chat.script(failure(401))

    async def run() -> MeteredModel:
        async with EndpointModel(Endpoint(chat.url, MODEL)) as model:
            metered = MeteredModel(model, Budget(Limits(), TestClock()))
            with pytest.raises(ModelRefused):
                await metered.ask(REINFER)
            return metered

    (exchange,) = asyncio.run(run()).exchanges
    assert "the key was rejected" in exchange.error
