"""Ten thousand wrong replies, to every kind of task: no crash, no endless run, nothing believed that is not so."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from pinakes_ask.asking import ask_and_record
from pinakes_ask.gate import stands_in
from pinakes_ask.models.endpoint.client import PaidModel
from pinakes_ask.models.endpoint.completion import Completion
from pinakes_ask.models.endpoint.parsing import Unparsable, read_reply
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.settings import LoopSettings, Settings
from tests.ask.fakes import CountingIds, TestClock, TextSearcher
from tests.endpoint.mutations import mutated
from tests.endpoint.server import kind_of
from tests.endpoint.tasks import REPLIES, TASKS
from tests.endpoint.test_loop import DOCUMENTS, KINDS, QUESTION
from transcripts.record import PlanNode, Transcript

READ = 9400
RUNS = 160
#: What one run may ask at most: a plan, three rounds, two writes and their checks of two, each asked twice or, cut
#: off and unreadable, three times.
MOST_REQUESTS = 3 * (1 + 3 + 2 * 3)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_any_reply_to_a_task_is_read_or_refused_with_a_reason(task: Any) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(READ // len(TASKS) + 1):
        text = mutated(random.Random(f"{task.kind} {number}"), json.dumps(REPLIES[task.kind]))
        try:
            reply, notes = read_reply(text, task.reply_model)
        except Unparsable as error:
            assert str(error)
            outcomes["refused"] += 1
            continue
        assert isinstance(reply, task.reply_model)
        json.dumps([reply.model_dump(mode="json"), *notes]).encode("ascii")
        outcomes["read in part" if notes else "read"] += 1
    # The mutations reach every outcome, and are not all of one kind.
    assert all(outcomes[one] > READ / len(TASKS) / 20 for one in ("read", "refused")), outcomes


def right(body: dict[str, Any]) -> str:
    """A right reply, or at least one of the right form, where the plan came out so that there is none."""
    kind = kind_of(body)
    step = KINDS[kind]
    try:
        return str(step(body) if callable(step) else step)
    except StopIteration:
        return json.dumps(REPLIES[kind])


class Mutating:
    """A server whose replies are right but for what ``chance`` does to them; it stops a run that does not end."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.texts: list[str] = []

    async def send(self, messages: Any, schema: Any, limit: int, *, tokens: int) -> Completion:
        assert len(self.texts) < MOST_REQUESTS, "the run goes on and on"
        self.texts.append(mutated(self._chance, right({"messages": messages})))
        return Completion(
            self.texts[-1], cut=self._chance.random() < 0.03, prompt_tokens=100, completion_tokens=10
        )


def run_of(chance: random.Random) -> tuple[Transcript, Mutating]:
    server = Mutating(chance)
    model = PaidModel(Endpoint("http://127.0.0.1/v1", "m"), server, None)  # type: ignore[arg-type]
    model.paid_by = lambda account: PaidModel(Endpoint("http://127.0.0.1/v1", "m"), server, account)  # type: ignore

    async def ask() -> Transcript:
        outcome = await ask_and_record(
            QUESTION,
            searcher=TextSearcher(DOCUMENTS),
            library_name="l",
            model=model,
            settings=Settings(LoopSettings(), extractor="model"),
            clock=TestClock(),
            ids=CountingIds(),
            asks=None,
        )
        return outcome.transcript

    return asyncio.run(ask()), server


def test_a_run_believes_nothing_that_its_documents_do_not_say_and_always_ends() -> None:
    outcomes: Counter[str] = Counter()
    asked = 0
    for number in range(RUNS):
        transcript, server = run_of(random.Random(f"run {number}"))
        asked += len(server.texts)
        outcomes[f"{transcript.status}, {transcript.stop_reason}"] += 1
        believed_is_said(transcript)
    assert asked + READ > 10_000
    assert outcomes["answered, answered"] > 0, outcomes
    assert len(outcomes) > 3, outcomes


def believed_is_said(transcript: Transcript) -> None:
    sentences = {
        (one.number, n): one.text[start:end]
        for one in transcript.evidence
        for n, (start, end) in enumerate(one.sentences, start=1)
    }
    nodes = transcript.plan.nodes if transcript.plan else ()
    for node in nodes:
        for cite in node.citations:
            assert sentences[cite.passage, cite.sentence] == cite.quote
        if node.status == "supported" and node.kind == "find":
            assert is_said(
                node.answer or "", [text for cite in node.citations for text in (cite.quote, cite.title)]
            )
    # Nothing but the gate finds a first search sufficient, and this one cannot tell.
    assert transcript.stop_reason != "sufficient"
    if transcript.stop_reason == "answered":
        needed = {need for node in nodes for need in node.needs}
        ends = [node for node in nodes if node.id not in needed]
        assert ends
        assert all(node.status == "supported" for node in with_all_they_need(ends, nodes))
    for statement in transcript.answer.statements:
        for cite in statement.citations:
            assert sentences[cite.passage, cite.sentence] == cite.quote
    if transcript.answer.short_answer is not None:
        assert any(statement.citations for statement in transcript.answer.statements)
    if transcript.status == "answered":
        assert transcript.answer.short_answer is not None


def is_said(answer: str, texts: list[str]) -> bool:
    """Whether an answer, or each of several, stands in what is cited; a yes or no needs a citation alone."""
    if answer.lower() in ("yes", "no"):
        return bool(texts)
    parts = [part for part in answer.split(";") if part.strip()]
    return bool(parts) and all(any(stands_in(part, text) for text in texts) for part in parts)


def with_all_they_need(ends: list[PlanNode], nodes: Sequence[PlanNode]) -> list[PlanNode]:
    found = {node.id: node for node in ends}
    pending = [*ends]
    while pending:
        for need in pending.pop().needs:
            if need not in found:
                found[need] = nodes[need - 1]
                pending.append(found[need])
    return list(found.values())
