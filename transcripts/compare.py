"""Where two records of one question part ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transcripts.record import Transcript, canonical

#: What of a record a replay must reproduce, in the order in which it came about.
REPRODUCIBLE = (
    "question", "confidence", "evidence", "searches", "exchanges", "plan", "rounds", "before_repair", "answer",
    "score", "status", "stop_reason", "failure", "warnings",
)  # fmt: skip
_SHOWN = 160


@dataclass(frozen=True)
class Difference:
    """One place where two values differ: its path in the record, and both values, None where there is none."""

    path: str
    before: str | None
    after: str | None

    def to_json(self) -> dict[str, str | None]:
        """Return ``{path, before, after}``."""
        return {"path": self.path, "before": self.before, "after": self.after}


def first_difference(before: Transcript, after: Transcript) -> Difference | None:
    """Return the first place where ``after`` is another run than ``before``, None where they are identical.

    Ids, dates, versions and what the calls took are left out: they say nothing of the reasoning.
    """
    left, right = before.model_dump(mode="json"), after.model_dump(mode="json")
    return next((found for part in REPRODUCIBLE for found in _differences(part, left[part], right[part])), None)


def _differences(path: str, left: Any, right: Any) -> Iterator[Difference]:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in dict.fromkeys([*left, *right]):
            if key in ("usage", "started") and path.startswith("exchanges"):
                continue
            if key in left and key in right:
                yield from _differences(f"{path}.{key}", left[key], right[key])
            else:
                yield Difference(f"{path}.{key}", _shown(left, key), _shown(right, key))
    elif isinstance(left, list) and isinstance(right, list):
        for index in range(max(len(left), len(right))):
            if index < len(left) and index < len(right):
                yield from _differences(f"{path}.{index + 1}", left[index], right[index])
            else:
                yield Difference(f"{path}.{index + 1}", _shown(left, index), _shown(right, index))
    elif left != right:
        yield Difference(path, _text(left), _text(right))


def _shown(values: Mapping[str, Any] | Sequence[Any], key: Any) -> str | None:
    try:
        return _text(values[key])
    except (KeyError, IndexError):
        return None


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
