"""Whole runs over the scripted server: every form of question, every call counted, every reason to stop."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from pinakes_ask.budget import Limits
from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.run import Run
from pinakes_ask.settings import LoopSettings, Settings
from retrieval.types import Confidence
from tests.ask.fakes import TestClock, TextSearcher
from tests.endpoint.oracle import Oracle, World, kind_of
from tests.endpoint.server import MODEL, ChatServer
from tests.endpoint.worlds import COMPARISON, COUNT, INTERSECTION, YES_NO, chain, growing

ENOUGH = Confidence(0.95, "fitted", threshold=0.9)


def ask(
    chat: ChatServer,
    world: World,
    *,
    confidence: Confidence | None = None,
    clock: TestClock | None = None,
    limits: Limits | None = None,
    **knobs: Any,
) -> Run:
    async def run() -> Run:
        async with EndpointModel(Endpoint(chat.url, MODEL)) as model:
            searcher = TextSearcher(world.documents, confidence)
            settings = Settings(LoopSettings(**knobs), limits or Limits())
            loop = Loop(searcher, model, SelfCheck("model"), settings, clock or TestClock())
            return await loop.ask(world.question)

    return asyncio.run(run())


def measures(run: Run) -> tuple[int | None, float | None, int | None]:
    assert run.report is not None
    verdict = run.report.verdict
    return verdict.completeness, verdict.essentiality, verdict.determinateness


@pytest.mark.parametrize("hops", [2, 3, 4])
def test_a_chain_takes_a_plan_a_round_for_each_hop_a_write_and_two_calls_for_the_check(
    chat: ChatServer, hops: int
) -> None:
    oracle = Oracle(chain(hops))
    chat.script(oracle)
    run = ask(chat, oracle.world, max_rounds=4)
    assert (run.status, run.stop_reason) == ("answered", "answered")
    assert run.answer.short_answer == oracle.world.short_answer
    assert oracle.calls == {"plan": 1, "solve": hops, "write": 1, "propositions": 1, "reinfer": 1}
    assert measures(run) == (1, 1.0, 1)
    assert run.report is not None
    assert run.report.extraction.method == "model"


def test_enough_evidence_takes_one_call_and_two_for_the_check(chat: ChatServer) -> None:
    oracle = Oracle(chain(2))
    chat.script(oracle)
    run = ask(chat, oracle.world, confidence=ENOUGH)
    assert (run.status, run.stop_reason, run.plan) == ("answered", "sufficient", None)
    assert oracle.calls == {"write": 1, "propositions": 1, "reinfer": 1}


@pytest.mark.parametrize("world", [COMPARISON, YES_NO, COUNT, INTERSECTION], ids=lambda world: world.form)
def test_branches_are_solved_in_one_call_and_combined_in_the_next(chat: ChatServer, world: World) -> None:
    oracle = Oracle(world)
    chat.script(oracle)
    run = ask(chat, world)
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("answered", "answered", world.short_answer)
    assert [len(one.asked) for one in run.rounds] == [2, 1]
    assert oracle.calls["solve"] == 2
    assert measures(run) == (1, 1.0, 1)


def test_what_turns_out_to_be_missing_is_asked_in_a_round_of_its_own(chat: ChatServer) -> None:
    oracle = Oracle(growing())
    chat.script(oracle)
    run = ask(chat, oracle.world)
    assert run.plan is not None
    assert [(node.question, node.grown) for node in run.plan.nodes][-1] == ("Who taught Ann Bell?", True)
    assert run.answer.short_answer == "Ivo Orr"


def test_every_retrieved_passage_reaches_the_prompt_of_its_round(chat: ChatServer) -> None:
    oracle = Oracle(chain(3))
    chat.script(oracle)
    run = ask(chat, oracle.world)
    solves = [body["messages"][1]["content"] for body in chat.requests if kind_of(body) == "solve"]
    assert len(solves) == len(run.rounds) == 3
    for prompt, one in zip(solves, run.rounds, strict=True):
        numbers = [number for found in one.retrieved.values() for number in found]
        assert numbers
        for number in numbers:
            passage = run.evidence.passage(number)
            lines = re.findall(rf"^\[{number}(?:\.\d+)?\] (.*)$", prompt, re.MULTILINE)
            assert lines == [passage.title, *passage.sentence_texts]


def test_the_server_counts_as_many_calls_and_tokens_as_the_run(chat: ChatServer) -> None:
    oracle = Oracle(chain(2))
    chat.script(oracle)
    run = ask(chat, oracle.world)
    assert len(run.exchanges) == chat.count == oracle.calls.total()
    assert sum(one.usage.prompt_tokens for one in run.exchanges) == oracle.tokens.total()


def test_the_round_cap_ends_a_chain_that_is_longer_and_says_so(chat: ChatServer) -> None:
    oracle = Oracle(chain(4))
    chat.script(oracle)
    run = ask(chat, oracle.world, max_rounds=2, max_repairs=0)
    assert (run.status, run.stop_reason, len(run.rounds)) == ("partial", "round_cap", 2)
    assert [one.text for one in run.answer.statements][:2] == [
        "The Reed was written by Ann Bell.",
        "Ann Bell was taught by Ivo Orr.",
    ]


def from_whole_passages(body: dict[str, Any]) -> bool:
    return "COMPLETE: no" in body["messages"][1]["content"]


@pytest.mark.parametrize("empty", [True, False])
def test_where_the_cited_sentences_are_not_enough_the_whole_passages_are_read(
    empty: bool, chat: ChatServer
) -> None:
    oracle = Oracle(chain(2))

    def reply(body: dict[str, Any]) -> Any:
        if kind_of(body) != "write" or from_whole_passages(body):
            return oracle(body)
        first = {"text": "The Reed was written by Ann Bell.", "citations": [{"passage": 1, "sentence": 2}]}
        return json.dumps({"statements": [] if empty else [first], "short_answer": None, "withheld": "no more"})

    chat.script(reply)
    run = ask(chat, oracle.world)
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("answered", "answered", "Ivo Orr")
    assert [kind_of(body) for body in chat.requests].count("write") == 2


def test_a_second_reading_that_finds_no_more_keeps_the_first_and_is_the_only_repair(chat: ChatServer) -> None:
    oracle = Oracle(chain(2))

    def reply(body: dict[str, Any]) -> Any:
        if kind_of(body) != "write":
            return oracle(body)
        why = "nor there" if from_whole_passages(body) else "not in the cited"
        return json.dumps({"statements": [], "short_answer": None, "withheld": why})

    chat.script(reply)
    run = ask(chat, oracle.world)
    assert (run.status, run.answer.withheld) == ("no_evidence", "not in the cited")
    assert [kind_of(body) for body in chat.requests].count("write") == 2


def test_what_no_round_is_left_for_is_searched_for_and_left_to_the_answer(chat: ChatServer) -> None:
    # In words that find none of the later documents.
    oracle = Oracle(replace(chain(3), question="What about The Reed?"))
    chat.script(oracle)
    run = ask(chat, oracle.world, max_rounds=2, k=1)
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("partial", "round_cap", "Dale")
    assert measures(run) == (1, 1.0, 1)
    assert oracle.calls == {"plan": 1, "solve": 2, "write": 1, "propositions": 1, "reinfer": 1}
    assert run.plan is not None
    assert run.plan.node(3).note == "searched for, and left to the answer"


def test_answers_that_only_have_to_be_combined_need_no_further_round(chat: ChatServer) -> None:
    oracle = Oracle(COMPARISON)
    chat.script(oracle)
    run = ask(chat, COMPARISON, max_rounds=1)
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("answered", "answered", "Tom Hale")
    assert oracle.calls["solve"] == 1


def test_a_plan_is_exhausted_where_a_step_finds_nothing(chat: ChatServer) -> None:
    world = chain(3)
    documents = {title: text for title, text in world.documents.items() if title != "Ann Bell"}
    oracle = Oracle(World(world.question, documents, world.steps, world.short_answer))
    chat.script(oracle)
    run = ask(chat, oracle.world)
    assert (run.status, run.stop_reason) == ("partial", "plan_exhausted")
    assert run.plan is not None
    assert [node.status for node in run.plan.nodes] == ["supported", "unsupported", "unsupported"]
    assert "needs 2" in run.plan.nodes[2].note
    assert run.answer.short_answer is None


@pytest.mark.parametrize(
    ("limits", "calls"),
    [(Limits(calls=1), 1), (Limits(calls=2), 2), (Limits(calls=3), 3)],
    ids=["only the write", "and the plan", "and one round"],
)
def test_a_budget_of_calls_is_kept_and_always_ends_with_a_write(
    chat: ChatServer, limits: Limits, calls: int
) -> None:
    oracle = Oracle(chain(3))
    chat.script(oracle)
    run = ask(chat, oracle.world, limits=limits)
    assert (run.stop_reason, run.status) == ("budget", "partial")
    assert chat.count == oracle.calls.total() == calls
    assert oracle.calls["write"] == 1
    assert run.answer.statements


def test_a_deadline_starts_no_new_step_but_writes(chat: ChatServer) -> None:
    oracle = Oracle(chain(3))
    chat.script(oracle)
    run = ask(chat, oracle.world, clock=TestClock(step=1.0), limits=Limits(seconds=5.0))
    assert (run.stop_reason, run.status) == ("deadline", "partial")
    assert oracle.calls["write"] == 1
    assert oracle.calls["solve"] < 3


def test_documents_that_say_nothing_on_it_give_no_evidence_without_a_call(chat: ChatServer) -> None:
    world = chain(2)
    chat.script(Oracle(world))
    run = ask(chat, World("Zyx?", world.documents, world.steps, ""))
    assert (run.status, run.stop_reason, chat.count) == ("no_evidence", "no_evidence", 0)


def test_a_gap_in_the_answer_is_named_to_the_model_once_and_both_answers_are_kept(chat: ChatServer) -> None:
    oracle = Oracle(chain(3))

    def hasty(body: dict[str, Any]) -> Any:
        """Leave a hop out of the first answer, and give its short answer all the same."""
        if kind_of(body) != "write" or oracle.calls["write"]:
            return oracle(body)
        oracle.calls["write"] += 1
        written = oracle.reply("write", body["messages"][1]["content"])
        del written["statements"][1]
        return json.dumps(written)

    chat.script(hasty)
    run = ask(chat, oracle.world)
    assert (oracle.calls["write"], oracle.calls["propositions"]) == (2, 2)
    assert run.before_repair is not None
    answer, report = run.before_repair
    assert (len(answer.statements), report.verdict.completeness) == (2, 0)
    assert (len(run.answer.statements), measures(run)) == (3, (1, 1.0, 1))
    gaps = [re.findall(r"^GAP: (.*) \(", text, re.MULTILINE) for text in map(chat.prompt, range(chat.count))]
    assert [gap for gap in gaps if gap] == [["Ann Bell | Ivo Orr"]]
