"""Models that think before they reply: where their thinking goes, what it takes, and how long a reply may be."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug import Response

from pinakes_ask.errors import ModelError, ReplyUnusable
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.refusals import longest_reply
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.seams import Replied
from tests.endpoint.server import MODEL, ChatServer, completion, failure
from tests.endpoint.tasks import REINFER, REPLIES, SOLVE

Ask = Callable[..., Replied[Any]]
GOOD = json.dumps(REPLIES["reinfer"])


def thinking(
    text: str | None, thought: str, *, field: str = "reasoning_content", finish: str = "stop"
) -> Response:
    """A completion of a server that parts thinking from the reply."""
    message = {"role": "assistant", "content": text, field: thought}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    return Response(json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_what_the_model_thought_is_no_part_of_its_reply(field: str, chat: ChatServer, ask: Ask) -> None:
    chat.script(thinking(GOOD, 'Perhaps {"reasoning": "", "short_answer": "Orm"}?', field=field))
    assert ask(REINFER).reply.short_answer == "Dale"


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_reply_that_the_server_took_for_thinking_is_read(
    content: str | None, chat: ChatServer, ask: Ask
) -> None:
    chat.script(thinking(content, GOOD))
    assert ask(REINFER).reply.short_answer == "Dale"
    assert chat.count == 1


def test_a_model_that_thought_and_said_nothing_is_asked_once_more(chat: ChatServer, ask: Ask) -> None:
    chat.script(thinking("", 'It may be {"short_answer": "Orm"}.'), GOOD)
    assert ask(REINFER).reply.short_answer == "Dale"
    chat.script(thinking("", "Hm."))
    with pytest.raises(ReplyUnusable, match="it was empty"):
        ask(REINFER)
    assert chat.count == 4
    # Some servers refuse a message without text.
    assert all(message["content"] for request in chat.requests for message in request["messages"])


@pytest.mark.parametrize(
    "cut",
    [
        thinking("", "First the", finish="length"),
        completion("<think>First the", finish="length"),
        completion(
            "", finish="length",
            usage={"prompt_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 9}},
        ),
    ],
    ids=["parted", "in the reply", "only counted"],
)  # fmt: skip
def test_thinking_that_left_no_room_gets_much_more_and_that_is_said(
    cut: Response, chat: ChatServer, ask: Ask
) -> None:
    chat.script(cut, GOOD)
    replied = ask(REINFER)
    assert replied.reply.short_answer == "Dale"
    assert chat.served[-1]["max_tokens"] == chat.served[0]["max_tokens"] + 8000
    assert [note for note in replied.notes if "thinking_tokens" in note]


def test_room_for_thinking_is_had_from_the_start_where_it_is_configured(chat: ChatServer, ask: Ask) -> None:
    chat.script(GOOD)
    ask(REINFER)
    ask(REINFER, thinking_tokens=6000)
    assert chat.requests[1]["max_tokens"] == chat.requests[0]["max_tokens"] + 5000
    worst = EndpointModel(Endpoint(chat.url, MODEL, thinking_tokens=6000)).worst_case(REINFER)
    assert worst.completion_tokens == chat.requests[1]["max_tokens"]


def test_room_that_was_added_goes_before_evidence_does(chat: ChatServer, ask: Ask) -> None:
    chat.script(thinking("", "First the", finish="length"), json.dumps(REPLIES["solve"]))
    chat.window = 6000
    replied = ask(SOLVE)
    assert replied.shown == frozenset({cite for cite in replied.shown or () if cite.passage == 3})
    assert chat.served[0]["messages"] == chat.served[1]["messages"]
    assert chat.served[0]["max_tokens"] < chat.served[1]["max_tokens"] < chat.window


def test_a_server_that_finds_every_room_too_much_is_given_up(chat: ChatServer, ask: Ask) -> None:
    def stubborn(body: dict[str, Any]) -> str | Response:
        if chat.count == 1:
            return thinking("", "First the", finish="length")
        total = 5000 + body["max_tokens"]
        return failure(400, f"maximum context length is {total - 1} tokens, however you requested {total} tokens")

    chat.script(stubborn)
    with pytest.raises(ModelError, match="does not fit its context window"):
        ask(REINFER)
    assert len(chat.served) < 12


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("max_tokens is too large: 9000. This model supports at most 4096 completion tokens", 4096),
        ("`max_tokens` must be less than or equal to `16384`", 16384),
        ("max_completion_tokens must be less than or equal to 40,960, less than the context_window", 40960),
        ("max_tokens (384000) exceeds model's maximum output tokens (65536) for model x", 65536),
        ("max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for x", 8192),
        ("'max_tokens' is too large: 6000. This model's maximum context length is 4096 tokens", None),
        ("'max_tokens' is not supported, use 'max_completion_tokens' instead", None),
    ],
)
def test_the_longest_reply_is_known_by_what_is_said(words: str, most: int | None) -> None:
    assert longest_reply(words) == most


def test_a_model_of_short_replies_is_asked_for_no_longer_ones(chat: ChatServer, ask: Ask) -> None:
    def short(body: dict[str, Any]) -> str | Response:
        if body["max_tokens"] > 4096:
            return failure(400, "this model supports at most 4096 completion tokens")
        return GOOD

    chat.script(short)
    assert ask(REINFER, thinking_tokens=9000).reply.short_answer == "Dale"
    assert [request["max_tokens"] for request in chat.requests] == [9000, 4096]
    assert all(request["response_format"]["type"] == "json_schema" for request in chat.requests)


def test_a_limit_that_is_never_low_enough_is_told(chat: ChatServer, ask: Ask) -> None:
    chat.script(failure(400, "this model supports at most 4096 completion tokens"))
    with pytest.raises(ModelError, match="at most 4096"):
        ask(REINFER)
    assert chat.count == 1


def test_a_form_that_a_server_fails_on_is_stepped_down_from(chat: ChatServer, ask: Ask) -> None:
    def failing(body: dict[str, Any]) -> str | Response:
        if body.get("response_format", {}).get("type") == "json_schema":
            return failure(500, "response_format.type: Input should be 'text' or 'json_object'")
        return GOOD

    chat.script(failing)
    assert ask(REINFER).reply.short_answer == "Dale"
    assert chat.count == 2
