"""Faults in the middle of a run, over real HTTP: what was paid is kept, and nothing wrong is believed."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from pinakes_ask.asking import ask_and_record
from pinakes_ask.budget import Limits
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.settings import LoopSettings, Settings
from tests.ask.fakes import CountingIds, TestClock, TextSearcher
from tests.endpoint.conftest import TestTimer
from tests.endpoint.server import MODEL, ChatServer, Step, completion, failure, hang
from tests.endpoint.test_loop import DOCUMENTS, KINDS, QUESTION, place
from transcripts.record import Transcript
from transcripts.store import load

WHO, WHERE = "Who is the author of The Reed?", "Where was {1} born?"
FOUND = {"author": ("Ann Bell", "written by Ann Bell."), "born": ("Dale", "born in Dale.")}


def solve(body: dict[str, Any]) -> str:
    """The right finding for each sub-question, whatever the plan made of it."""
    findings = []
    for number, question in re.findall(r"^- id (\d+) .*?: (.*)$", body["messages"][1]["content"], re.MULTILINE):
        # "Where was the author born" asks for what no one sentence says.
        words = [word for word in FOUND if word in question]
        if len(words) == 1:
            answer, sentence = FOUND[words[0]]
            findings.append(
                {"id": int(number), "supported": True, "answer": answer, "citations": [place(body, sentence)]}
            )
    return json.dumps({"findings": findings, "memory": "", "missing": []})


def ask(chat: ChatServer, timer: TestTimer | None = None, asks: Path | None = None, **given: Any) -> Transcript:
    """Ask the usual question; ``given`` are settings of the endpoint, the loop, or a kind's own steps."""
    steps: dict[str, Any] = {**KINDS, "solve": solve}
    steps |= {kind: given.pop(kind) for kind in KINDS if kind in given}
    chat.script_kinds(**steps)
    limits = Limits(calls=given.pop("calls", None))
    endpoint = {name: given.pop(name) for name in ("timeout", "base_url") if name in given}

    async def run() -> Transcript:
        async with EndpointModel(
            Endpoint(**{"base_url": chat.url, "model": MODEL, **endpoint}), timer=timer
        ) as model:
            outcome = await ask_and_record(
                QUESTION,
                searcher=TextSearcher(DOCUMENTS),
                library_name="notes",
                model=model,
                settings=Settings(LoopSettings(**given), limits),
                clock=TestClock(),
                ids=CountingIds(),
                asks=asks,
            )
            if outcome.folder is not None:
                assert load(outcome.folder) == outcome.transcript
            return outcome.transcript

    return asyncio.run(run())


def steps(*questions: Any, form: Any = "chain") -> str:
    return json.dumps({"reasoning": "", "form": form, "sub_questions": questions})


def step(question: str, *needs: Any, **more: Any) -> dict[str, Any]:
    return {"question": question, "needs": needs, **more}


RIGHT = steps(step(WHO), step(WHERE, 1))


@pytest.mark.parametrize(
    "reply",
    [
        f"```json\n{RIGHT}\n```",
        f"{RIGHT}\nI hope that {{helps}}.",
        f"<think>{{1}} is {RIGHT[:30]}</think>{RIGHT}",
        f'{{"json": {RIGHT}}}',
        RIGHT.replace("[1]", '["1"]'),
        steps(WHO, step(WHERE, 1)),
        json.dumps({"sub_questions": [{"question": WHO}, {"question": WHERE}]}),
    ],
    ids=["fenced", "trailing text", "thinking", "nested", "numbers as strings", "text alone", "missing fields"],
)
def test_a_plan_in_another_dress_is_read_at_once(reply: str, chat: ChatServer) -> None:
    transcript = ask(chat, plan=reply)
    assert (transcript.status, transcript.stop_reason) == ("answered", "answered")
    assert [node.answer for node in transcript.plan.nodes] == ["Ann Bell", "Dale"]  # type: ignore[union-attr]
    assert len(chat.served) == 5


@pytest.mark.parametrize(
    ("reply", "repaired"),
    [
        (steps(*[step(f"Who wrote book {n}?") for n in range(1, 49)], step(WHO)), "beyond the limit"),
        (steps(step(WHO), step(WHO), step(WHERE, 2)), "repeats 1"),
        (steps(step(WHO), step(WHERE, 1, 2)), "needs itself"),
        (steps(step(WHO), step(WHERE, 1, 7)), "needs 7"),
        (steps(step(WHO), step(WHERE, 1, -1)), "needs -1"),
        (steps(step(WHO, 2), step(WHERE, 1)), "cycle"),
        (steps(step(WHO, 3), step(WHERE, 1), step("When was the book of {2} printed?", 2)), "cycle"),
        (steps(step(WHO, 2, 3), step(WHERE, 1, 3), step("When was {1} in {2}?", 1, 2)), "cycle"),
    ],
    ids=["50", "duplicates", "self", "out of range", "negative", "2-cycle", "3-cycle", "all"],
)
def test_a_plan_that_is_wrong_in_itself_is_repaired_and_says_how(
    reply: str, repaired: str, chat: ChatServer
) -> None:
    transcript = ask(chat, plan=reply)
    assert transcript.plan is not None
    assert any(repaired in repair for repair in transcript.plan.repairs), transcript.plan.repairs
    assert len(transcript.plan.nodes) <= 8
    assert len(chat.served) <= 2 + 3 + 1
    assert transcript.status in ("answered", "partial")
    if transcript.stop_reason == "answered":
        assert transcript.plan.nodes[1].answer == "Dale"


@pytest.mark.parametrize(
    "reply",
    ["I would look for the author first.", f"[{RIGHT}]", '{"sub_questions": "two"}', "",
     completion(None, refusal="No."), completion(RIGHT[:40], finish="length"),
     '{"plan": {"steps": {"sub_questions": []}}}'],
    ids=["prose", "list root", "wrong type", "empty", "refusal", "cut off", "nested twice"],
)  # fmt: skip
def test_a_plan_that_cannot_be_read_is_the_question_itself_and_that_is_said(reply: Step, chat: ChatServer) -> None:
    transcript = ask(chat, plan=reply)
    assert transcript.plan is not None
    assert [node.question for node in transcript.plan.nodes] == [QUESTION]
    assert any("Planning failed" in warning for warning in transcript.warnings)
    # The question itself is answered by no one sentence, and nobody says that it was.
    assert (transcript.stop_reason, transcript.plan.nodes[0].status) == ("plan_exhausted", "unsupported")


def test_an_empty_plan_is_the_question_itself(chat: ChatServer) -> None:
    transcript = ask(chat, plan=steps())
    assert [node.question for node in transcript.plan.nodes] == [QUESTION]  # type: ignore[union-attr]


@pytest.mark.parametrize("supported", ["false", "no", None, 0])
def test_what_is_denied_in_another_spelling_is_not_found(supported: Any, chat: ChatServer) -> None:
    def denied(body: dict[str, Any]) -> str:
        reply = json.loads(solve(body))
        return json.dumps({**reply, "findings": [{**one, "supported": supported} for one in reply["findings"]]})

    transcript = ask(chat, solve=denied)
    assert transcript.stop_reason == "plan_exhausted"
    assert {node.status for node in transcript.plan.nodes} == {"unsupported"}  # type: ignore[union-attr]


def test_a_model_that_always_says_not_yet_is_stopped_and_answers(chat: ChatServer) -> None:
    def not_yet(body: dict[str, Any]) -> str:
        text = f"Which river flows through town {'abcdefgh'[len(chat.requests)] * 3}?"
        return json.dumps({"findings": [], "memory": "", "missing": [text]})

    transcript = ask(chat, plan=steps(), solve=not_yet)
    assert (transcript.stop_reason, transcript.status) == ("round_cap", "partial")
    assert len(transcript.rounds) == 3
    assert transcript.answer.short_answer == "Dale"


def test_a_model_that_words_one_gap_anew_for_ever_is_not_followed(chat: ChatServer) -> None:
    gap = json.dumps({"findings": [], "memory": "", "missing": ["Where was the author of The Reed born, then?"]})
    transcript = ask(chat, plan=steps(), solve=gap)
    assert (transcript.stop_reason, len(transcript.rounds)) == ("plan_exhausted", 1)


@pytest.mark.parametrize("after", ["20", None])
def test_a_limit_that_is_hit_in_the_middle_is_waited_for_and_never_an_answer(
    after: str | None, chat: ChatServer, timer: TestTimer
) -> None:
    busy = failure(429, "rate limit reached", **({"Retry_After": after} if after else {}))
    transcript = ask(chat, timer, solve=[solve, busy, solve], write=[busy, KINDS["write"]])
    assert (transcript.status, transcript.answer.short_answer) == ("answered", "Dale")
    assert timer.waits == ([20.0, 20.0] if after else [1.0, 1.0])
    assert (transcript.usage.calls, transcript.usage.prompt_tokens) == (5, 500)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (failure(500), "answered 500"),
        (failure(503), "answered 503"),
        (failure(429), "answered 429"),
        ("No idea.", "no JSON object"),
        (completion(None), "empty"),
        (completion(None, refusal="I would rather not."), "declined"),
        (completion("{", finish="length"), "cut off"),
        (hang(0.5), "did not answer"),
    ],
    ids=["500", "503", "429", "prose", "empty", "refusal", "cut off", "hang"],
)
def test_a_failure_in_round_two_keeps_round_one_and_is_saved(
    fault: Step, why: str, chat: ChatServer, timer: TestTimer, tmp_path: Path
) -> None:
    transcript = ask(chat, timer, tmp_path, solve=[solve, fault], timeout=0.3)
    assert transcript.plan is not None
    assert [node.answer for node in transcript.plan.nodes] == ["Ann Bell", None]
    assert (transcript.stop_reason, transcript.answer.short_answer) == ("plan_exhausted", "Dale")
    assert any("Round 2 found nothing" in warning and why in warning for warning in transcript.warnings)
    (failed,) = [one for one in transcript.exchanges if one.error]
    # Nobody knows what it took, so it stays counted at its worst.
    assert failed.usage.estimated
    assert failed.usage.completion_tokens > 1000


@pytest.mark.parametrize(
    ("fault", "why"), [("No idea.", "no JSON object"), (failure(500), "500"), (completion(None), "empty")]
)
def test_a_failure_in_the_write_keeps_what_was_found_and_is_saved(
    fault: Step, why: str, chat: ChatServer, timer: TestTimer, tmp_path: Path
) -> None:
    transcript = ask(chat, timer, tmp_path, write=fault)
    assert (transcript.status, transcript.answer.short_answer) == ("failed", None)
    assert why in transcript.failure
    assert [node.answer for node in transcript.plan.nodes] == ["Ann Bell", "Dale"]  # type: ignore[union-attr]


def test_a_model_that_is_not_there_is_one_clear_failure_at_once(chat: ChatServer, tmp_path: Path) -> None:
    transcript = ask(chat, None, tmp_path, plan=failure(404, "no such model"))
    assert (transcript.status, chat.count) == ("failed", 1)
    assert f"{MODEL!r} was not found" in transcript.failure


def test_a_server_that_is_not_there_is_a_failure_that_is_saved(
    chat: ChatServer, timer: TestTimer, tmp_path: Path
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        transcript = ask(chat, timer, tmp_path, base_url=url)
    assert (transcript.status, chat.count) == ("failed", 0)
    assert "cannot be reached" in transcript.failure
    assert len(list(tmp_path.rglob("transcript.json"))) == 1


def test_tokens_that_no_server_counts_are_marked_as_estimates(chat: ChatServer) -> None:
    def uncounted(kind: str) -> Step:
        right = solve if kind == "solve" else KINDS[kind]
        return lambda body: completion(right(body) if callable(right) else right, usage=None)

    transcript = ask(chat, **{kind: uncounted(kind) for kind in KINDS})
    assert transcript.status == "answered"
    assert transcript.usage.estimated
    assert transcript.usage.prompt_tokens > 500
    assert not ask(chat).usage.estimated


def test_more_passages_are_asked_for_than_there_are(chat: ChatServer) -> None:
    transcript = ask(chat, k=100)
    assert (transcript.status, len(transcript.evidence)) == ("answered", 2)
