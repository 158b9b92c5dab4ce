"""Work that holds up no other run: in a thread, and brought to its end whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return ``work(...)``, done in another thread.

    A cancellation meanwhile is not lost: it arrives at the caller's next wait, as it would had the
    work been done in place. So a file is never left half written, nor a search half noted.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    caller = asyncio.current_task()
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
            if caller is not None:
                caller.uncancel()
    if cancelled and caller is not None:
        caller.cancel()
    return task.result()
