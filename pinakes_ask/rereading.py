"""From a record back to what the loop was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar

from pinakes_ask.budget import Limits
from pinakes_ask.recording import Heading
from pinakes_ask.settings import LoopSettings, Settings
from retrieval.types import Filters
from transcripts.record import Transcript

T = TypeVar("T", LoopSettings, Limits, Filters, Settings)


def settings_of(record: Transcript) -> Settings:
    """Return the settings of the recorded run; what it did not know yet has its default."""
    given = {name: value for name, value in record.settings.items() if name not in ("loop", "limits", "filters")}
    loop = _known(LoopSettings, record.settings.get("loop", {}))
    return replace(_known(Settings, given), loop=loop, limits=_known(Limits, record.settings.get("limits", {})))


def filters_of(record: Transcript) -> Filters | None:
    """Return the filters of the recorded run, None where it had none."""
    given: dict[str, Any] = dict(record.settings.get("filters") or {})
    for name in ("modified_after", "modified_before"):
        if isinstance(given.get(name), str):
            given[name] = datetime.fromisoformat(given[name])
    if "tags" in given:
        given["tags"] = tuple(given["tags"])
    return _known(Filters, given) if given else None


def heading_of(record: Transcript) -> Heading:
    """Return the heading under which the recorded run began."""
    return Heading(
        record.id, record.created, settings_of(record), filters_of(record), record.model, record.library
    )


def _known(kind: type[T], values: Mapping[str, Any]) -> T:
    names = {one.name for one in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in names})
