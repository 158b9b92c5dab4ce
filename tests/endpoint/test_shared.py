"""Several runs on one model at once: what they share, and what each pays for itself."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from pinakes_ask.budget import Limits
from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.run import Run
from pinakes_ask.settings import Settings
from tests.ask.fakes import TestClock, TextSearcher
from tests.endpoint.server import MODEL, ChatServer
from tests.endpoint.tasks import REINFER, REPLIES
from tests.endpoint.test_loop import DOCUMENTS, QUESTION, plan, solve, write
from tests.endpoint.test_loop import REINFER as REINFERRED

OTHER = "In which place was the author of The Reed born?"


def ask_both(chat: ChatServer, *limits: Limits) -> list[tuple[Run, int]]:
    """Ask two questions of one model at the same time; return each run with the calls it paid."""

    async def one(model: EndpointModel, question: str, limit: Limits) -> tuple[Run, int]:
        loop = Loop(TextSearcher(DOCUMENTS), model, SelfCheck(), Settings(limits=limit), TestClock())
        return await loop.ask(question), loop.budget.calls

    async def both() -> list[tuple[Run, int]]:
        async with EndpointModel(Endpoint(chat.url, MODEL)) as model:
            questions = zip((QUESTION, OTHER), limits, strict=True)
            return await asyncio.gather(*(one(model, question, limit) for question, limit in questions))

    return asyncio.run(both())


def test_two_runs_at_once_pay_each_from_its_own_budget(chat: ChatServer) -> None:
    def unreadable_first(body: dict[str, Any]) -> str:
        time.sleep(0.02)  # so that the calls of both runs overlap
        again = len(body["messages"]) > 2
        return plan(body) if OTHER in body["messages"][1]["content"] or again else "prose"

    def slow_solve(body: dict[str, Any]) -> str:
        time.sleep(0.02)
        return solve(body)

    chat.script_kinds(plan=unreadable_first, solve=slow_solve, write=write, reinfer=REINFERRED)
    (poor, poor_calls), (rich, rich_calls) = ask_both(chat, Limits(calls=4), Limits(calls=5))
    # The first asked its plan twice, which left one round of the two that it needs.
    assert (poor.stop_reason, poor.status, poor_calls) == ("budget", "partial", 4)
    assert (rich.stop_reason, rich.status, rich_calls) == ("answered", "answered", 5)
    assert [one.usage.prompt_tokens for one in poor.exchanges] == [200, 100, 100]
    assert [one.usage.prompt_tokens for one in rich.exchanges] == [100] * 5
    assert chat.count == 9


def test_what_one_run_learned_of_the_server_serves_the_next(chat: ChatServer) -> None:
    chat.script(json.dumps(REPLIES["reinfer"])).formats = {"text"}

    async def run() -> None:
        async with EndpointModel(Endpoint(chat.url, MODEL)) as model:
            for _ in range(2):
                budget = Loop(TextSearcher({}), model, SelfCheck(), Settings(), TestClock()).budget
                await model.paid_by(budget).reply(REINFER)

    asyncio.run(run())
    assert chat.count == 3 + 1
