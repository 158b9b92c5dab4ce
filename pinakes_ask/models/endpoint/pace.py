"""When the next request may be sent: within what a server takes in a minute, and not while it asked for rest.

Requests are counted in a sliding window. A bucket that refills, which most libraries have, lets its whole
capacity through at once and its refill in the same minute, up to twice what was meant.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

#: Seconds that a request counts after its end. It reached its server at some moment before that.
WINDOW = 60.0


class Timer(Protocol):
    """Measures and waits seconds."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class LoopTimer:
    """The time of the running event loop."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


@dataclass(eq=False)
class Turn:
    """A request that may be sent. ``tokens`` are its worst case, until somebody sets what it took."""

    tokens: int
    ended: float = math.inf


class Pace:
    """Gives turns, in the order in which they were asked for. All requests to one server share one.

    :param requests: of which no more reach the server in any minute; None for no limit.
    :param tokens: likewise, prompts and replies together; a request larger than that has its turn when
        no other is in the window.
    """

    def __init__(self, timer: Timer, requests: int | None = None, tokens: int | None = None) -> None:
        self._timer = timer
        self._requests = math.inf if requests is None else requests
        self._tokens = math.inf if tokens is None else tokens
        self._under_way: set[Turn] = set()
        # Those in the window, in the order of their ends, and what they took: at full speed there are many.
        self._ended: deque[Turn] = deque()
        self._taken = 0
        self._resting_until = -math.inf
        self._order = asyncio.Lock()
        self._one_ended = asyncio.Event()

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[Turn]:
        """Wait for a turn to send a request that can take ``tokens``, and hold it while that is on its way."""
        async with self._order:
            while (seconds := self._seconds_to_wait(tokens)) > 0:
                if math.isfinite(seconds):
                    await self._timer.sleep(seconds)
                else:
                    self._one_ended.clear()
                    await self._one_ended.wait()
            turn = Turn(tokens)
            self._under_way.add(turn)
        try:
            yield turn
        finally:
            self._end(turn)
            self._one_ended.set()

    def rest(self, seconds: float) -> None:
        """Give no turn for so long."""
        self._resting_until = max(self._resting_until, self._timer.now() + seconds)

    def _end(self, turn: Turn) -> None:
        turn.ended = self._timer.now()
        self._under_way.remove(turn)
        self._ended.append(turn)
        self._taken += turn.tokens

    def _seconds_to_wait(self, tokens: int) -> float:
        """Seconds until it is worth looking again; endless while only the end of a request can help."""
        now = self._timer.now()
        while self._ended and self._ended[0].ended + WINDOW <= now:
            self._taken -= self._ended.popleft().tokens
        resting = self._resting_until - now
        count = len(self._ended) + len(self._under_way)
        taken = self._taken + sum(turn.tokens for turn in self._under_way)
        if count < self._requests and (not count or taken + tokens <= self._tokens):
            return resting
        return max(resting, self._ended[0].ended + WINDOW - now) if self._ended else math.inf
