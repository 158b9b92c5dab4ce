"""One request to a chat-completions server, brought to a completion or to an error that says why not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from pinakes_ask.errors import ModelError, ModelRefused
from pinakes_ask.models.endpoint.completion import Completion
from pinakes_ask.models.endpoint.dialect import Dialect

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
    :param prompt_price: of a million prompt tokens, in any currency; None where it is not known.
    :param completion_price: of a million tokens of the reply.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 180.0
    concurrency: int = 4
    prompt_price: float | None = None
    completion_price: float | None = None


class FateUnknown(Exception):
    """The request was sent and no reply came: the server may have worked, and may charge for it."""


class Transport:
    """Sends requests, a bounded number at a time. It keeps what the server turned out to understand."""

    def __init__(self, endpoint: Endpoint, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._dialect = Dialect()
        self._client: AsyncOpenAI | None = None

    async def send(self, messages: list[dict[str, str]], schema: Mapping[str, Any], limit: int) -> Completion:
        """Return the completion of ``messages``.

        :raises ModelRefused: when the server takes no request at all of this key or for this model.
        :raises ModelError: when it took none of several attempts, or sent something else.
        :raises FateUnknown: when it went silent.
        """
        from openai import APIStatusError

        dialect, attempt = self._dialect, 0
        while True:
            try:
                async with self._slots, asyncio.timeout(self._endpoint.timeout):
                    body = await self._post(dialect.said(messages, schema), dialect.options(schema, limit))
            except TimeoutError:
                raise FateUnknown(f"no reply came within {self._endpoint.timeout:g} seconds") from None
            except _NotReached as error:
                await self._wait(attempt, None, str(error))
                attempt += 1
            except APIStatusError as error:
                status = error.status_code
                next_dialect = dialect.without(self._words(error)) if status in (400, 422) else None
                if next_dialect is not None:
                    dialect = next_dialect
                    continue
                if not (status in (408, 429) or status >= 500) or "insufficient_quota" in self._words(error):
                    raise self._refused(error) from None
                await self._wait(attempt, error, f"it answered {status}: {self._words(error)}")
                attempt += 1
            else:
                # Only now: another refusal may have had another cause.
                self._dialect = dialect
                return Completion.of(body)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _post(self, messages: list[dict[str, str]], options: dict[str, Any]) -> str:
        from openai import APIConnectionError

        completions: Any = self._connected().chat.completions
        try:
            # The raw text, since what a server sends may be anything.
            response = await completions.with_raw_response.create(
                model=self._endpoint.model, messages=messages, **options
            )
        except APIConnectionError as error:
            cause = type(error.__cause__).__name__
            # By name: the client may sit on either of two libraries that use the same names.
            if cause in ("ConnectError", "ConnectTimeout"):
                raise _NotReached("it cannot be reached") from None
            raise FateUnknown(f"the connection broke off ({cause})") from None
        return str(response.text)

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

            timeout = Timeout(self._endpoint.timeout, connect=min(10.0, self._endpoint.timeout))
            self._client = AsyncOpenAI(
                # The client refuses to be without a key; servers that need none ignore it.
                api_key=self._endpoint.api_key or "none",
                base_url=self._endpoint.base_url,
                timeout=timeout,
                max_retries=0,
                # Documents go to the server that the user named, and nowhere that it points to.
                http_client=DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout),
            )
            # The client takes these from the environment, and would name them to every server.
            self._client.organization = self._client.project = None
        return self._client

    async def _wait(self, attempt: int, error: APIStatusError | None, why: str) -> None:
        """Wait before the next attempt; raise when this was the last."""
        seconds = _retry_after(error.response.headers) if error is not None else None
        if attempt >= len(BACKOFF):
            raise self._error(f"{why}, {attempt + 1} times", "Try again later, or name another server")
        if seconds is not None and seconds > MAX_WAIT:
            raise self._error(f"{why}, and asks to wait {seconds:.0f} seconds", "Try again after that")
        await self._sleep(BACKOFF[attempt] if seconds is None else seconds)

    def _refused(self, error: APIStatusError) -> ModelError:
        what, name = f"The server at {self._endpoint.base_url} refused", self._endpoint.model
        match error.status_code:
            case 401 | 403:
                return ModelRefused(what, "the key was rejected", "Set PNK_ASK_API_KEY to a key of this server")
            case 404:
                return ModelRefused(
                    what,
                    f"the model {name!r} was not found there",
                    "Correct --model, or --base-url (often .../v1)",
                )
            case 429:
                return ModelRefused(what, "the quota of the key is used up", "Raise it, or use another key")
        words = self._words(error)
        return ModelError(
            what, f"it answered {error.status_code}: {words}", "Correct the model's settings, or ask less"
        )

    def _error(self, why: str, do: str) -> ModelError:
        return ModelError(f"The server at {self._endpoint.base_url} did not answer", why, do)

    def _words(self, error: APIStatusError) -> str:
        """The server's own words on one line, without the key, which some servers repeat."""
        try:
            body = json.dumps(error.body, ensure_ascii=False) if error.body else error.response.text
        except (TypeError, ValueError):
            body = error.response.text
        key = self._endpoint.api_key
        return " ".join((body.replace(key, "***") if key else body).split())[:300]


class _NotReached(Exception):
    """No connection came about, so nothing was sent."""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait; a date counts from the reply's own date."""
    text = headers.get("retry-after", "").strip()
    if text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return None
