"""Searching and writing in threads changes no result, and a cancellation is neither lost nor too early."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pinakes_ask.threads import in_thread
from retrieval.library import Library
from tests.conftest import SAMPLE


def test_many_threads_on_one_library_find_what_one_finds(sample_library: Path) -> None:
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    with Library.open(sample_library) as library, ThreadPoolExecutor(8) as threads:
        alone = [library.search([one]) for one in questions]
        for _ in range(3):
            assert list(threads.map(lambda one: library.search([one]), questions)) == alone


def test_a_cancellation_waits_for_the_thread_and_comes_right_after() -> None:
    done: list[str] = []

    def work() -> str:
        time.sleep(0.2)
        done.append("work")
        return "result"

    async def caller() -> None:
        done.append(await in_thread(work))
        await asyncio.sleep(10)
        done.append("never")

    async def main() -> None:
        task = asyncio.create_task(caller())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelling() == 1

    asyncio.run(main())
    assert done == ["work", "result"]


def test_an_error_in_the_thread_reaches_the_caller() -> None:
    def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(in_thread(work))
