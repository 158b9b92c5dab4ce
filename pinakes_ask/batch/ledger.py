"""What the batches of a library take together, so that no two of them can spend the same money.

Batches that run at the same time on one library form a *team*: their limits hold for what the team
takes. The caps of a day and a month hold for everything that the library's batches take in it. A call
is booked at its worst case before it is made, in one transaction with the check, and what was booked by
a batch that died stays counted at its worst case.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pinakes_ask.batch.database import Database
from pinakes_ask.budget import Limits
from pinakes_ask.errors import BudgetSpent
from pinakes_ask.seams import Clock, Usage

#: Money is compared with this slack, since sums of prices are not exact.
_SLACK = 1e-9


@dataclass(frozen=True)
class Caps:
    """What batches may take: the team of this one, and all of the library in a day and in a month (UTC)."""

    team: Limits = field(default_factory=Limits)
    day: Limits = field(default_factory=Limits)
    month: Limits = field(default_factory=Limits)

    def limit(self) -> bool:
        """Return whether calls, tokens or money are limited anywhere."""
        every = (self.team, self.day, self.month)
        return any(limit is not None for one in every for limit in (one.calls, one.tokens, one.cost))


@dataclass(frozen=True)
class Total:
    """An amount in an account; calls are counted one by one."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    @classmethod
    def of(cls, usage: Usage, calls: int = 1) -> Total:
        """Return what ``usage`` comes to; an unknown cost is none, since no limit of money is set then."""
        return cls(calls, usage.prompt_tokens + usage.completion_tokens, usage.cost or 0.0)

    def within(self, limits: Limits) -> Total:
        """Return as much of it as ``limits`` hold, and nothing below zero."""
        return Total(
            self.calls if limits.calls is None else max(0, min(self.calls, limits.calls)),
            self.tokens if limits.tokens is None else max(0, min(self.tokens, limits.tokens)),
            self.cost if limits.cost is None else max(0.0, min(self.cost, limits.cost)),
        )

    def __add__(self, other: Total) -> Total:
        return Total(self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost)


class Ledger:
    """The accounts as one batch sees them.

    :param batch: a name that no other batch has.
    :param is_alive: whether the batch of a name is still running.
    """

    def __init__(
        self, database: Database, batch: str, caps: Caps, clock: Clock, is_alive: Callable[[str], bool]
    ) -> None:
        self._database = database
        self._batch = batch
        self._caps = caps
        self._clock = clock
        with database.writing() as db:
            known = [row[0] for row in db.execute("SELECT id FROM batches").fetchall()]
            alive = {one for one in known if is_alive(one)}
            for one in known:
                if one not in alive:
                    _bury(db, one)
            teams = [team for one, team in db.execute("SELECT id, team FROM batches").fetchall() if one in alive]
            self._team = teams[0] if teams else batch
            db.execute("INSERT INTO batches VALUES (?, ?)", (batch, self._team))

    def book(self, worst: Usage | Total, *, held: bool = False, instead_of: int | None = None) -> int:
        """Book a call, or several together, at the worst case and return the entry's number.

        :param held: it is set aside, not yet made.
        :param instead_of: an entry that this one replaces.
        :raises BudgetSpent: when it does not fit.
        """
        amount = worst if isinstance(worst, Total) else Total.of(worst)
        day = _day(self._clock.now())
        with self._database.writing() as db:
            if instead_of is not None:
                db.execute("DELETE FROM open WHERE id = ?", (instead_of,))
            over = self._over(db, amount)
            if over:
                raise BudgetSpent("A call was not made", over, "Raise that limit, or ask again later")
            entry = db.execute(
                "INSERT INTO open (batch, day, held, calls, tokens, cost) VALUES (?, ?, ?, ?, ?, ?)",
                (self._batch, day, held, amount.calls, amount.tokens, amount.cost),
            )
            return int(entry.lastrowid or 0)

    def settle(self, entry: int, actual: Usage | Total) -> None:
        """Replace an entry by what its calls took, on the day that it was booked for."""
        amount = actual if isinstance(actual, Total) else Total.of(actual)
        with self._database.writing() as db:
            _settle(db, entry, self._team, amount)

    def keep(self, entry: int) -> None:
        """Settle an entry at its worst case: nobody knows what its call took."""
        with self._database.writing() as db:
            _settle(db, entry, self._team, None)

    def release(self, entry: int) -> None:
        """Give back what was set aside for a call that was not made."""
        with self._database.writing() as db:
            db.execute("DELETE FROM open WHERE id = ?", (entry,))

    def leave(self) -> None:
        """Say that this batch is over."""
        with self._database.writing() as db:
            _bury(db, self._batch)

    def spent(self) -> dict[str, Total]:
        """Return what was taken or is booked: by the ``team``, and by all batches in the ``day`` and ``month``."""
        with self._database.writing() as db:
            return {name: self._total(db, name) for name in ("team", "day", "month")}

    def rest(self, wanted: Total) -> Total:
        """Return as much of ``wanted`` as the limits leave now."""
        with self._database.writing() as db:
            for name, limits, _ in self._limits():
                taken = self._total(db, name)
                left = Limits(
                    None if limits.calls is None else limits.calls - taken.calls,
                    None if limits.tokens is None else limits.tokens - taken.tokens,
                    None if limits.cost is None else limits.cost - taken.cost,
                )
                wanted = wanted.within(left)
        return wanted

    def _limits(self) -> tuple[tuple[str, Limits, str], ...]:
        """Each account that is limited, its limits, and whose it is."""
        return (
            ("team", self._caps.team, "the batch"),
            ("day", self._caps.day, "the library's batches today"),
            ("month", self._caps.month, "the library's batches this month"),
        )

    def _over(self, db: sqlite3.Connection, more: Total) -> str:
        """Say which limit ``more`` would break, or nothing."""
        for name, limits, whose in self._limits():
            if limits.calls is limits.tokens is limits.cost is None:
                continue
            total = self._total(db, name) + more
            if limits.calls is not None and total.calls > limits.calls:
                return f"it would be call {total.calls} of {limits.calls} of {whose}"
            if limits.tokens is not None and total.tokens > limits.tokens:
                return f"it could bring {whose} to {total.tokens} of {limits.tokens} tokens"
            if limits.cost is not None and total.cost > limits.cost + _SLACK:
                return f"it could bring {whose} to {total.cost:.4f} of {limits.cost:.4f}"
        return ""

    def _total(self, db: sqlite3.Connection, name: str) -> Total:
        if name == "team":
            accounts = [f"team:{self._team}"]
            pending = "batch IN (SELECT id FROM batches WHERE team = ?)", [self._team]
        else:
            # Tomorrow counts as well: a clock that went back over midnight frees nothing.
            now = self._clock.now()
            first = now if name == "day" else now.replace(day=1)
            days = [_day(first + timedelta(days=n)) for n in range((now - first).days + 2)]
            accounts = [f"day:{day}" for day in days]
            pending = f"day IN ({_marks(days)})", days
        settled = f"SELECT calls, tokens, cost FROM settled WHERE account IN ({_marks(accounts)})"
        booked = f"SELECT calls, tokens, cost FROM open WHERE {pending[0]}"
        rows = db.execute(f"{settled} UNION ALL {booked}", [*accounts, *pending[1]]).fetchall()
        return sum((Total(*row) for row in rows), Total())


def _settle(db: sqlite3.Connection, entry: int, team: str, actual: Total | None) -> None:
    row = db.execute("DELETE FROM open WHERE id = ? RETURNING day, calls, tokens, cost", (entry,)).fetchone()
    if row is None:
        return
    amount = actual or Total(*row[1:])
    for account in (f"day:{row[0]}", f"team:{team}"):
        db.execute(
            "INSERT INTO settled VALUES (?, ?, ?, ?) ON CONFLICT (account) DO UPDATE SET calls = calls + "
            "excluded.calls, tokens = tokens + excluded.tokens, cost = cost + excluded.cost",
            (account, amount.calls, amount.tokens, amount.cost),
        )


def _bury(db: sqlite3.Connection, batch: str) -> None:
    """End a batch: what it set aside is free again, and what it had asked stays counted at its worst case."""
    (team,) = db.execute("SELECT team FROM batches WHERE id = ?", (batch,)).fetchone()
    db.execute("DELETE FROM open WHERE batch = ? AND held", (batch,))
    for (entry,) in db.execute("SELECT id FROM open WHERE batch = ?", (batch,)).fetchall():
        _settle(db, entry, team, None)
    db.execute("DELETE FROM batches WHERE id = ?", (batch,))
    if db.execute("SELECT 1 FROM batches WHERE team = ?", (team,)).fetchone() is None:
        db.execute("DELETE FROM settled WHERE account = ?", (f"team:{team}",))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _marks(values: Iterable[str]) -> str:
    return ",".join("?" for _ in values)
