"""Checking short answers against the values that were compared."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from retrieval.text import Date, parse_date, parse_number
from scoring.identity import Names
from scoring.types import Branch, Extraction


def contradicts_values(extraction: Extraction, short_answer: str, names: Names) -> bool:
    """Return whether the compared values name another winner than ``short_answer``.

    False also where that cannot be told: the question's operator is unknown, a value is missing or
    neither a date nor a number, the values are tied, or the answer is none of the compared things.
    """
    branches = extraction.branches or ()
    if extraction.operator is None or len(branches) < 2:
        return False
    values = _comparable(branches)
    chosen = [
        place for place, branch in enumerate(branches) if names.key(branch.entity) == names.key(short_answer)
    ]
    if values is None or len(chosen) != 1:
        return False
    best = (min if extraction.operator == "least" else max)(values)
    tied = sum(value == best for value in values) > 1
    return not tied and values[chosen[0]] != best


def _comparable(branches: Sequence[Branch]) -> list[tuple[Decimal, ...]] | None:
    texts = [branch.value for branch in branches if branch.value is not None]
    if len(texts) < len(branches):
        return None
    dates = [parse_date(text) for text in texts]
    if all(date is not None for date in dates):
        return _as_precise_as_all([date for date in dates if date is not None])
    numbers = [parse_number(text) for text in texts]
    if all(number is not None for number in numbers):
        return [(number,) for number in numbers if number is not None]
    return None


def _as_precise_as_all(dates: list[Date]) -> list[tuple[Decimal, ...]]:
    """Cut every date to the precision of the least precise: "1946" says nothing of months."""
    parts = 3 if all(date.day for date in dates) else 2 if all(date.month for date in dates) else 1
    return [tuple(map(Decimal, (date.year, date.month, date.day)[:parts])) for date in dates]
