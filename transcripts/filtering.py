"""Choosing and ordering rows of records."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from retrieval.errors import UsageError
from transcripts.summary import MEASURES, Summary

_CONDITION = re.compile(r"\s*([CEDced])\s*(<=|>=|!=|<|>|=)\s*(null|\d*\.?\d+)\s*")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
_LETTERS = {measure[0].upper(): measure for measure in MEASURES}
STATUSES = ("answered", "partial", "no_evidence", "failed")
REVIEWS = ("accept", "reject", "none")
SORTS: dict[str, Callable[[Summary], Any]] = {
    "date": lambda run: (run.created, run.id),
    "question": lambda run: run.question.casefold(),
    "status": lambda run: STATUSES.index(run.status) if run.status in STATUSES else len(STATUSES),
    "completeness": lambda run: run.completeness,
    "essentiality": lambda run: run.essentiality,
    "determinateness": lambda run: run.determinateness,
    "class": lambda run: run.failure_class,
    "cost": lambda run: run.cost,
    "calls": lambda run: run.calls,
    "seconds": lambda run: run.seconds,
}


@dataclass(frozen=True)
class Condition:
    """A measure compared with a value; None stands for "not measured"."""

    measure: str
    sign: str
    value: float | None

    def holds(self, run: Summary) -> bool:
        """Return whether ``run`` meets it. What was not measured is neither above nor below a value."""
        known = getattr(run, self.measure)
        if self.value is None or known is None:
            same = known is None and self.value is None
            return same if self.sign == "=" else self.sign == "!=" and not same
        return _COMPARE[self.sign](known, self.value)


def read_condition(text: str) -> Condition:
    """Read a condition such as ``C=0``, ``E<0.5`` or ``D=null``.

    :raises UsageError: when it is none.
    """
    found = _CONDITION.fullmatch(text)
    value = found.group(3) if found else ""
    if found is None or (value == "null" and found.group(2) not in ("=", "!=")):
        raise UsageError(
            f"Cannot filter by the score {text!r}",
            "a condition is C, E or D, then =, !=, <, <=, > or >=, then a number, or = null",
            "Write it like C=0, E<0.5 or D=null, in quotation marks",
        )
    return Condition(_LETTERS[found.group(1).upper()], found.group(2), None if value == "null" else float(value))


@dataclass(frozen=True)
class Choice:
    """What rows must be like; every given condition must hold, and one of several values of the same kind.

    :param classes: failure classes; ``none`` stands for no failure.
    :param reviews: ``accept``, ``reject`` or ``none``.
    :param text: stands in the question or the short answer, in any case.
    """

    since: datetime | None = None
    until: datetime | None = None
    scores: tuple[Condition, ...] = ()
    classes: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    text: str = ""

    def of(self, runs: Iterable[Summary]) -> list[Summary]:
        """Return those of ``runs`` that meet all conditions."""
        return [run for run in runs if self._holds(run)]

    def _holds(self, run: Summary) -> bool:
        if self.statuses and run.status not in self.statuses:
            return False
        if self.classes and (run.failure_class or "none") not in self.classes:
            return False
        if self.reviews and (run.review or "none") not in self.reviews:
            return False
        if self.since or self.until:
            created = datetime.fromisoformat(run.created)
            if (self.since and created < self.since) or (self.until and created >= self.until):
                return False
        if self.text and self.text.casefold() not in f"{run.question}\n{run.short_answer or ''}".casefold():
            return False
        return all(one.holds(run) for one in self.scores)


def ordered(runs: Sequence[Summary], by: str, *, descending: bool) -> list[Summary]:
    """Return ``runs`` in the order of one of :data:`SORTS`; those without a value come last in any order."""
    key = SORTS[by]
    with_value = [run for run in runs if key(run) is not None]
    without = [run for run in runs if key(run) is None]
    return [*sorted(with_value, key=key, reverse=descending), *without]
