"""The request for one task as it now stands: its messages, the room for its reply, and what did not fit."""

from __future__ import annotations

import math
from typing import Any

from pinakes_ask.models.endpoint.dialect import schema_in_words
from pinakes_ask.models.endpoint.prompts import Prompt, prompt_for
from pinakes_ask.models.endpoint.refusals import TooLong
from pinakes_ask.models.endpoint.schema import strict_schema
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.models.endpoint.trimming import Fitted, fitted
from pinakes_ask.models.endpoint.usage import prompt_tokens, reply_limit, worst_usage
from pinakes_ask.seams import Usage
from pinakes_ask.tasks import Task

#: A reply has room for so many tokens, however small the window.
_LEAST_REPLY = 200
#: Shares of the prompt that are left out in turn, where a server does not say by how much it is too long.
_SHARES = (0.1, 0.2, 0.3, 0.5)
#: Requests that are found too long, before the task is given up.
_MOST_REFUSALS = 8


class Draft:
    """A request for ``task``, with no more evidence than fits into the window that the endpoint names.

    :ivar limit: the most tokens of the reply.
    """

    def __init__(self, endpoint: Endpoint, task: Task[Any]) -> None:
        self._endpoint = endpoint
        self._task = task
        self.schema = strict_schema(task.reply_model)
        self.limit = reply_limit(task)
        self._added: list[dict[str, str]] = []
        self._refusals = 0
        self.fitted = Fitted(prompt_for(task))
        self._fit_window()

    @property
    def messages(self) -> list[dict[str, str]]:
        """What is sent."""
        return [*self.fitted.prompt.messages, *self._added]

    @property
    def worst(self) -> Usage:
        """The most that the request can take."""
        return self._worst(self.fitted.prompt)

    def lengthen(self) -> None:
        """Give the reply twice the room, as far as the window has it."""
        window = self._endpoint.context_window
        room = math.inf if window is None else window - self.worst.prompt_tokens
        self.limit = max(self.limit, int(min(2 * self.limit, room)))

    def add(self, *messages: dict[str, str]) -> None:
        """Put messages behind the prompt."""
        self._added = [*messages]
        self._fit_window()

    def shrink(self, error: TooLong) -> None:
        """Leave out as much as the server found too much, or more and more where it did not say how much.

        :raises TooLong: ``error``, when nothing is left to leave out.
        """
        self._refusals += 1
        before, estimate = self.messages, prompt_tokens(self.messages)
        excess = error.overflow.excess(self.limit)
        much = math.ceil(estimate * _SHARES[min(self._refusals, len(_SHARES)) - 1])
        if excess is not None:
            counted = error.overflow.prompt or (error.overflow.total or 0) - self.limit
            # In tokens as they are estimated here, which is high.
            exact = math.ceil(excess * max(1.0, estimate / counted if counted > 0 else 1.0))
            much = exact if self._refusals == 1 else max(exact, much)
        self.fitted = fitted(
            self._task, lambda prompt: prompt_tokens([*prompt.messages, *self._added]) <= estimate - much
        )
        if self._refusals > _MOST_REFUSALS:
            raise error
        if self.messages == before:
            if excess is None or self.limit - excess < _LEAST_REPLY:
                raise error
            self.limit -= excess

    def _fit_window(self) -> None:
        window = self._endpoint.context_window
        if window is None:
            return
        self.fitted = fitted(self._task, lambda prompt: self._worst(prompt).prompt_tokens + self.limit <= window)
        # Estimates are high, so that a request which seems too long by them may still be taken.
        self.limit = min(self.limit, max(_LEAST_REPLY, window - self.worst.prompt_tokens))

    def _worst(self, prompt: Prompt) -> Usage:
        messages = [*prompt.messages, *self._added]
        return worst_usage(self._endpoint, messages, schema_in_words(self.schema), self.limit)
