"""What a run on a worker may take: lent from the batch's account, kept to there, and repaid."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinakes_ask.batch.account import NotStarted, QuestionAccount
from pinakes_ask.batch.errors import Stopped
from pinakes_ask.batch.ledger import Caps, Ledger, Total
from pinakes_ask.budget import Budget, Limits
from pinakes_ask.cli.batch_ray import part_of
from pinakes_ask.config import ModelSection
from pinakes_ask.distributed.allowance import Allowance
from pinakes_ask.errors import BudgetSpent
from pinakes_ask.seams import Usage
from tests.batch.test_ledger import CALL, SetClock, open_ledger

WORST = Total(6, 600, 3.0)


def lend(ledger: Ledger, wanted: Total = WORST, least: Total | None = None) -> tuple[QuestionAccount, Total]:
    account = QuestionAccount(ledger, lambda: False)
    return account, account.lend(wanted, least)


def test_what_is_lent_is_taken_from_everybody_else_until_it_is_repaid(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, Caps(team=Limits(calls=10), day=Limits(tokens=5000)))
    account, lent = lend(ledger)
    assert lent == WORST
    with pytest.raises(NotStarted, match="of 10 of the batch"):
        lend(ledger)
    account.repay(Total(2, 150, 1.0))
    account.close()
    assert ledger.spent()["team"] == ledger.spent()["day"] == Total(2, 150, 1.0)
    lend(ledger)


def test_what_a_lost_worker_was_lent_stays_counted(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, Caps(team=Limits(calls=10)))
    account, _ = lend(ledger)
    account.close()
    account.repay(Total())
    assert ledger.spent()["team"] == WORST


@pytest.mark.parametrize(
    ("limits", "rest"),
    [
        (Limits(calls=9), Total(3, 600, 3.0)),
        (Limits(tokens=850), Total(6, 250, 3.0)),
        (Limits(cost=4.5), Total(6, 600, 1.5)),
    ],
)
def test_the_last_run_may_take_what_is_left(tmp_path: Path, limits: Limits, rest: Total) -> None:
    ledger = open_ledger(tmp_path, Caps(month=limits))
    lend(ledger)
    _, lent = lend(ledger, least=Total(1, 100, 0.5))
    assert lent == rest
    with pytest.raises(NotStarted):
        lend(ledger, least=Total(1, 100, 0.5))


def test_nothing_is_lent_after_the_batch_was_told_to_stop(tmp_path: Path) -> None:
    account = QuestionAccount(open_ledger(tmp_path, Caps()), lambda: True)
    with pytest.raises(Stopped):
        account.lend(WORST)


@pytest.mark.parametrize("most", [Total(3, 900, 9.0), Total(9, 300, 9.0), Total(9, 900, 1.5)])
def test_a_run_keeps_to_its_allowance_and_can_write_its_answer_within_it(most: Total) -> None:
    allowance = Allowance(most)
    budget = Budget(Limits(), SetClock())
    budget.parent = allowance
    budget.hold_final(CALL)
    budget.settle(budget.reserve(CALL), Usage(80, 20, 0.5))
    budget.reserve(CALL)
    with pytest.raises(BudgetSpent, match="beyond what the batch had left"):
        budget.reserve(CALL)
    budget.settle(budget.reserve(CALL, final=True), Usage(10, 10, 0.1))
    assert allowance.spent == Total(3, 220, 1.1), "the call whose end nobody saw counts in full"


def test_an_allowance_without_a_limit_counts() -> None:
    allowance = Allowance(None)
    allowance.hold(CALL)
    for _ in range(3):
        allowance.reserve(Usage(80, 20, 0.5), final=False)
    assert allowance.spent == Total(3, 300, 1.5)


def test_an_allowance_below_one_write_is_no_allowance() -> None:
    with pytest.raises(BudgetSpent):
        Allowance(Total(1, 99, 9.0)).hold(CALL)


@pytest.mark.parametrize(
    ("requests", "tokens", "workers", "part", "left"),
    [
        (None, None, 8, (None, None), 8),
        (100, None, 8, (12, None), 8),
        (3, None, 8, (1, None), 3),
        (None, 20_000, 8, (None, 10_000), 2),
        (60, 5_000, 8, (60, 5_000), 1),
    ],
)
def test_workers_together_keep_to_the_limits_a_minute(
    requests: int | None, tokens: int | None, workers: int, part: tuple[int | None, int | None], left: int
) -> None:
    model = ModelSection(name="m", requests_per_minute=requests, tokens_per_minute=tokens)
    each, count = part_of(model, workers, 8_000)
    assert (each.requests_per_minute, each.tokens_per_minute, count) == (*part, left)
