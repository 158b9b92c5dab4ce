"""Dates in text: found with their offsets, compared by value."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_ERA = r"(?:\s?(?P<era>BCE|BC|B\.C\.|CE|AD|A\.D\.))?"
_YEAR = r"(?P<year>\d{3,4}|\d{1,2}(?=\s?(?:BCE|BC|CE|AD|B\.C\.|A\.D\.)))"
_FLAGS = re.IGNORECASE
_PATTERNS = (
    re.compile(r"\b(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>3[01]|[12]\d|0[1-9])\b"),
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b{_ERA}", _FLAGS),
    re.compile(rf"\b{_MONTH}\s+{_DAY}\s*,?\s+{_YEAR}\b{_ERA}", _FLAGS),
    re.compile(rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b{_ERA}", _FLAGS),
    re.compile(r"(?<![\d.,$£€-])\b(?P<year>1\d{3}|20\d{2})s?\b(?![\d%]|,\d{3}|\.\d)" + _ERA, _FLAGS),
    # Years of three digits and years before our era need a word that says they are years.
    re.compile(
        r"(?:\b(?:in|since|until|from|around|circa|year|died|born|AD|before|after|by|and|to)|\bc\.|\bd\.|\bb\.|[\u2013(])"
        r"\s?(?P<year>[1-9]\d{2})\b(?![\d%,.]\d|\s+(?:[a-z]{3,}))" + _ERA,
        _FLAGS,
    ),
    re.compile(r"\b(?P<year>\d{1,4})\s?(?P<era>BCE|BC|B\.C\.)"),
)


@dataclass(frozen=True, order=True)
class Date:
    """A date as precise as the text states it; ``month`` and ``day`` are 0 when unstated.

    Years before our era are negative. Dates order by value; where one is less precise than the
    other (a year against a day in it) the less precise one comes first.
    """

    year: int
    month: int = 0
    day: int = 0

    @property
    def iso(self) -> str:
        """``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``, with a minus sign before our era."""
        sign = "-" if self.year < 0 else ""
        parts = [f"{sign}{abs(self.year):04d}"]
        if self.month:
            parts.append(f"{self.month:02d}")
            if self.day:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)


def find_dates(text: str) -> list[tuple[Date, int, int]]:
    """Return ``(date, start, end)`` of every date in ``text``, in order and without overlap."""
    found: list[tuple[Date, int, int]] = []
    taken = bytearray(len(text))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start = min(match.start(name) for name in match.groupdict() if match.group(name))
            end = match.end()
            if any(taken[start:end]):
                continue
            taken[start:end] = b"\x01" * (end - start)
            found.append((_date(match), start, end))
    return sorted(found, key=lambda item: item[1])


def parse_date(text: str) -> Date | None:
    """Return the date that ``text`` consists of, or None where it says more or something else."""
    stripped = text.strip().strip(".,;()")
    found = find_dates(stripped)
    if len(found) == 1 and found[0][1] == 0 and found[0][2] == len(stripped):
        return found[0][0]
    return None


def _date(match: re.Match[str]) -> Date:
    groups = match.groupdict()
    month = groups.get("month") or ""
    year = int(groups["year"])
    if (groups.get("era") or "").upper().startswith("B"):
        year = -year
    return Date(year, _MONTHS.get(month.lower()) or int(month or 0), int(groups.get("day") or 0))
