"""The seams of the ask loop: a language model, a clock, and ids. Each has a fake in the tests."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from pinakes_ask.tasks import Cite, Task

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
    """A validated reply, and what it took.

    :param shown: the sentences that the model was shown, the only ones it can cite; None where it saw
        all that the task holds.
    :param notes: what the run's reader should know, such as evidence that did not fit.
    """

    reply: ReplyT
    usage: Usage
    shown: frozenset[Cite] | None = None
    notes: tuple[str, ...] = ()


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


class Account(Protocol):
    """Where a request beyond a task's first is paid from. A :class:`pinakes_ask.budget.Budget` is one."""

    def reserve(self, worst: Usage) -> Usage:
        """Book a request at its worst case.

        :raises BudgetSpent: when it does not fit.
        """

    def settle(self, reserved: Usage, actual: Usage) -> None:
        """Replace a reservation by what was taken."""


@runtime_checkable
class SharedModel(Protocol):
    """A model that asks some tasks more than once, and that several runs may use at the same time."""

    def paid_by(self, account: Account) -> LanguageModel:
        """Return the model for one run, which pays from its own ``account`` for asking again."""


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
