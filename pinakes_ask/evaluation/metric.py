"""What a metric is: a value with a name, that measures one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pinakes_ask.evaluation.case import Case

#: ``yes/no`` is 0 or 1, ``share`` lies between them, ``amount`` is any number from 0 on.
Kind = Literal["yes/no", "share", "amount"]
#: Which way is better; None where neither is, such as for a share of answers withheld.
Better = Literal["higher", "lower"] | None


@dataclass(frozen=True)
class Missing:
    """No value, and why. It is counted, and in no mean."""

    reason: str


Value = float | Missing


@dataclass(frozen=True)
class Metric:
    """A measure of one answer.

    :param name: as it stands in JSON; :param title: as a reader sees it.
    :param source: where it is defined.
    :param of: measures a case.
    :param of_answer: whether it judges what was answered, so that an answer that failed has no value; False
        where it measures the search or the effort before it.
    """

    name: str
    title: str
    kind: Kind
    better: Better
    source: str
    of: Callable[[Case], Value]
    of_answer: bool = True

    def __str__(self) -> str:
        return self.name
