"""The language model behind an endpoint: a typed task in, a checked reply out."""

from __future__ import annotations

from typing import TypeVar, cast

from pydantic import BaseModel

from pinakes_ask.models.endpoint.asking import Asking
from pinakes_ask.models.endpoint.dialect import Dialect
from pinakes_ask.models.endpoint.pace import Timer
from pinakes_ask.models.endpoint.parsing import Unparsable, read_reply
from pinakes_ask.models.endpoint.prompts import prompt_digest
from pinakes_ask.models.endpoint.transport import Endpoint, Transport
from pinakes_ask.seams import Account, Replied, Usage
from pinakes_ask.tasks import Task

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class PaidModel:
    """A model on a server as one run sees it. Other runs may use the same connections at the same time.

    :param account: pays for asking a task again; None for no limit.
    """

    def __init__(self, endpoint: Endpoint, transport: Transport, account: Account | None) -> None:
        self._endpoint = endpoint
        self._transport = transport
        self._account = account

    @property
    def name(self) -> str:
        """The model's name on its server."""
        return self._endpoint.model

    def prompt_digest(self, task: Task[ReplyT]) -> str:
        """Return the version of the prompt that ``task`` is asked with."""
        return prompt_digest(task.kind)

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        """Return what one request for ``task`` can take; requests beyond it are booked as they come."""
        return Asking(self._endpoint, task, None).worst

    async def reply(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        """Answer ``task``; the usage covers every request that took.

        A reply cut off is asked for once more at twice the length or more, one that cannot be read once more
        with the reason, and a request without an answer is sent once more.

        :raises ReplyUnusable: when the model declines, or sends nothing usable also then.
        :raises ModelRefused: when the server serves nothing to this key or by this name.
        :raises ModelError: when no reply can be had otherwise.
        """
        asking = Asking(self._endpoint, task, self._account)
        while True:
            completion = await asking.send(self._transport)
            if completion.refusal:
                raise asking.unusable(f"the model declined: {completion.refusal[:200]}")
            if completion.cut:
                asking.lengthen(thinks=completion.thinks)
                continue
            if not completion.reply.strip() and not completion.thinks:
                raise asking.unusable("its reply was empty")
            try:
                reply, left_out = read_reply(completion.reply, cast("type[ReplyT]", task.reply_model))
            except Unparsable as error:
                asking.explain(completion.reply, str(error))
                continue
            return Replied(reply, asking.settled(), asking.shown, (*asking.notes, *left_out))


class EndpointModel(PaidModel):
    """A model on an OpenAI-compatible server. Use it as an async context, or close it, on one event loop.

    Any number of runs may use it at once. They share its connections, its limits, and what it learned of
    its server; each asks its own view, which :meth:`paid_by` returns and :class:`MeteredModel` takes.

    :param timer: waits before a retry and for the server's limits; the event loop's own where none is given.
    """

    def __init__(self, endpoint: Endpoint, *, timer: Timer | None = None) -> None:
        super().__init__(endpoint, Transport(endpoint, timer), None)

    @property
    def dialect(self) -> Dialect:
        """What the server turned out to understand so far."""
        return self._transport.dialect

    def paid_by(self, account: Account) -> PaidModel:
        """Return this model for a run that pays from ``account``."""
        return PaidModel(self._endpoint, self._transport, account)

    async def __aenter__(self) -> EndpointModel:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections; a later task opens new ones."""
        await self._transport.aclose()
