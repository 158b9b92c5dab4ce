"""The seams of the ask loop: a language model, a clock, and ids. Each has a fake in the tests."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from pinakes_ask.tasks import Task

ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True)
class Usage:
    """What a call took, or could take at worst.

    :param cost: in the currency of the configured prices; None where the model has no price.
    :param estimated: whether the tokens were estimated rather than reported.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            cost,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True)
class Replied(Generic[ReplyT]):
    """A validated reply, and what it took."""

    reply: ReplyT
    usage: Usage


class LanguageModel(Protocol):
    """Answers typed tasks. It need not be a language model: the task's fields say everything."""

    @property
    def name(self) -> str:
        """The model as a reader of the transcript should know it."""

    def prompt_digest(self, task: Task[ReplyT]) -> str:
        """Return the version of the prompt that ``task`` is asked with, empty where none is read."""

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        """Return the most that answering ``task`` can take."""

    async def reply(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        """Answer ``task`` with an instance of its reply model.

        :raises ModelError: when no usable reply can be had.
        """


class Clock(Protocol):
    """Wall time for records, monotonic seconds for deadlines."""

    def now(self) -> datetime:
        """The time in UTC."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""


class Ids(Protocol):
    """Makes ids of runs."""

    def new(self, at: datetime) -> str:
        """Return a new ULID for a run that began at ``at``."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        return time.monotonic()


class UlidIds:
    """Random ULIDs, which sort by time."""

    def new(self, at: datetime) -> str:
        """Return a new ULID for a run that began at ``at``."""
        from ulid import ULID

        return str(ULID.from_datetime(at))
