"""What the extractive model is fitted on: the last write of a run on each question, and what is right there.

The tasks are kept in the working folder, since a run on all even questions takes minutes.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plain_libraries import PlainQuestion, opened, questions_of
from question_sets import load

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.seams import Replied, SystemClock
from pinakes_ask.settings import LoopSettings, Settings
from pinakes_ask.tasks import WriteTask
from retrieval.library import Library
from retrieval.syncing import sync


@dataclass(frozen=True)
class Case:
    """A question with the evidence of its run.

    :param answers: the accepted answers, none where there is none; :param gold: numbers of the passages that hold
        the evidence.
    :param steps: ``(question, answer, final)`` of its steps, where the set gives them.
    """

    set: str
    question: str
    answers: tuple[str, ...]
    type: str
    gold: frozenset[int]
    task: WriteTask
    steps: tuple[tuple[str, str, bool], ...]

    @property
    def yes_no(self) -> bool:
        """Whether no sentence can hold the answer."""
        return bool(self.answers) and self.answers[0].lower() in ("yes", "no")


class _Keeping(ExtractiveModel):
    """The extractive model, which keeps its last write."""

    last: WriteTask | None = None

    async def reply(self, task: Any) -> Replied[Any]:
        if isinstance(task, WriteTask):
            self.last = task
        return await super().reply(task)


def cases(name: str, data: Path, work: Path, half: int) -> list[Case]:
    """Return the cases of one half of a set, from the working folder where they were made before."""
    kept = work / f"{name}.tasks{half}.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(list(_made(name, data, work, half))))
    made: list[Case] = pickle.loads(kept.read_bytes())
    return made


def plain_cases(name: str, work: Path) -> list[Case]:
    """Return the questions of a plain library; those that one document tells are their own only step."""
    with opened(name, work) as library:
        return [
            Case("plain", one.text, one.answers, one.type, gold, task, _own_step(one))
            for one in questions_of(name)
            for task, gold in [_asked(library, one.text, one.gold)]
            if task is not None
        ]


def _own_step(one: PlainQuestion) -> tuple[tuple[str, str, bool], ...]:
    return tuple((one.text, answer, True) for answer in one.answers) if one.type == "plain" else ()


def _made(name: str, data: Path, work: Path, half: int) -> Iterator[Case]:
    questions = load(name, data, work)
    records = [json.loads(line) for line in (data / name / "questions.jsonl").open(encoding="utf-8")]
    state = work / f"{name}.state"
    sync(questions.corpus, state=state)
    with Library.open(questions.corpus, state=state) as library:
        for index in questions.half(half):
            record = records[index]
            task, gold = _asked(library, record["question"], questions.questions[index].gold)
            if task is not None:
                answers = (record["answer"], *record["aliases"])
                yield Case(
                    name, record["question"], answers, record["type"] or "", gold, task, _steps(name, record)
                )


def _asked(library: Library, question: str, gold: frozenset[str]) -> tuple[WriteTask | None, frozenset[int]]:
    """The last write task of a run, and the numbers of its passages from ``gold`` documents."""
    model = _Keeping()
    loop = Loop(library, model, SelfCheck(), Settings(LoopSettings(force_answer=True)), SystemClock())
    evidence = asyncio.run(loop.ask(question)).evidence
    return model.last, frozenset(n for n in evidence.numbers() if evidence.passage(n).document in gold)


def _steps(name: str, record: dict[str, Any]) -> tuple[tuple[str, str, bool], ...]:
    """The steps that MuSiQue gives as questions and 2WikiMultiHopQA as triples; HotpotQA gives none."""
    if name == "musique":
        found = record["decomposition"] or []
        asked = [
            re.sub(r"#(\d+)", lambda match: found[int(match.group(1)) - 1]["answer"], one["question"])
            for one in found
        ]
        return tuple(
            (_spelled(text), one["answer"], place == len(found))
            for place, (text, one) in enumerate(zip(asked, found, strict=True), start=1)
        )
    if name == "2wikimultihopqa":
        triples = record["evidences"] or []
        subjects = {triple[0] for triple in triples}
        return tuple((f"What is the {b} of {a}?", c, c not in subjects) for a, b, c in triples)
    return ()


def _spelled(text: str) -> str:
    """MuSiQue writes some steps as ``thing >> relation``."""
    thing, arrow, relation = text.partition(">>")
    if arrow:
        return f"What is the {relation.strip()} of {thing.strip()}?"
    return text.strip().rstrip("?") + "?"
