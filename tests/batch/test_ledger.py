"""The account of a library's batches: never above a limit, whoever asks at the same time, whoever dies."""

from __future__ import annotations

import multiprocessing
import sqlite3
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from pinakes_ask.batch.account import NotStarted, QuestionAccount
from pinakes_ask.batch.database import FILE, Database
from pinakes_ask.batch.errors import LedgerError, Stopped
from pinakes_ask.batch.ledger import Caps, Ledger, Total
from pinakes_ask.batch.lock import Lives
from pinakes_ask.budget import Budget, Limits
from pinakes_ask.errors import BudgetSpent
from pinakes_ask.seams import Usage

CALL = Usage(80, 20, 0.5)


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self, text: str = "2026-03-31 12:00") -> None:
        self.set(text)

    def set(self, text: str) -> None:
        self._now = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return 0.0


def open_ledger(state: Path, caps: Caps, clock: SetClock | None = None, name: str = "one") -> Ledger:
    return Ledger(Database(state), name, caps, clock or SetClock(), lambda batch: True)


def calls_that_fit(ledger: Ledger, usage: Usage = CALL) -> int:
    for n in range(100):
        try:
            ledger.book(usage)
        except BudgetSpent:
            return n
    raise AssertionError("nothing ended it")


@pytest.mark.parametrize(
    ("limits", "fit"),
    [(Limits(calls=3), 3), (Limits(tokens=399), 3), (Limits(cost=1.5), 3), (Limits(cost=0.0), 0)],
)
@pytest.mark.parametrize("scope", ["team", "day", "month"])
def test_no_limit_is_exceeded(tmp_path: Path, limits: Limits, fit: int, scope: str) -> None:
    ledger = open_ledger(tmp_path, Caps(**{scope: limits}))
    assert calls_that_fit(ledger) == fit
    assert ledger.spent()[scope] == Total(fit, 100 * fit, 0.5 * fit)


def test_what_a_call_took_replaces_what_was_booked_for_it(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, Caps(day=Limits(tokens=200)))
    ledger.settle(ledger.book(CALL), Usage(10, 0, 0.1))
    ledger.release(ledger.book(CALL, held=True))
    assert ledger.spent()["day"] == Total(1, 10, 0.1)
    assert calls_that_fit(ledger) == 1


def test_a_run_that_fits_its_own_budget_still_needs_that_of_the_batch(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, Caps(team=Limits(calls=2)))
    first, second = (Budget(Limits(), SetClock()) for _ in range(2))
    accounts = [QuestionAccount(ledger, lambda: False) for _ in range(2)]
    first.parent, second.parent = accounts
    first.hold_final(CALL)
    first.reserve(CALL)
    with pytest.raises(NotStarted):
        second.hold_final(CALL)
    with pytest.raises(BudgetSpent, match=r"call 3 of 2 of the batch"):
        first.reserve(CALL)
    first.settle(first.reserve(CALL, final=True), Usage(1, 1, 0.0))
    accounts[0].close()
    assert ledger.spent()["team"] == Total(2, 102, 0.5), "a call of unknown fate stays at its worst case"


def test_after_stop_no_call_is_made(tmp_path: Path) -> None:
    account = QuestionAccount(open_ledger(tmp_path, Caps()), lambda: True)
    with pytest.raises(Stopped):
        account.hold(CALL)
    with pytest.raises(Stopped):
        account.reserve(CALL, final=False)


def test_batches_at_once_share_a_limit_and_a_later_one_begins_anew(tmp_path: Path) -> None:
    caps = Caps(team=Limits(calls=5))
    one, two = (open_ledger(tmp_path, caps, name=name) for name in ("one", "two"))
    assert calls_that_fit(one) == 5
    assert calls_that_fit(two) == 0
    one.leave()
    assert calls_that_fit(two) == 0, "the team goes on as long as one of it does"
    two.leave()
    assert calls_that_fit(open_ledger(tmp_path, caps, name="three")) == 5


def test_the_day_and_the_month_end(tmp_path: Path) -> None:
    clock = SetClock("2026-03-30 23:59")
    ledger = open_ledger(tmp_path, Caps(day=Limits(calls=2), month=Limits(calls=3)), clock)
    assert calls_that_fit(ledger) == 2
    clock.set("2026-03-31 00:01")
    assert calls_that_fit(ledger) == 1
    clock.set("2026-04-01 00:01")
    assert calls_that_fit(ledger) == 2


def test_a_clock_that_goes_back_over_midnight_frees_nothing(tmp_path: Path) -> None:
    clock = SetClock("2026-04-01 00:05")
    ledger = open_ledger(tmp_path, Caps(day=Limits(calls=2), month=Limits(calls=2)), clock)
    assert calls_that_fit(ledger) == 2
    clock.set("2026-03-31 23:55")
    assert calls_that_fit(ledger) == 0
    clock.set("2026-04-01 00:10")
    assert calls_that_fit(ledger) == 0


def test_a_clock_that_was_years_ahead_blocks_nothing_once_it_is_right(tmp_path: Path) -> None:
    clock = SetClock("2036-04-01 12:00")
    ledger = open_ledger(tmp_path, Caps(day=Limits(calls=2), month=Limits(calls=2)), clock)
    assert calls_that_fit(ledger) == 2
    clock.set("2026-04-01 12:00")
    assert calls_that_fit(ledger) == 2


def test_what_a_dead_batch_set_aside_is_free_and_what_it_asked_stays_counted(tmp_path: Path) -> None:
    caps = Caps(day=Limits(calls=10))
    dead = open_ledger(tmp_path, caps, name="dead")
    dead.book(CALL)
    dead.book(CALL, held=True)
    heir = Ledger(Database(tmp_path), "heir", caps, SetClock(), lambda batch: batch != "dead")
    assert heir.spent() == {"team": Total(), "day": Total(1, 100, 0.5), "month": Total(1, 100, 0.5)}


def test_a_batch_is_alive_as_long_as_its_process(tmp_path: Path) -> None:
    lives = Lives(tmp_path)
    assert not lives.is_alive("never")
    with lives.live("here"):
        assert lives.is_alive("here")
    assert not lives.is_alive("here")
    process = multiprocessing.get_context("spawn").Process(target=_live_for_ever, args=(tmp_path,))
    process.start()
    try:
        while not (tmp_path / "alive").exists():
            assert process.is_alive()
        assert lives.is_alive("there")
    finally:
        process.kill()
        process.join()
    assert not lives.is_alive("there")
    assert list((tmp_path / "batches").iterdir()) == []


def _live_for_ever(state: Path) -> None:
    with Lives(state).live("there"):
        (state / "alive").touch()
        multiprocessing.Event().wait()


def test_processes_that_race_for_the_last_calls_get_no_more_than_there_are(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier, won = context.Barrier(4), context.Queue()
    racers = [context.Process(target=_race, args=(tmp_path, name, barrier, won)) for name in "abcd"]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(60)
        assert racer.exitcode == 0
    assert sum(won.get(timeout=10) for _ in racers) == 50


def _race(state: Path, name: str, barrier: Barrier, won: multiprocessing.Queue[int]) -> None:
    ledger = open_ledger(state, Caps(team=Limits(calls=50)), name=name)
    barrier.wait(60)
    got = 0
    for _ in range(50):
        try:
            ledger.settle(ledger.book(CALL), Usage(1, 1, 0.0))
            got += 1
        except BudgetSpent:
            pass
    won.put(got)


def test_an_account_that_cannot_be_read_is_a_plain_error(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(LedgerError, match="cannot be used"):
        Database(tmp_path)


def test_an_error_in_a_transaction_leaves_it_undone(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with pytest.raises(LedgerError), database.writing() as db:
        db.execute("INSERT INTO batches VALUES ('a', 'b')")
        raise sqlite3.OperationalError("disk I/O error")
    with database.writing() as db:
        assert db.execute("SELECT count(*) FROM batches").fetchone() == (0,)
