"""A worker as the process that writes sees it: messages go there, and whatever becomes of it shows here."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

from pinakes_ask.batch.errors import RunLost
from pinakes_ask.distributed.messages import Event, Sent
from pinakes_ask.distributed.worker import Opened, Opening, Worker

T = TypeVar("T")


class Place:
    """One worker, somewhere in the cluster that was joined.

    :ivar under_way: runs that are there now.
    :ivar machine: where it is, once it has found a place.
    """

    def __init__(self, opening: Opening) -> None:
        import ray

        # Never started again by Ray, nor asked twice: what was lost is known here, and begun anew here.
        actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")(Worker)
        self._actor: Any = actor.remote(opening)
        self.under_way = 0
        self.machine = ""
        self.lost = False

    async def find(self) -> None:
        """Wait until the worker has found a machine with a free processor.

        :raises RunLost: when it is lost before that.
        """
        self.machine = await self._said(self._actor.machine.remote())

    async def open(self) -> Opened:
        """Wait until the worker has opened what it works with, which takes long for a large library.

        :raises RunLost: when it is lost before that.
        """
        opened: Opened = await self._said(self._actor.open.remote())
        return opened

    async def begin(self, sent: Sent) -> Event:
        """Begin a run there; raises :class:`RunLost` when the worker is lost."""
        return await self._said(self._actor.begin.remote(sent))

    async def go_on(self, run: str) -> Event:
        """Let a run there go on; raises :class:`RunLost` when the worker is lost."""
        return await self._said(self._actor.go_on.remote(run))

    def drop(self, run: str) -> None:
        """End a run there, without waiting for it."""
        if not self.lost:
            self._actor.drop.remote(run)

    def end(self) -> None:
        """End the worker, wherever it is and whatever it does."""
        import ray

        self.lost = True
        ray.kill(self._actor)

    async def _said(self, reply: Awaitable[T]) -> T:
        """What the worker replies. A reply that comes after it was given up is never looked at."""
        from ray.exceptions import RayError, RayTaskError

        try:
            return await reply
        except RayTaskError as error:
            # A fault of the program there, which costs one question.
            raise error.cause from error
        except RayError as error:
            raise RunLost(
                "The question was not answered",
                f"the worker on {self.machine or 'some machine'} was lost ({str(error).strip().splitlines()[0]})",
                "Ask again with --retry-failed",
            ) from error
