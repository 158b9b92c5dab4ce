"""A run on a worker that hands over what it has after each call, and goes on when that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from pinakes_ask.batch.ledger import Total
from pinakes_ask.distributed.allowance import Allowance
from pinakes_ask.distributed.messages import Event, Kept
from pinakes_ask.keeping import Outcome
from transcripts.record import Transcript


class HandedRun:
    """A run under way, and what keeps its record: it is handed over instead of being written.

    :ivar allowance: what the run may take, and what it took.
    :ivar path: of the record, once the run has one.
    """

    def __init__(self, allowance: Total | None) -> None:
        self.allowance = Allowance(allowance)
        self.path: dict[str, Any] = {}
        self._handed: asyncio.Queue[Kept] = asyncio.Queue()
        self._going = asyncio.Event()
        self._dropped = False
        self._task: asyncio.Future[Event] = asyncio.get_running_loop().create_future()

    @property
    def over(self) -> bool:
        """Whether the run has ended and nothing of it is left to hand over."""
        return self._task.done() and self._handed.empty()

    def begin(self, answer: Coroutine[Any, Any, Event]) -> None:
        """Begin the run, whose last event ``answer`` returns."""
        self._task = asyncio.ensure_future(answer)

    def go_on(self) -> None:
        """Let the run go on."""
        self._going.set()

    async def next(self) -> Event:
        """Return what the run hands over next, its last event at its end; raise what it failed with."""
        handed = asyncio.create_task(self._handed.get())
        both: set[asyncio.Future[Any]] = {handed, self._task}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if handed.done():
            return handed.result()
        handed.cancel()
        return self._task.result()

    async def end(self) -> None:
        """End the run where it is: its call is broken off, and it makes no other."""
        self._dropped = True
        self.allowance.stop()
        self._going.set()
        self._task.cancel()
        await asyncio.wait([self._task])

    async def keep(self, transcript: Transcript) -> None:
        """Hand over what the run has so far, and wait until it is kept."""
        if self._dropped:
            return
        self._going.clear()
        self._handed.put_nowait(Kept(transcript.sealed().model_dump_json(), self.allowance.spent))
        await self._going.wait()

    async def save(self, transcript: Transcript, path: Mapping[str, Any], *, commit: bool) -> Outcome:
        """Leave the record to whoever keeps it."""
        self.path = dict(path)
        return Outcome(transcript, None)

    def close(self) -> None:
        """Nothing is held here."""
