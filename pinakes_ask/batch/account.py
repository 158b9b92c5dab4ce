"""One question's part of the ledger: what its budget books is booked for all batches as well."""

from __future__ import annotations

from collections.abc import Callable

from pinakes_ask.batch.errors import Stopped
from pinakes_ask.batch.ledger import Ledger, Total
from pinakes_ask.errors import BudgetSpent
from pinakes_ask.seams import Usage


class NotStarted(BudgetSpent):
    """The budget of the batch cannot pay for a further question now; nothing was asked."""


class QuestionAccount:
    """The parent of one run's budget. Close it when the run is over, however it ended.

    :param stopped: whether the batch was told to stop; no call is made after that.
    """

    def __init__(self, ledger: Ledger, stopped: Callable[[], bool]) -> None:
        self._ledger = ledger
        self._stopped = stopped
        self._lent: int | None = None
        self._held: int | None = None
        self._booked: list[tuple[Usage, int]] = []

    def hold(self, worst: Usage) -> None:
        """Set the final write aside.

        :raises NotStarted: when it does not fit.
        """
        self.check()
        try:
            self._held = self._ledger.book(worst, held=True)
        except BudgetSpent as spent:
            raise NotStarted("The question was not asked", spent.why, spent.do) from None

    def reserve(self, booked: Usage, *, final: bool) -> None:
        """Book a call, ``final`` in place of what was set aside.

        :raises BudgetSpent: when it does not fit.
        :raises Stopped: when the batch was told to stop.
        """
        self.check()
        held = self._held if final else None
        entry = self._ledger.book(booked, instead_of=held)
        if final:
            self._held = None
        self._booked.append((booked, entry))

    def settle(self, booked: Usage, actual: Usage) -> None:
        """Replace what was booked by what the call took."""
        for index, (one, entry) in enumerate(self._booked):
            if one is booked:
                self._ledger.settle(entry, actual)
                del self._booked[index]
                return

    def lend(self, wanted: Total, least: Total | None = None) -> Total:
        """Book what a run that is brought to its end elsewhere may take, and return it.

        :param wanted: the most that it can take.
        :param least: the least with which it is worth beginning, where what is left may do; None where it may not.
        :raises NotStarted: when it does not fit.
        :raises Stopped: when the batch was told to stop.
        """
        self.check()
        try:
            self._lent = self._ledger.book(wanted)
        except BudgetSpent as spent:
            rest = self._ledger.rest(wanted)
            if least is None or rest.calls < least.calls or rest.tokens < least.tokens or rest.cost < least.cost:
                raise NotStarted("The question was not asked", spent.why, spent.do) from None
            return self.lend(rest)
        return wanted

    def repay(self, taken: Total) -> None:
        """Replace what was lent by what the run took; without this it stays counted in full."""
        if self._lent is not None:
            self._ledger.settle(self._lent, taken)
            self._lent = None

    def close(self) -> None:
        """Give back what was set aside; calls whose fate nobody knows stay counted at their worst case."""
        if self._lent is not None:
            self._ledger.keep(self._lent)
            self._lent = None
        if self._held is not None:
            self._ledger.release(self._held)
            self._held = None
        for _, entry in self._booked:
            self._ledger.keep(entry)
        self._booked = []

    @property
    def stopped(self) -> bool:
        """Whether the batch was told to stop."""
        return self._stopped()

    def check(self) -> None:
        """Raise :class:`Stopped` when the batch was told to stop."""
        if self._stopped():
            raise Stopped("A call was not made", "the batch was told to stop", "Start it again to go on")
