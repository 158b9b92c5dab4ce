"""Asking a language model whether answers are right, each once, whatever interrupts it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.errors import BudgetSpent, ModelError, ModelRefused
from pinakes_ask.evaluation.answer import Answer
from pinakes_ask.evaluation.metric import Missing, Value
from pinakes_ask.evaluation.metrics.judged import NOTHING_TO_JUDGE
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.metered import MeteredModel
from pinakes_ask.tasks import JudgeTask
from retrieval.errors import UsageError
from transcripts.record import canonical

NO_REPLY = "the judge gave no usable reply"
NO_BUDGET = "the budget ended before it was judged"


@dataclass(frozen=True)
class Judged:
    """One judgement as it is kept: what was asked, as a hash, and what was said."""

    id: str
    asked: str
    right: bool
    reasoning: str


async def judge_all(
    pairs: Sequence[tuple[EvalQuestion, Answer]],
    model: MeteredModel,
    kept: Path | None,
    *,
    prompt: str,
    jobs: int,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Value]:
    """Return whether each answer is right, by the question's id; judgements that are kept are not asked again.

    :param kept: a file of judgements, appended to; None to keep none.
    :param prompt: the version of the judge's prompt.
    :raises ModelRefused: when the server serves nothing to this key or by this name.
    :raises UsageError: when a judgement cannot be kept.
    """
    before = _read(kept)
    gate = asyncio.Semaphore(jobs)
    found: dict[str, Value] = {}
    refused: list[ModelRefused] = []

    async def one(question: EvalQuestion, answer: Answer) -> None:
        async with gate:
            found[question.id] = Missing(NO_REPLY) if refused else await judge(question, answer)
            progress(len(found))

    async def judge(question: EvalQuestion, answer: Answer) -> Value:
        if answer.short is None:
            return Missing(NOTHING_TO_JUDGE)
        task = JudgeTask(question=question.text, known=question.answers, given=answer.short)
        asked = _digest(model.name, prompt, task)
        if asked in before:
            return float(before[asked].right)
        try:
            reply = (await model.ask(task)).reply
        except ModelRefused as error:
            refused.append(error)
            return Missing(NO_REPLY)
        except ModelError:
            return Missing(NO_REPLY)
        except BudgetSpent:
            return Missing(NO_BUDGET)
        _keep(kept, Judged(question.id, asked, reply.right, reply.reasoning))
        return float(reply.right)

    await asyncio.gather(*(one(question, answer) for question, answer in pairs if question.answerable))
    if refused:
        raise refused[0]
    return found


def _digest(model: str, prompt: str, task: JudgeTask) -> str:
    text = canonical([model, prompt, task.model_dump(mode="json")])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _read(file: Path | None) -> Mapping[str, Judged]:
    """The judgements there are. A line that was cut off is judged again."""
    found: dict[str, Judged] = {}
    if file is None or not file.exists():
        return found
    for line in file.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            judged = Judged(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(judged.right, bool):
            found[judged.asked] = judged
    return found


def _keep(file: Path | None, judged: Judged) -> None:
    if file is None:
        return
    try:
        with file.open("a", encoding="utf-8", errors="replace") as lines:
            # A line end first, so that a line that was cut off harms no other.
            lines.write("\n" + json.dumps(judged.__dict__, ensure_ascii=False))
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(
            f"The judgement cannot be kept in {file}", why, "Free its disk and run it again"
        ) from error
