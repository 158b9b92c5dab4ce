"""The replies that a record holds, found by what was asked."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Any

from transcripts.record import ExchangeInfo, canonical


class Replies:
    """Hands out every exchange once; of several with the same request, in their order."""

    def __init__(self, exchanges: Iterable[ExchangeInfo]) -> None:
        self._left: dict[str, deque[ExchangeInfo]] = defaultdict(deque)
        for exchange in exchanges:
            self._left[_key(exchange.kind, exchange.request)].append(exchange)

    def peek(self, kind: str, request: Mapping[str, Any]) -> ExchangeInfo | None:
        """Return the exchange that :meth:`take` would, and leave it."""
        queue = self._left.get(_key(kind, request))
        return queue[0] if queue else None

    def take(self, kind: str, request: Mapping[str, Any]) -> ExchangeInfo | None:
        """Return the next exchange with just this request, None where there is none left."""
        queue = self._left.get(_key(kind, request))
        return queue.popleft() if queue else None

    @property
    def left(self) -> list[ExchangeInfo]:
        """The exchanges that nobody took, in their order."""
        return sorted((one for queue in self._left.values() for one in queue), key=lambda one: one.number)


def _key(kind: str, request: Mapping[str, Any]) -> str:
    return canonical([kind, request])
