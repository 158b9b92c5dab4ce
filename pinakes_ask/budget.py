"""A hard budget: each call's worst case is reserved before it is made.

The final write is reserved from the start, so that a run can always answer. A reservation that
does not fit is refused with :class:`BudgetSpent`; the caller then goes on without that call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from pinakes_ask.errors import BudgetRefused, BudgetSpent
from pinakes_ask.seams import Clock, Usage


@dataclass(frozen=True)
class Limits:
    """What a run may take; None is no limit. ``seconds`` count from the start of the run."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Parent(Protocol):
    """An account that several runs share. Each hears of the same usages as the budget of its own run."""

    def hold(self, worst: Usage) -> None:
        """Set a run's final write aside; raises :class:`BudgetSpent` when it does not fit."""

    def reserve(self, booked: Usage, *, final: bool) -> None:
        """Book a call, ``final`` from what was set aside; raises :class:`BudgetSpent` when it does not fit."""

    def settle(self, booked: Usage, actual: Usage) -> None:
        """Replace what was booked, the same object, by what the call really took."""


class Budget:
    """The account of one run. ``parent``, where there is one, must agree to everything that it books."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._start = clock.monotonic()
        self._held: Usage | None = None
        self._settled = Usage()
        self._reserved: list[Usage] = []
        self.calls = 0
        self.parent: Parent | None = None

    @property
    def spent(self) -> Usage:
        """What was taken: settled calls as they were, the others at their worst case."""
        return sum(self._reserved, self._settled)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return self._clock.monotonic() - self._start

    @property
    def past_deadline(self) -> bool:
        """Whether the time is up."""
        return self._limits.seconds is not None and self.seconds >= self._limits.seconds

    def hold_final(self, worst: Usage) -> None:
        """Set the final write's worst case aside.

        :raises BudgetRefused: when not even that fits, or money is limited and the model has no price.
        """
        if self._limits.cost is not None and worst.cost is None:
            raise BudgetRefused(
                "The question was not asked",
                "money is limited but the model has no price in the configuration",
                "Set its price under [model], or limit calls or tokens instead",
            )
        over = self._over(worst, calls=1)
        if over:
            raise BudgetRefused(
                "The question was not asked",
                f"the budget is below what writing one answer can take ({over})",
                "Raise that limit",
            )
        if self.parent is not None:
            self.parent.hold(worst)
        self._held = worst

    def reserve(self, worst: Usage, *, final: bool = False) -> Usage:
        """Book a call at its worst case; ``final`` uses what was set aside.

        :raises BudgetSpent: when it does not fit beside what is set aside.
        """
        if final:
            self._held = None
        over = self._over(worst, calls=1)
        if over:
            raise BudgetSpent("A call was not made", over, "Raise that limit for a fuller answer")
        # A copy, so that two equal reservations can be told apart when one is settled.
        booked = replace(worst)
        if self.parent is not None:
            self.parent.reserve(booked, final=final)
        self.calls += 1
        self._reserved.append(booked)
        return booked

    def settle(self, reserved: Usage, actual: Usage) -> None:
        """Replace a reservation by what the call really took."""
        self._reserved = [one for one in self._reserved if one is not reserved]
        # A cost that nobody can tell stays counted at its worst case, or a money limit would stop binding.
        cost = reserved.cost if actual.cost is None else actual.cost
        self._settled += replace(actual, cost=cost)
        if self.parent is not None:
            self.parent.settle(reserved, replace(actual, cost=cost))

    def _over(self, more: Usage, *, calls: int) -> str:
        """Say which limit ``more`` would break, or nothing."""
        held = self._held or Usage()
        total = self.spent + more + held
        limits = self._limits
        wanted = self.calls + calls + (1 if self._held else 0)
        if limits.calls is not None and wanted > limits.calls:
            return f"it would be call {wanted} of {limits.calls}"
        tokens = total.prompt_tokens + total.completion_tokens
        if limits.tokens is not None and tokens > limits.tokens:
            return f"it could bring the run to {tokens} of {limits.tokens} tokens"
        if limits.cost is not None and total.cost is not None and total.cost > limits.cost:
            return f"it could bring the run to {total.cost:.4f} of {limits.cost:.4f}"
        return ""
