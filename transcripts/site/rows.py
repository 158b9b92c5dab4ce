"""The list of runs as its page carries it: small enough that ten thousand rows stay quick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from transcripts.site.wording import plain
from transcripts.summary import Summary

#: What the page's script knows of a run, and where a summary keeps it. The names also stand in the address.
_FIELDS = {
    "id": "id",
    "created": "created",
    "question": "question",
    "short": "short_answer",
    "status": "status",
    "class": "failure_class",
    "c": "completeness",
    "e": "essentiality",
    "d": "determinateness",
    "review": "review",
    "model": "model",
}


@dataclass(frozen=True)
class Choices:
    """What can be filtered by: each value that occurs ("" for none) and how often, the commonest first."""

    status: tuple[tuple[str, int], ...]
    failure: tuple[tuple[str, int], ...]
    review: tuple[tuple[str, int], ...]


def choices(runs: Sequence[Summary]) -> Choices:
    """Return the values to filter ``runs`` by."""
    return Choices(
        _counted(run.status for run in runs),
        _counted(run.failure_class or "" for run in runs),
        _counted(run.review or "" for run in runs),
    )


def as_data(runs: Sequence[Summary]) -> dict[str, list[Any]]:
    """Return ``runs`` for the page's script: the names once, then the values."""
    return {
        "fields": list(_FIELDS),
        "rows": [[_plain_value(getattr(run, name)) for name in _FIELDS.values()] for run in runs],
    }


def in_words(runs: Sequence[Summary]) -> str:
    """Return how many runs there are of each status, and how many somebody judged."""
    if not runs:
        return "no runs"
    statuses = ", ".join(f"{count} {plain(name)}" for name, count in _counted(run.status for run in runs))
    return f"{statuses} · {sum(bool(run.review) for run in runs)} of {len(runs)} reviewed"


def _counted(values: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))


def _plain_value(value: Any) -> str | float | None:
    """A text, a number or None; a record that is no longer whole may hold anything there."""
    return value if value is None or isinstance(value, str | int | float) else str(value)
