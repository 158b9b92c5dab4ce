"""One worker of a cluster: a process that holds the library and the model, and brings runs to their end.

It writes nothing. After each call of the model it hands over what the run has, and the run waits until that
lies on the disk of the process that writes: so a worker may vanish at any moment, and no reply that was handed
over is paid again.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass

from pinakes_ask.asking import record_run
from pinakes_ask.distributed.handing import HandedRun
from pinakes_ask.distributed.messages import Ended, Event, Failed, Sent
from pinakes_ask.resuming import resume
from pinakes_ask.seams import Clock, LanguageModel, SystemClock
from pinakes_ask.threads import in_thread
from retrieval.protocols import Searcher
from retrieval.text.errors import PinakesAskError
from transcripts.record import Transcript


@dataclass(frozen=True)
class Opening:
    """How a worker opens what it works with. Both are called on its machine, and raise what is wrong there."""

    library: Callable[[], Searcher]
    model: Callable[[], LanguageModel]


@dataclass(frozen=True)
class Opened:
    """What a worker found on its machine. ``problem`` is why it cannot work, None where it can."""

    fingerprint: str = ""
    problem: PinakesAskError | None = None


class Worker:
    """Runs questions for one process elsewhere, which calls its methods one run at a time, many runs at once."""

    def __init__(self, opening: Opening, clock: Clock | None = None) -> None:
        self._opening = opening
        self._clock = clock or SystemClock()
        self._searcher: Searcher
        self._model: LanguageModel
        self._runs: dict[str, HandedRun] = {}

    async def machine(self) -> str:
        """Return the name of the machine that the worker found a place on."""
        return platform.node()

    async def open(self) -> Opened:
        """Open library and model, and say how that went."""
        try:
            self._searcher = await in_thread(self._opening.library)
            self._model = self._opening.model()
        except PinakesAskError as error:
            return Opened(problem=error)
        return Opened(self._searcher.fingerprint)

    async def begin(self, sent: Sent) -> Event:
        """Begin a run, or take it up, and return what it hands over first."""
        run = self._runs[sent.run] = HandedRun(sent.allowance)
        run.begin(self._answer(sent, run))
        return await self._next(sent.run)

    async def go_on(self, run: str) -> Event:
        """Let a run go on, since what it handed over is kept, and return what it hands over next."""
        self._runs[run].go_on()
        return await self._next(run)

    async def drop(self, run: str) -> None:
        """End a run that nobody waits for any more; one that has ended is none."""
        dropped = self._runs.pop(run, None)
        if dropped is not None:
            await dropped.end()

    async def _next(self, name: str) -> Event:
        run = self._runs[name]
        try:
            return await run.next()
        finally:
            if run.over:
                self._runs.pop(name, None)

    async def _answer(self, sent: Sent, run: HandedRun) -> Event:
        heading = sent.heading
        try:
            if sent.checkpoint:
                outcome = await resume(
                    Transcript.model_validate_json(sent.checkpoint),
                    self._model,
                    searcher=self._searcher,
                    clock=self._clock,
                    asks=None,
                    parent=run.allowance,
                    keeper=run,
                )
            else:
                outcome = await record_run(
                    sent.question,
                    heading,
                    searcher=self._searcher,
                    model=self._model,
                    clock=self._clock,
                    asks=None,
                    parent=run.allowance,
                    keeper=run,
                )
        except PinakesAskError as error:
            return Failed(error, run.allowance.spent)
        return Ended(outcome.transcript.model_dump_json(), run.path, run.allowance.spent)
