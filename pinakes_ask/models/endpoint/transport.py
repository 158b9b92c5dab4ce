"""One request to a chat-completions server, brought to a completion or to an error that says why not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinakes_ask.errors import ModelError
from pinakes_ask.models.endpoint.completion import Completion
from pinakes_ask.models.endpoint.connection import connect
from pinakes_ask.models.endpoint.dialect import Dialect
from pinakes_ask.models.endpoint.pace import LoopTimer, Pace, Timer
from pinakes_ask.models.endpoint.refusals import is_of_form, is_passing, refusal, retry_after, words_of

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

#: Waits before the retries of a request that the server did not take, in seconds.
BACKOFF = (1.0, 2.0, 4.0)
#: A server that asks for a longer wait than this will not be waited for.
MAX_WAIT = 120.0


@dataclass(frozen=True)
class Endpoint:
    """A server, a model on it, and how to ask.

    :param base_url: up to and including ``/v1``.
    :param timeout: seconds until a request is given up, from its start to the end of the reply.
    :param concurrency: requests at once.
    :param requests_per_minute: None where the server sets no limit.
    :param tokens_per_minute: likewise, prompts and replies together.
    :param context_window: tokens that prompt and reply may take together; None where it is not known.
    :param thinking_tokens: room that every reply has for thinking, beside what it is asked for.
    :param prompt_price: of a million prompt tokens, in any currency; None where it is not known.
    :param completion_price: of a million tokens of the reply.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 180.0
    concurrency: int = 4
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    context_window: int | None = None
    thinking_tokens: int = 1000
    prompt_price: float | None = None
    completion_price: float | None = None


class FateUnknown(Exception):
    """The request was sent and no reply came: the server may have worked, and may charge for it."""


class _NotReached(Exception):
    """No connection came about, so nothing was sent."""


class Transport:
    """Sends the requests of every run, within the server's limits.

    :ivar dialect: what the server turned out to understand so far.
    """

    def __init__(self, endpoint: Endpoint, timer: Timer | None = None) -> None:
        self._endpoint = endpoint
        self._timer = timer or LoopTimer()
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._pace = Pace(self._timer, endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self.dialect = Dialect()
        self._client: AsyncOpenAI | None = None

    async def send(
        self, messages: list[dict[str, str]], schema: Mapping[str, Any], limit: int, *, tokens: int
    ) -> Completion:
        """Return the completion of ``messages``.

        :param limit: the most tokens of the reply.
        :param tokens: the most that prompt and reply can take together.
        :raises ModelRefused: when the server takes no request at all of this key or for this model.
        :raises TooLong: when the prompt does not fit its window.
        :raises ModelError: when it took none of several attempts, or sent something else.
        :raises FateUnknown: when it went silent.
        """
        from openai import APIStatusError

        dialect = known = self.dialect
        attempt = 0
        while True:
            try:
                completion = await self._post(
                    dialect.said(messages, schema), dialect.options(schema, limit), tokens
                )
            except _NotReached as error:
                await self._wait(attempt, str(error))
                attempt += 1
            except APIStatusError as error:
                status, words = error.status_code, words_of(error, self._endpoint.api_key)
                next_dialect = dialect.without(words) if is_of_form(status, words) else None
                if next_dialect is not None:
                    dialect = next_dialect
                    continue
                if not is_passing(status, words):
                    raise refusal(status, words, self._endpoint.base_url, self._endpoint.model) from None
                await self._wait(attempt, f"it answered {status}: {words[:300]}", error)
                attempt += 1
            else:
                # Only now: another refusal may have had another cause.
                learned = dialect.after_cut() if completion.cut else dialect
                if learned != known:
                    self.dialect = learned
                return completion

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _post(self, messages: list[dict[str, str]], options: dict[str, Any], tokens: int) -> Completion:
        """Send one request when its turn has come."""
        from openai import APIConnectionError, APIStatusError

        if self._client is None:
            self._client = connect(self._endpoint.base_url, self._endpoint.api_key, self._endpoint.timeout)
        async with self._slots, self._pace.turn(tokens) as turn:
            try:
                async with asyncio.timeout(self._endpoint.timeout):
                    # As text, since what a server sends may be anything; by the plain route, since the client's
                    # typed one walks through every schema of every request.
                    body = {"model": self._endpoint.model, "messages": messages, **options}
                    text = await self._client.post("/chat/completions", cast_to=str, body=body)
            except TimeoutError:
                raise FateUnknown(f"no reply came within {self._endpoint.timeout:g} seconds") from None
            except APIStatusError:
                turn.tokens = 0
                raise
            except APIConnectionError as error:
                cause = type(error.__cause__).__name__
                # By name: the client may sit on either of two libraries that use the same names.
                if cause in ("ConnectError", "ConnectTimeout"):
                    turn.tokens = 0
                    raise _NotReached("it cannot be reached") from None
                raise FateUnknown(f"the connection broke off ({cause})") from None
            completion = Completion.of(text).without(self._endpoint.api_key)
            turn.tokens = completion.tokens if completion.tokens is not None else tokens
            return completion

    async def _wait(self, attempt: int, why: str, error: APIStatusError | None = None) -> None:
        """Wait before the next attempt; raise when this was the last."""
        seconds = retry_after(error.response.headers) if error is not None else None
        if seconds is not None and seconds > MAX_WAIT:
            raise self._error(f"{why}, and asks to wait {seconds:.0f} seconds", "Try again after that")
        last = attempt >= len(BACKOFF)
        wait = BACKOFF[min(attempt, len(BACKOFF) - 1)] if seconds is None else seconds
        of_server = seconds is not None or (error is not None and error.status_code == 429)
        if of_server:
            # The server's limit, and so a matter of every request to it.
            self._pace.rest(wait)
        if last:
            raise self._error(f"{why}, {attempt + 1} times", "Try again later, or name another server")
        if not of_server:
            await self._timer.sleep(wait)

    def _error(self, why: str, do: str) -> ModelError:
        return ModelError(f"The server at {self._endpoint.base_url} did not answer", why, do)
