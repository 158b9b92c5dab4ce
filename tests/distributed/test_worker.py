"""A worker, without a cluster around it: it hands over what a run has, and waits until that is kept."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

import pytest

from pinakes_ask.batch.ledger import Total
from pinakes_ask.distributed.messages import Ended, Event, Failed, Kept, Sent
from pinakes_ask.distributed.worker import Opening, Worker
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.recording import Heading
from pinakes_ask.settings import Settings
from retrieval.errors import IndexMissing
from retrieval.protocols import Searcher
from tests.ask.fakes import TestClock, TextSearcher
from tests.endpoint.test_loop import DOCUMENTS, QUESTION
from transcripts.record import LibraryInfo, Transcript

T = TypeVar("T")
CREATED = datetime(2026, 3, 1, tzinfo=UTC)


def library() -> Searcher:
    return TextSearcher(DOCUMENTS)


def missing() -> Searcher:
    raise IndexMissing("The library cannot be opened", "it was never synced", "Run `pnk sync`")


def sent(run: str = "01KJM000000000000000000001", allowance: Total | None = None, checkpoint: str = "") -> Sent:
    info = LibraryInfo(name="notes", fingerprint="texts")
    heading = Heading(run, CREATED, Settings(), None, "extractive", info)
    return Sent(QUESTION, heading, allowance, checkpoint)


def with_worker(use: Callable[[Worker], Awaitable[T]], opened: Callable[[], Searcher] = library) -> T:
    async def run() -> T:
        worker = Worker(Opening(opened, ExtractiveModel), TestClock())
        await worker.open()
        return await use(worker)

    return asyncio.run(run())


async def to_its_end(worker: Worker, first: Sent) -> list[Event]:
    events = [await worker.begin(first)]
    while isinstance(events[-1], Kept):
        events.append(await worker.go_on(first.run))
    return events


def test_each_call_is_handed_over_and_the_last_event_is_the_record() -> None:
    events = with_worker(lambda worker: to_its_end(worker, sent()))
    *before, last = events
    assert isinstance(last, Ended)
    record = Transcript.model_validate_json(last.transcript)
    assert record.status == "answered"
    assert len(before) == len(record.exchanges) == last.spent.calls > 2
    calls = [
        len(Transcript.model_validate_json(one.transcript).exchanges) for one in before if isinstance(one, Kept)
    ]
    assert calls == list(range(1, len(before) + 1))
    assert pickle.loads(pickle.dumps(events)) == events, "they travel between machines"


def test_no_call_is_made_before_the_last_one_is_kept() -> None:
    async def wait(worker: Worker) -> int:
        first = await worker.begin(sent())
        assert isinstance(first, Kept)
        await asyncio.sleep(0.3)
        second = await worker.go_on(sent().run)
        assert isinstance(second, Kept)
        await worker.drop(sent().run)
        return second.spent.calls

    assert with_worker(wait) == 2


def test_a_run_is_taken_up_where_another_worker_left_it() -> None:
    whole = with_worker(lambda worker: to_its_end(worker, sent()))
    assert isinstance(whole[1], Kept)
    rest = with_worker(lambda worker: to_its_end(worker, sent(checkpoint=whole[1].transcript)))
    assert isinstance(rest[-1], Ended)
    assert isinstance(whole[-1], Ended)
    assert rest[-1].spent.calls == whole[-1].spent.calls - 2, "two calls were paid for before"
    again, once = (Transcript.model_validate_json(one.transcript) for one in (rest[-1], whole[-1]))
    assert (again.answer, again.plan) == (once.answer, once.plan)


def test_a_run_that_is_dropped_ends_and_others_go_on() -> None:
    async def drop(worker: Worker) -> list[Event]:
        one, two = sent(), sent("01KJM000000000000000000002")
        await worker.begin(one)
        await worker.begin(two)
        await worker.drop(one.run)
        await worker.drop(one.run)
        with pytest.raises(KeyError):
            await worker.go_on(one.run)
        events = [await worker.go_on(two.run)]
        while isinstance(events[-1], Kept):
            events.append(await worker.go_on(two.run))
        return events

    assert isinstance(with_worker(drop)[-1], Ended)


def test_an_allowance_that_pays_for_no_answer_fails_without_a_call() -> None:
    (failed,) = with_worker(lambda worker: to_its_end(worker, sent(allowance=Total())))
    assert isinstance(failed, Failed)
    assert failed.spent == Total()
    assert str(pickle.loads(pickle.dumps(failed.error))) == str(failed.error)


def test_what_is_wrong_on_a_machine_is_said_not_raised() -> None:
    async def opened() -> str:
        return str((await Worker(Opening(missing, ExtractiveModel)).open()).problem)

    assert "never synced" in asyncio.run(opened())
