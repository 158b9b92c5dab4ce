"""A question keeps its language, and what a model says from memory is shown to rest on nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.run import Run
from pinakes_ask.settings import Settings
from tests.ask.fakes import TestClock, TextSearcher
from tests.endpoint.server import MODEL, ChatServer, kind_of
from tests.endpoint.test_loop import DOCUMENTS, KINDS, place

QUESTION = "Où est née l'autrice de The Reed ?"


def ask(chat: ChatServer) -> Run:
    async def run() -> Run:
        async with EndpointModel(Endpoint(chat.url, MODEL)) as model:
            return await Loop(TextSearcher(DOCUMENTS), model, SelfCheck(), Settings(), TestClock()).ask(QUESTION)

    return asyncio.run(run())


def replied(*statements: tuple[str, str | None]) -> Any:
    """A write reply of these statements, each with the sentence that it cites, or none."""

    def reply(body: dict[str, Any]) -> str:
        written = [
            {"text": text, "citations": [] if cited is None else [place(body, cited)]}
            for text, cited in statements
        ]
        return json.dumps({"statements": written, "short_answer": "à Dale", "withheld": ""})

    return reply


def test_a_french_question_is_asked_and_answered_in_french(chat: ChatServer) -> None:
    said = ("The Reed a été écrit par Ann Bell.", "Ann Bell est née à Dale.")
    cited = ("The Reed was written by Ann Bell.", "Ann Bell was born in Dale.")
    chat.script_kinds(**{**KINDS, "write": replied(*zip(said, cited, strict=True))})
    run = ask(chat)
    prompt = chat.prompt([kind_of(body) for body in chat.requests].index("write"))
    assert QUESTION in prompt
    assert "Write in the question's language" in prompt
    assert tuple(one.text for one in run.answer.statements) == said
    assert (run.answer.short_answer, run.answer.unsupported) == ("à Dale", 0)


def test_what_no_sentence_supports_is_counted_and_said(chat: ChatServer) -> None:
    remembered = ("Ann Bell est une autrice célèbre, née à Dale.", None)
    chat.script_kinds(**{**KINDS, "write": replied(remembered)})
    run = ask(chat)
    assert run.answer.unsupported == 1
    assert run.status != "answered"
