"""Asking many questions at once over one library and one model, a row for each as it ends."""

from __future__ import annotations

import asyncio
import heapq
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pinakes_ask.batch.account import NotStarted, QuestionAccount
from pinakes_ask.batch.errors import BatchError, Stopped
from pinakes_ask.batch.ledger import Ledger
from pinakes_ask.batch.questions import Item
from pinakes_ask.batch.rows import failed_row
from pinakes_ask.batch.tally import Tally
from pinakes_ask.errors import LibraryError, ModelRefused, QuestionError
from pinakes_ask.seams import Clock
from retrieval.text.errors import PinakesAskError

#: Seconds that questions under way may take for the call they are at, once the batch was told to stop.
GRACE = 20.0
#: Why questions were left without a row.
Left = Literal["budget", "deadline", "stopped", "error"]
Row = dict[str, Any]


class Record(Protocol):
    """Keeps rows."""

    def append(self, row: Row) -> None:
        """Keep a row, and return when it is on the disk; called from another thread, one call at a time."""

    def written(self, item: Item) -> None:
        """Hear that the row of a question is kept."""


@dataclass
class Ended:
    """How a batch ended. ``left`` counts the questions without a row, and ``why`` says why there are any."""

    tally: Tally = field(default_factory=Tally)
    left: int = 0
    why: Left | None = None
    error: PinakesAskError | None = None
    transcripts: list[str] = field(default_factory=list)


class Runner:
    """Asks questions, at most ``jobs`` at a time.

    :param ask: answers one question within an account and returns its row.
    :param until: the moment of the clock from which on no further question is begun.
    :param ordered: write rows in the order of the questions instead of as they end.
    :param watch: hears of everything worth a line in a log.
    :param progress: hears how many questions are done.
    """

    def __init__(
        self,
        items: Sequence[Item],
        ask: Callable[[Item, QuestionAccount], Awaitable[Row]],
        record: Record,
        ledger: Ledger,
        clock: Clock,
        *,
        settings: str,
        jobs: int,
        ordered: bool = False,
        until: float | None = None,
        grace: float = GRACE,
        watch: Callable[[str], None] = lambda event: None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        self._items = items
        self._ask = ask
        self._record = record
        self._ledger = ledger
        self._clock = clock
        self._settings = settings
        self._jobs = jobs
        self._ordered = ordered
        self._until = until
        self._grace = grace
        self._watch = watch
        self._progress = progress
        self._waiting = list(range(len(items)))
        self._running: dict[asyncio.Task[Row], int] = {}
        self._finished: dict[int, Row] = {}
        self._next = 0
        self._blocked = False
        self._stopping = asyncio.Event()
        self._cut = asyncio.Event()
        self.ended = Ended()

    def stop(self) -> None:
        """Begin nothing more, and end when the calls under way have. A second time: end now."""
        (self._cut if self._stopping.is_set() else self._stopping).set()

    async def run(self) -> Ended:
        """Ask all questions, and return how that went."""
        try:
            while self._waiting or self._running:
                self._begin()
                if not self._running:
                    break
                await self._take_all(await self._some())
            await self._flush()
        finally:
            await self._abandon()
        self.ended.left = len(self._items) - self.ended.tally.rows
        return self.ended

    def _begin(self) -> None:
        """Begin as many questions as may be under way."""
        if self._waiting and self._until is not None and self._clock.monotonic() >= self._until:
            self._leave("deadline")
        if self._waiting and self._blocked and not self._running:
            self._leave("budget")
        if self._waiting and self._stopping.is_set():
            self._leave("stopped")
        while self._waiting and not self._blocked and len(self._running) < self._jobs:
            index = heapq.heappop(self._waiting)
            self._running[asyncio.create_task(self._one(self._items[index]))] = index

    async def _one(self, item: Item) -> Row:
        if item.problem:
            return failed_row(item, self._settings, "invalid_question", item.problem)
        account = QuestionAccount(self._ledger, self._stopping.is_set)
        try:
            return await self._ask(item, account)
        finally:
            account.close()

    async def _some(self) -> list[asyncio.Task[Row]]:
        """Wait until at least one question has ended, in order of the questions."""
        signals = [asyncio.create_task(one.wait()) for one in (self._stopping, self._cut) if not one.is_set()]
        patience = self._grace if self._stopping.is_set() and not self._cut.is_set() else None
        try:
            done, _ = await asyncio.wait(
                {*self._running, *signals}, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for one in signals:
                one.cancel()
        if self._cut.is_set() or (patience is not None and not done):
            self._cut.set()
            for task in self._running:
                task.cancel()
        return sorted((one for one in self._running if one.done()), key=self._running.__getitem__)

    async def _take_all(self, ended: Sequence[asyncio.Task[Row]]) -> None:
        """Take what ended. A question that did not fit the budget waits until another one has ended."""
        refused = [one for one in ended if not one.cancelled() and isinstance(one.exception(), NotStarted)]
        for task in refused:
            heapq.heappush(self._waiting, self._running.pop(task))
        others = [one for one in ended if one not in refused]
        self._blocked = bool(refused) and not others
        for task in others:
            try:
                await self._take(self._running.pop(task), task)
            except BatchError as error:
                # The row is lost, its run is not: the next start finds it.
                self._fail(error)

    async def _take(self, index: int, task: asyncio.Task[Row]) -> None:
        """Turn what became of a question into its row, or leave the question for another start."""
        item = self._items[index]
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or isinstance(error, Stopped):
            self._watch(f"{item.id}: stopped; what it has is kept")
            self.ended.why = self.ended.why or "stopped"
            return
        if isinstance(error, (BatchError, ModelRefused)):
            self._fail(error)
            return
        self._finished[index] = task.result() if error is None else self._failed(item, error)
        if self._ordered:
            while self._next in self._finished:
                await self._write(self._next)
                self._next += 1
        else:
            await self._write(index)

    def _failed(self, item: Item, error: BaseException) -> Row:
        """The row of a question that ended in an error. A fault of the program costs one question, not all."""
        match error:
            case QuestionError():
                return failed_row(item, self._settings, "invalid_question", str(error))
            case LibraryError():
                return failed_row(item, self._settings, "library", str(error))
            case PinakesAskError():
                return failed_row(item, self._settings, "run_failed", str(error))
        self._watch("".join(traceback.format_exception(error)))
        return failed_row(item, self._settings, "internal", f"{type(error).__name__}: {error}")

    async def _write(self, index: int) -> None:
        row = self._finished.pop(index)
        # The disk may take its time, and other questions need not wait for it.
        await asyncio.to_thread(self._record.append, row)
        self._record.written(self._items[index])
        self.ended.tally.add(row)
        if row["transcript"]:
            self.ended.transcripts.append(row["transcript"])
        said = f": {row['error']['message']}" if row["error"] else ""
        self._watch(f"{row['id']}: {row['status']} in {row['usage']['seconds']:.1f} s{said}")
        self._progress(self.ended.tally.rows)

    async def _flush(self) -> None:
        """Write what waited for earlier questions that will not come."""
        for index in sorted(self._finished):
            try:
                await self._write(index)
            except BatchError as error:
                self._fail(error)

    def _leave(self, why: Left) -> None:
        self._waiting.clear()
        self.ended.why = self.ended.why or why

    def _fail(self, error: PinakesAskError) -> None:
        """No further call can succeed, or no further row be kept: begin nothing more."""
        self.ended.error = self.ended.error or error
        self.ended.why = "error"
        self._waiting.clear()
        self._stopping.set()

    async def _abandon(self) -> None:
        """End what is still under way, when the batch itself was ended."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
