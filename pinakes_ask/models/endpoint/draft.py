"""The request for one task as it now stands: its messages, the room for its reply, and what did not fit."""

from __future__ import annotations

import math
from typing import Any

from pinakes_ask.models.endpoint.dialect import schema_in_words
from pinakes_ask.models.endpoint.prompts import Prompt, prompt_for
from pinakes_ask.models.endpoint.refusals import ReplyTooLong, TooLong
from pinakes_ask.models.endpoint.schema import strict_schema
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.models.endpoint.trimming import Fitted, fitted
from pinakes_ask.models.endpoint.usage import prompt_tokens, reply_limit, worst_usage
from pinakes_ask.seams import Usage
from pinakes_ask.tasks import Task

#: A reply has room for so many tokens, however small the window.
_LEAST_REPLY = 200
#: What a model that thinks gets more, once its thinking left no room for its reply.
_MORE_THINKING = 8000
#: Shares of the prompt that are left out in turn, where a server does not say by how much it is too long.
_SHARES = (0.1, 0.2, 0.3, 0.5)
#: A server's token is estimated at no less than this.
_LEAST_SCALE = 0.5
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
        self.limit = self._enough = reply_limit(task, endpoint.thinking_tokens)
        self._added: list[dict[str, str]] = []
        self._refusals = 0
        #: The prompt that was last found too long, as it was estimated and as the server counted it.
        self._counted: tuple[int, int | None] | None = None
        self._window = endpoint.context_window
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

    def lengthen(self, *, thinks: bool) -> None:
        """Give the reply twice the room, much more to a model that thinks, as far as the window has it."""
        room = math.inf if self._window is None else self._window - self.worst.prompt_tokens
        wanted = max(2 * self.limit, self.limit + _MORE_THINKING * thinks)
        self.limit = max(self.limit, int(min(wanted, room)))

    def cap(self, error: ReplyTooLong) -> None:
        """Ask for no longer a reply than the model can give.

        :raises ReplyTooLong: ``error``, when it says nothing that helps.
        """
        if not _LEAST_REPLY <= error.most < self.limit:
            raise error
        self.limit = error.most

    def add(self, *messages: dict[str, str]) -> None:
        """Put messages behind the prompt."""
        self._added = [*messages]
        self._fit_window()

    def shrink(self, error: TooLong) -> None:
        """Leave out as much as the server found too much, or more and more where it did not say how much.

        :raises TooLong: ``error``, when nothing is left to leave out.
        """
        self._refusals += 1
        if self._refusals > _MOST_REFUSALS:
            raise error
        self._window = self._window or error.overflow.window
        before, estimate = self.messages, prompt_tokens(self.messages)
        excess = error.overflow.excess(self.limit)
        if (spare := self.limit - self._enough) > 0:
            # Room that was only added to try for more goes before evidence does.
            self.limit -= spare if excess is None else min(spare, excess * self._refusals)
            return
        much = self._too_much(estimate, excess, error.overflow.counted(self.limit))
        self.fitted = fitted(
            self._task, lambda prompt: prompt_tokens([*prompt.messages, *self._added]) <= estimate - much
        )
        if self.messages == before:
            if excess is None or self.limit - excess < _LEAST_REPLY:
                raise error
            self.limit -= excess

    def _too_much(self, estimate: int, excess: int | None, counted: int | None) -> int:
        """Return by how much the estimate of the prompt must fall.

        What a token is estimated at is learned from one refusal to the next; where nothing was counted, a
        growing share goes.
        """
        last, self._counted = self._counted, (estimate, counted)
        if excess is None or not counted:
            return math.ceil(estimate * _SHARES[min(self._refusals, len(_SHARES)) - 1])
        scale = min(1.0, estimate / counted)
        if last is not None and last[1] is not None:
            # A server that counts no further than its window says the same again.
            scale = (last[0] - estimate) / (last[1] - counted) if last[1] > counted else 2.0**self._refusals
        return math.ceil(excess * max(_LEAST_SCALE, scale))

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
