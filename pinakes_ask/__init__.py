"""Ask hard questions of your own documents, and check the answer's reasoning.

::

    from pathlib import Path

    from pinakes_ask import Library, ask, sync

    sync(Path("notes"))
    with Library.open(Path("notes")) as library:
        outcome = ask("Where was the composer of The Lantern Suite born?", library)
    print(outcome.transcript.answer.short_answer)

What is listed in ``__all__`` is the public interface; LogicScore alone is :mod:`scoring`. Names are
imported when they are first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pinakes_ask.api import ask, ask_async
    from pinakes_ask.asking import Outcome
    from pinakes_ask.budget import Limits
    from pinakes_ask.models.endpoint.client import EndpointModel
    from pinakes_ask.models.endpoint.transport import Endpoint
    from pinakes_ask.models.extractive.model import ExtractiveModel
    from pinakes_ask.settings import LoopSettings, Settings
    from retrieval.library import Library
    from retrieval.syncing import sync
    from retrieval.text.errors import PinakesAskError
    from retrieval.types import Filters
    from transcripts.record import Transcript

__version__ = "0.1.0"

__all__ = [
    "Endpoint",
    "EndpointModel",
    "ExtractiveModel",
    "Filters",
    "Library",
    "Limits",
    "LoopSettings",
    "Outcome",
    "PinakesAskError",
    "Settings",
    "Transcript",
    "__version__",
    "ask",
    "ask_async",
    "sync",
]

_HOMES = {
    "Endpoint": "pinakes_ask.models.endpoint.transport",
    "EndpointModel": "pinakes_ask.models.endpoint.client",
    "ExtractiveModel": "pinakes_ask.models.extractive.model",
    "Filters": "retrieval.types",
    "Library": "retrieval.library",
    "Limits": "pinakes_ask.budget",
    "LoopSettings": "pinakes_ask.settings",
    "Outcome": "pinakes_ask.asking",
    "PinakesAskError": "retrieval.text.errors",
    "Settings": "pinakes_ask.settings",
    "Transcript": "transcripts.record",
    "ask": "pinakes_ask.api",
    "ask_async": "pinakes_ask.api",
    "sync": "retrieval.syncing",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
