"""The workers of one batch: started, given runs, and replaced where they are lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Self, cast

from pinakes_ask.batch.errors import RunLost
from pinakes_ask.distributed.errors import ClusterUnusable, NoWorkerLeft
from pinakes_ask.distributed.place import Place
from pinakes_ask.distributed.worker import Opened, Opening

#: Seconds that workers have to find a place; and to come back to one when all were lost. Opening takes its time.
START, COME_BACK = 180.0, 120.0
#: Seconds between two attempts to start a worker.
_PAUSE = 2.0
_WHAT = "The questions were not asked"


class Fleet:
    """Workers in the cluster that was joined. Use it as an async context manager.

    :param count: how many workers.
    :param jobs: runs at once on each.
    :param fingerprint: of the library as this process sees it; a worker must see the same.
    :param watch: hears of workers that are lost and that come.
    """

    def __init__(
        self,
        opening: Opening,
        count: int,
        jobs: int,
        fingerprint: str,
        *,
        watch: Callable[[str], None] = lambda event: None,
        start: float = START,
        come_back: float = COME_BACK,
    ) -> None:
        self._opening = opening
        self._count = count
        self._jobs = jobs
        self._fingerprint = fingerprint
        self._watch = watch
        self._start = start
        self._come_back = come_back
        self._places: list[Place] = []
        self._coming: set[asyncio.Task[None]] = set()
        self._arriving = 0
        self._changed = asyncio.Condition()

    @property
    def size(self) -> int:
        """How many workers there are now."""
        return len(self._places)

    async def __aenter__(self) -> Self:
        """Start the workers.

        :raises ClusterUnusable: when one cannot open the library or the model, or none comes in time.
        """
        places = [Place(self._opening) for _ in range(self._count)]
        finding = {asyncio.create_task(place.find()): place for place in places}
        found, late = await asyncio.wait(finding, timeout=self._start)
        for task in late:
            task.cancel()
            finding[task].end()
        try:
            self._check_found([task for task in finding if task in found])
            self._places = [finding[task] for task in finding if task in found]
            self._check_opened(await asyncio.gather(*(one.open() for one in self._places), return_exceptions=True))
        except ClusterUnusable:
            for place in places:
                place.end()
            raise
        if late:
            self._watch(f"{len(late)} of {self._count} workers found no place in the cluster; the others go on")
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in self._coming:
            task.cancel()
        await asyncio.gather(*self._coming, return_exceptions=True)
        for place in self._places:
            place.end()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Place]:
        """Yield the worker with the fewest runs, and hold a place for a run there.

        :raises NoWorkerLeft: when all workers were lost and none came back in time.
        :raises RunLost: passed on, when the worker is lost; another one is started in its place.
        """
        place = await self._free()
        place.under_way += 1
        try:
            yield place
        except RunLost as lost:
            self._lose(place, lost.why)
            raise
        finally:
            place.under_way -= 1
            async with self._changed:
                self._changed.notify_all()

    async def _free(self) -> Place:
        async with self._changed:
            while True:
                free = [place for place in self._places if place.under_way < self._jobs]
                if free:
                    return min(free, key=lambda place: place.under_way)
                if self._places:
                    await self._changed.wait()
                    continue
                try:
                    async with asyncio.timeout(self._come_back):
                        await self._changed.wait_for(lambda: self._places or not self._coming)
                except TimeoutError:
                    if self._arriving:
                        continue
                    raise self._none_left(f"none came back within {self._come_back:.0f} seconds") from None
                if not self._places:
                    raise self._none_left("none that came in their place could work")

    def _lose(self, place: Place, why: str) -> None:
        """Give a worker up, once, and start another one in its place."""
        if place.lost:
            return
        self._places.remove(place)
        place.end()
        self._watch(why)
        self._coming.add(asyncio.create_task(self._replace()))

    async def _replace(self) -> None:
        """Start a worker, again where it is lost as well: a machine that dies takes some of these with it."""
        place, problem = await self._another()
        if problem:
            place.end()
            self._watch(f"no worker came in place of the lost one: {problem}")
        else:
            self._places.append(place)
            self._watch(f"a worker on {place.machine} came in place of the lost one")
        self._coming.discard(cast("asyncio.Task[None]", asyncio.current_task()))
        async with self._changed:
            self._changed.notify_all()

    async def _another(self) -> tuple[Place, str]:
        """Return a worker that has opened what it works with, or the problem that keeps it from that."""
        while True:
            place = Place(self._opening)
            try:
                await place.find()
                self._arriving += 1
                try:
                    return place, self._problem(place, await place.open())
                finally:
                    self._arriving -= 1
            except RunLost as lost:
                self._watch(lost.why)
                await asyncio.sleep(_PAUSE)
            except asyncio.CancelledError:
                place.end()
                raise

    def _check_found(self, found: Sequence[asyncio.Task[None]]) -> None:
        if not found:
            raise ClusterUnusable(
                _WHAT,
                f"no worker found a place in the cluster within {self._start:.0f} seconds",
                "Free a processor in it, or wait until another job has ended",
            )
        for task in found:
            if isinstance(error := task.exception(), RunLost):
                raise _lost_at_start(error) from error
            task.result()

    def _check_opened(self, opened: Sequence[Opened | BaseException]) -> None:
        for place, one in zip(self._places, opened, strict=True):
            if isinstance(one, RunLost):
                raise _lost_at_start(one) from one
            if isinstance(one, BaseException):
                raise one
            problem = self._problem(place, one)
            if problem:
                raise ClusterUnusable(
                    _WHAT,
                    problem,
                    "Keep the library where every machine sees it under the same path, such as on a shared file "
                    "system, and what a worker needs in the environment of `ray start`",
                )

    def _problem(self, place: Place, opened: Opened) -> str:
        """Why a worker cannot work, or nothing."""
        if opened.problem is not None:
            return f"the worker on {place.machine} cannot begin: {opened.problem.what}: {opened.problem.why}"
        if opened.fingerprint != self._fingerprint:
            return f"the worker on {place.machine} sees another state of the library than this machine"
        return ""

    def _none_left(self, why: str) -> NoWorkerLeft:
        return NoWorkerLeft(
            "The batch ended early",
            f"all its workers were lost and {why}",
            "Look after the cluster and start again",
        )


def _lost_at_start(error: RunLost) -> ClusterUnusable:
    return ClusterUnusable(_WHAT, f"{error.why} at its start", "See Ray's logs")
