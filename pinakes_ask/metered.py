"""A language model inside its budget, with every exchange kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from pinakes_ask.budget import Budget
from pinakes_ask.errors import ModelError
from pinakes_ask.seams import LanguageModel, Replied, SharedModel, Usage
from pinakes_ask.tasks import Cite, Task

ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True)
class Exchange:
    """One call: what was asked, what came back, what it took.

    :param reply: the validated reply, None when the call failed; then ``error`` says why.
    :param seconds: that the call took; it began ``started`` seconds after its run.
    :param error_kind: the class of the error, empty where there is none.
    :param prompt_digest: names the version of the prompt, empty for a model that reads none.
    :param shown: the sentences that the model saw, None where all that the request holds.
    :param notes: what the model's side had to say on it.
    """

    number: int
    kind: str
    request: dict[str, Any]
    reply: dict[str, Any] | None
    usage: Usage
    seconds: float
    error: str = ""
    prompt_digest: str = ""
    shown: frozenset[Cite] | None = None
    notes: tuple[str, ...] = ()
    started: float = 0.0
    error_kind: str = ""


#: Is told of a call, and does with it what it must before the run goes on.
Keep = Callable[[Exchange], Awaitable[None]]


class MeteredModel:
    """Asks a model on a budget, which also pays for what a model has to ask again.

    ``on_exchange`` hears of each call as it ends, and is waited for.
    """

    def __init__(self, model: LanguageModel, budget: Budget, on_exchange: Keep | None = None) -> None:
        self._model = model.paid_by(budget) if isinstance(model, SharedModel) else model
        self._budget = budget
        self._on_exchange = on_exchange
        self.exchanges: list[Exchange] = []

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    async def ask(self, task: Task[ReplyT], *, final: bool = False) -> Replied[ReplyT]:
        """Answer ``task``; ``final`` pays from what was set aside for the final write.

        :raises BudgetSpent: when its worst case does not fit; nothing was asked then.
        :raises ModelError: when no usable reply can be had; the call stays counted at its worst case.
        """
        reserved = self._budget.reserve(self._model.worst_case(task), final=final)
        start = self._budget.seconds
        try:
            replied = await self._model.reply(task)
        except ModelError as error:
            await self._keep(task, None, reserved, start, error)
            raise
        self._budget.settle(reserved, replied.usage)
        await self._keep(task, replied, replied.usage, start)
        return replied

    @property
    def past_deadline(self) -> bool:
        """Whether the run's time is up, so that no new step should begin."""
        return self._budget.past_deadline

    async def _keep(
        self,
        task: Task[ReplyT],
        replied: Replied[ReplyT] | None,
        usage: Usage,
        start: float,
        error: ModelError | None = None,
    ) -> None:
        exchange = Exchange(
            number=len(self.exchanges) + 1,
            kind=task.kind,
            request=task.model_dump(mode="json"),
            reply=None if replied is None else replied.reply.model_dump(mode="json"),
            usage=usage,
            seconds=self._budget.seconds - start,
            error="" if error is None else str(error),
            prompt_digest=self._model.prompt_digest(task),
            shown=None if replied is None else replied.shown,
            notes=() if replied is None else replied.notes,
            started=start,
            error_kind="" if error is None else type(error).__name__,
        )
        self.exchanges.append(exchange)
        if self._on_exchange:
            await self._on_exchange(exchange)
