"""What a run on a worker may take: lent to it beforehand, so that no call has to ask another machine."""

from __future__ import annotations

from pinakes_ask.batch.errors import Stopped
from pinakes_ask.batch.ledger import Total
from pinakes_ask.errors import BudgetSpent
from pinakes_ask.seams import Usage

#: Money is compared with this slack, since sums of prices are not exact.
_SLACK = 1e-9


class Allowance:
    """The parent of one run's budget, see :class:`pinakes_ask.budget.Parent`.

    :param most: what the run may take; None counts without a limit.
    """

    def __init__(self, most: Total | None) -> None:
        self._most = most
        self._stopped = False
        self._settled = Total()
        self._held = Total()
        self._open: list[tuple[Usage, Total]] = []

    @property
    def spent(self) -> Total:
        """What was taken, with calls whose fate is not known at their worst case."""
        return sum((amount for _, amount in self._open), self._settled)

    def hold(self, worst: Usage) -> None:
        """Set the final write aside.

        :raises BudgetSpent: when it does not fit.
        :raises Stopped: after :meth:`stop`.
        """
        self._check(Total.of(worst))
        self._held = Total.of(worst)

    def reserve(self, booked: Usage, *, final: bool) -> None:
        """Book a call, ``final`` from what was set aside.

        :raises BudgetSpent: when it does not fit.
        :raises Stopped: after :meth:`stop`.
        """
        if final:
            self._held = Total()
        self._check(Total.of(booked))
        self._open.append((booked, Total.of(booked)))

    def settle(self, booked: Usage, actual: Usage) -> None:
        """Replace what was booked, the same object, by what the call took."""
        for index, (one, _) in enumerate(self._open):
            if one is booked:
                del self._open[index]
                self._settled += Total.of(actual)
                return

    def stop(self) -> None:
        """Let no further call be made."""
        self._stopped = True

    def _check(self, more: Total) -> None:
        if self._stopped:
            raise Stopped("A call was not made", "the batch ended the run", "Start it again to go on")
        most = self._most
        if most is None:
            return
        total = self.spent + self._held + more
        if total.calls > most.calls or total.tokens > most.tokens or total.cost > most.cost + _SLACK:
            raise BudgetSpent(
                "A call was not made",
                "it could bring the run beyond what the batch had left for it",
                "Raise the limits of the batch for a fuller answer",
            )
