"""A run whose index fails, or that is cancelled, keeps what it has."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pinakes_ask.check import SelfCheck
from pinakes_ask.errors import IndexDamaged
from pinakes_ask.loop import Loop
from pinakes_ask.run import Run
from pinakes_ask.settings import LoopSettings, Settings
from pinakes_ask.tasks import (
    PlanReply,
    SolveReply,
)
from retrieval.types import Confidence
from tests.ask.fakes import QueueModel, TestClock, TextSearcher
from tests.ask.test_loop import (
    DOCUMENTS,
    QUESTION,
    replies,
)
from tests.ask.test_loop_repair import broken_answer


class BrokenSearcher(TextSearcher):
    """Fails from its second search on."""

    def search(self, queries: Any, k: int = 5, filters: Any = None) -> Any:
        if self.queries:
            raise IndexDamaged("The index cannot be read", "the test says so", "Run `pnk sync`")
        return super().search(queries, k, filters)


def test_an_index_that_fails_on_the_way_loses_no_run() -> None:
    loop = Loop(BrokenSearcher(DOCUMENTS), QueueModel(**replies()), SelfCheck(), Settings(), TestClock())
    run = asyncio.run(loop.ask(QUESTION))
    assert "cannot be read" in run.failure
    assert run.exchanges
    assert run.status == "partial"


def interrupted_at(
    kind: str,
    *,
    nth: int = 1,
    documents: dict[str, str] = DOCUMENTS,
    confidence: Confidence | None = None,
    k: int = 5,
    **changes: Any,
) -> Run:
    """A run that is cancelled while its ``nth`` task of a kind is on its way."""

    class Slow(QueueModel):
        async def reply(self, task: Any) -> Any:
            if task.kind == kind and self.kinds().count(kind) == nth - 1:
                self.asked.append(task)
                asking.set()
                await asyncio.sleep(60)
            return await super().reply(task)

    async def interrupted() -> Run:
        searcher, settings = TextSearcher(documents, confidence), Settings(LoopSettings(k=k))
        loop = Loop(searcher, Slow(**replies(**changes)), SelfCheck(), settings, TestClock())
        task = asyncio.create_task(loop.ask(QUESTION))
        await asking.wait()
        task.cancel()
        return await task

    asking = asyncio.Event()
    return asyncio.run(interrupted())


@pytest.mark.parametrize("kind", ["plan", "solve", "reinfer"])
def test_a_cancelled_run_still_answers_from_what_it_has(kind: str) -> None:
    run = interrupted_at(kind)
    assert (run.stop_reason, run.status, run.answer.short_answer) == ("interrupted", "partial", "Dale")


@pytest.mark.parametrize("confidence", [None, Confidence(0.95, "fitted", threshold=0.9)])
def test_a_run_that_is_cancelled_in_its_write_keeps_what_it_found_and_says_why(
    confidence: Confidence | None,
) -> None:
    run = interrupted_at("write", confidence=confidence)
    assert (run.stop_reason, run.status, run.answer.short_answer) == ("interrupted", "partial", None)
    assert "stopped" in run.answer.withheld
    assert run.evidence.numbers()
    assert (run.plan is None) is (confidence is not None)


def test_a_run_that_is_cancelled_in_its_repair_keeps_the_first_answer() -> None:
    documents = {**DOCUMENTS, "The Reed": "A book.", "Printing": "The Reed was written by Ann Bell of Dale."}
    planned = {"plan": PlanReply(), "solve": SolveReply(), "write": broken_answer}
    run = interrupted_at("write", nth=2, documents=documents, k=1, **planned)
    assert (run.stop_reason, run.status, run.answer.short_answer) == ("interrupted", "partial", "Dale")
    assert run.report is not None
    assert run.before_repair is None
