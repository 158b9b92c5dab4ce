"""On the sample library the extractive model answers most questions, and none wrongly."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.seams import SystemClock
from pinakes_ask.settings import Settings
from retrieval.library import Library
from retrieval.syncing import sync

SAMPLE = Path(__file__).parents[2] / "docs" / "sample"


def test_no_answer_is_wrong_and_what_is_unanswerable_is_refused(tmp_path: Path) -> None:
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    sync(SAMPLE / "library", state=tmp_path)
    given: dict[str, str | None] = {}
    with Library.open(SAMPLE / "library", state=tmp_path) as library:
        for one in asked:
            loop = Loop(library, ExtractiveModel(), SelfCheck(), Settings(), SystemClock())
            answer = asyncio.run(loop.ask(one["question"])).answer
            given[one["id"]] = answer.short_answer
            assert answer.statements
    assert {key: short for key, short in given.items() if short is not None} == {
        one["id"]: one["answer"] for one in asked if given[one["id"]] is not None
    }
    assert [given[one["id"]] for one in asked if one["type"] == "unanswerable"] == [None, None]
    assert sum(short is not None for short in given.values()) >= 11
