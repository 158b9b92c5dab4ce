"""Stand-ins for the seams: a model that is told its replies, a searcher over given texts, a clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from pinakes_ask.errors import ModelError
from pinakes_ask.seams import Replied, Usage
from pinakes_ask.tasks import Task
from retrieval.text import content_words, sentence_spans
from retrieval.types import Confidence, Filters, Found, Hit, Passage, Reach

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class QueueModel:
    """Answers each kind of task with the replies queued for it; the last one is repeated.

    A queued exception is raised. ``asked`` keeps every task, so that a test can see what was sent.
    """

    name = "queue"

    def __init__(self, *, worst: Usage | None = None, usage: Usage | None = None, **replies: Any) -> None:
        self._replies = {
            kind: list(queue) if isinstance(queue, list) else [queue] for kind, queue in replies.items()
        }
        self._worst = worst or Usage(1000, 500, 0.0)
        self._usage = usage or Usage(100, 50, 0.0)
        self.asked: list[Task[Any]] = []

    def prompt_digest(self, task: Task[ReplyT]) -> str:
        return ""

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        return self._worst

    async def reply(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        self.asked.append(task)
        queue = self._replies.get(task.kind)
        if not queue:
            return cast("Replied[ReplyT]", Replied(task.reply_model(), self._usage))
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(reply, Exception):
            raise reply
        return Replied(reply(task) if callable(reply) else reply, self._usage)

    def kinds(self) -> list[str]:
        """The kinds of the tasks asked, in order."""
        return [task.kind for task in self.asked]


def model_failure() -> ModelError:
    return ModelError("The model did not answer", "the test says so", "Carry on")


class TextSearcher:
    """Ranks given documents by shared words. ``confidence`` is what every search reports."""

    fingerprint = "texts"

    def __init__(self, documents: dict[str, str], confidence: Confidence | None = None) -> None:
        self._passages = [_passage(title, text) for title, text in documents.items()]
        self._confidence = confidence or Confidence(None, "not calibrated")
        self.queries: list[str] = []

    def search(self, queries: Sequence[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        self.queries += queries
        return [self._one(query, k) for query in queries]

    def _one(self, query: str, k: int) -> Found:
        wanted = set(content_words(query))
        scored = [(len(wanted & set(content_words(f"{p.title} {p.text}"))), p) for p in self._passages]
        ranked = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], pair[1].id))
        hits = tuple(Hit(passage, float(score), (Reach("words"),)) for score, passage in ranked[:k])
        return Found(query, hits, self._confidence)


def _passage(title: str, text: str) -> Passage:
    return Passage(
        id=f"{title}#0",
        document=title,
        title=title,
        location=f"{title}.txt",
        ordinal=0,
        start=0,
        end=len(text),
        text=text,
        sentences=tuple(sentence_spans(text)),
    )


class TestClock:
    """Time that stands still until it is moved; ``step`` moves it at every look."""

    __test__ = False

    def __init__(self, step: float = 0.0) -> None:
        self.seconds = 0.0
        self.step = step

    def now(self) -> datetime:
        return datetime(2026, 3, 1, 12, 0, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        self.seconds += self.step
        return self.seconds


class CountingIds:
    """ULIDs that differ in their last digit."""

    def __init__(self) -> None:
        self._next = 0

    def new(self, at: datetime) -> str:
        self._next += 1
        return f"01KJM00000000000000000000{self._next:X}"
