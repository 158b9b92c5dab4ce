"""Numbers in text: found with their offsets, compared by value."""

from __future__ import annotations

import re
from decimal import Decimal

from retrieval.text.dates import find_dates

Number = Decimal

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>[-\u2212]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-\u2212]?\d+(?:\.\d+)?)"
    rf"(?:[ -](?P<scale>{'|'.join(_SCALES)})s?)?(?![\w])"
    rf"|\b(?P<word>(?:{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
    r"(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)"
    rf"\b(?:[ -](?P<word_scale>{'|'.join(_SCALES)})s?\b)?",
    re.IGNORECASE,
)


def find_numbers(text: str) -> list[tuple[Number, int, int]]:
    """Return ``(value, start, end)`` of every number in ``text``: digits, or small numbers in words.

    ``35,000``, ``3.5 million`` and ``forty-two`` are understood. Dates are numbers here too;
    :func:`find_amounts` leaves them out.
    """
    found: list[tuple[Number, int, int]] = []
    for match in _NUMBER.finditer(text):
        if digits := match.group("digits"):
            value = Decimal(digits.replace(",", "").replace("\u2212", "-"))
        else:
            value = Decimal(sum(_SMALL[part] for part in match.group("word").lower().split("-")))
        scale = match.group("scale") or match.group("word_scale")
        value *= _SCALES[scale.lower()] if scale else 1
        found.append((value, match.start(), match.end()))
    return found


def find_amounts(text: str) -> list[tuple[Number, int, int]]:
    """Return ``(value, start, end)`` of every number in ``text`` that is no part of a date."""
    dates = find_dates(text)
    return [
        (value, start, end)
        for value, start, end in find_numbers(text)
        if not any(start < last and first < end for _, first, last in dates)
    ]


def parse_number(text: str) -> Number | None:
    """Return the number that ``text`` consists of, or None where it says more or something else."""
    stripped = text.strip().rstrip(".")
    found = find_numbers(stripped)
    if len(found) == 1 and found[0][1:] == (0, len(stripped)):
        return found[0][0]
    return None
