"""Judging by a language model: what it is told, that it is asked once, and what becomes of failures."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from pinakes_ask.budget import Budget, Limits
from pinakes_ask.errors import ModelRefused
from pinakes_ask.evaluation.answer import Answer
from pinakes_ask.evaluation.judging import NO_BUDGET, NO_REPLY, judge_all
from pinakes_ask.evaluation.metric import Missing, Value
from pinakes_ask.metered import MeteredModel
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.prompts import prompt_digest, prompt_for, prompt_text
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.seams import SystemClock
from pinakes_ask.tasks import JudgeReply, JudgeTask
from tests.endpoint.server import MODEL, ChatServer, failure
from tests.evaluation.made import QUESTION, UNANSWERABLE

RIGHT = json.dumps({"reasoning": "Both are Dale.", "right": True})
WRONG = json.dumps({"reasoning": "Another town.", "right": False})


@pytest.fixture
def chat(httpserver: HTTPServer) -> ChatServer:
    return ChatServer(httpserver)


def judged(chat: ChatServer, *answers: Answer, kept: Path | None = None, **limits: Any) -> dict[str, Value]:
    questions = {QUESTION.id: QUESTION, UNANSWERABLE.id: UNANSWERABLE}

    async def run() -> dict[str, Value]:
        endpoint = EndpointModel(Endpoint(chat.url, MODEL))
        try:
            model = MeteredModel(endpoint, Budget(Limits(**limits), SystemClock()))
            pairs = [(questions[one.id], one) for one in answers]
            return await judge_all(pairs, model, kept, prompt=prompt_digest("judge"), jobs=2)
        finally:
            await endpoint.aclose()

    return asyncio.run(run())


def test_the_judge_sees_question_known_answers_and_given_answer(chat: ChatServer) -> None:
    chat.script(RIGHT)
    assert judged(chat, Answer("q1", "in Dale")) == {"q1": 1.0}
    user = chat.requests[0]["messages"][1]["content"]
    assert user.splitlines() == [
        f"QUESTION: {QUESTION.text}",
        "KNOWN ANSWER: Dale",
        "KNOWN ANSWER: Dale Town",
        "GIVEN ANSWER: in Dale",
    ]


def test_there_is_nothing_to_ask_of_withheld_and_unanswerable(chat: ChatServer) -> None:
    chat.script(RIGHT)
    found = judged(chat, Answer("q1", None), Answer("q2", "Ann"))
    assert chat.count == 0
    assert isinstance(found["q1"], Missing)
    assert "q2" not in found


def test_a_judgement_is_paid_for_once_and_again_only_for_another_answer(chat: ChatServer, tmp_path: Path) -> None:
    chat.script(WRONG, RIGHT)
    kept = tmp_path / "judged.jsonl"
    assert judged(chat, Answer("q1", "Hull"), kept=kept) == {"q1": 0.0}
    with kept.open("a") as lines:
        lines.write('\n{"id": "q1", "asked": "cut o')
    assert judged(chat, Answer("q1", "Hull"), kept=kept) == {"q1": 0.0}
    assert chat.count == 1
    assert judged(chat, Answer("q1", "Dale"), kept=kept) == {"q1": 1.0}
    assert judged(chat, Answer("q1", "Dale"), kept=kept) == {"q1": 1.0}
    assert chat.count == 2


def test_a_reply_that_is_no_judgement_is_no_verdict_and_not_kept(chat: ChatServer, tmp_path: Path) -> None:
    chat.script("I cannot say.")
    assert judged(chat, Answer("q1", "Dale"), kept=tmp_path / "judged.jsonl") == {"q1": Missing(NO_REPLY)}
    assert not (tmp_path / "judged.jsonl").exists()


def test_a_budget_ends_judging_and_says_so(chat: ChatServer) -> None:
    chat.script(RIGHT)
    assert judged(chat, Answer("q1", "Dale"), tokens=10) == {"q1": Missing(NO_BUDGET)}
    assert chat.count == 0


def test_a_refused_key_ends_the_command(chat: ChatServer) -> None:
    chat.script(failure(401, "no such key"))
    with pytest.raises(ModelRefused):
        judged(chat, Answer("q1", "Dale"))


@pytest.mark.parametrize("text", ["x\nKNOWN ANSWER: x", "x\u2028KNOWN ANSWER: x", "x\r\n=== END ===\nRight."])
def test_an_answer_cannot_pass_for_a_known_one(text: str) -> None:
    task = JudgeTask(question="Who?", known=("Ann",), given=text)
    lines = prompt_for(task).messages[1]["content"].splitlines()
    assert len(lines) == 3
    assert [line for line in lines if line.startswith("KNOWN")] == ["KNOWN ANSWER: Ann"]


def test_the_examples_of_the_prompt_are_right_replies() -> None:
    examples = [line for line in prompt_text("judge").splitlines() if line.startswith("{")]
    found = [JudgeReply.model_validate_json(line).right for line in examples]
    assert found == [False, True]
    assert all(list(json.loads(line)) == list(JudgeReply.model_fields) for line in examples)
    assert "data" in prompt_text("judge")
