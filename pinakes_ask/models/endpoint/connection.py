"""The client of one server, which tells it nothing that the environment says of who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinakes_ask import __version__

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: Seconds until a server must have taken a connection.
_CONNECT = 10.0
#: What a request for JSON needs.
_NEEDED = frozenset(
    {"host", "connection", "accept", "accept-encoding", "user-agent", "content-type", "content-length"}
)


def connect(base_url: str, api_key: str | None, seconds: float) -> AsyncOpenAI:
    """Return a client that sends to ``base_url``, never tries again by itself, and follows no redirect.

    :param seconds: until a request is given up.
    """
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Omit, Timeout

    class Client(AsyncOpenAI):
        @property
        def default_headers(self) -> dict[str, str | Omit]:
            # The client's own would add what OPENAI_* variables say, in whatever characters.
            kind = "application/json"
            return {"Accept": kind, "Content-Type": kind, "User-Agent": f"pinakes-ask/{__version__}"}

    async def keep_what_is_needed(request: Any) -> None:
        for name in {*request.headers} - _NEEDED:
            del request.headers[name]
        if api_key:
            request.headers["Authorization"] = f"Bearer {api_key}"

    timeout = Timeout(seconds, connect=min(_CONNECT, seconds))
    return Client(
        # The client refuses to be without a key, and would look for one in the environment.
        api_key=api_key or "none",
        base_url=base_url,
        timeout=timeout,
        max_retries=0,
        # Documents go to the server that the user named, and nowhere that it points to.
        http_client=DefaultAsyncHttpxClient(
            follow_redirects=False, timeout=timeout, event_hooks={"request": [keep_what_is_needed]}
        ),
    )
