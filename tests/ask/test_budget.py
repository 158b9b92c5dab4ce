"""A budget is never exceeded by a call it let through, and always leaves the final write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinakes_ask.budget import Budget, Limits
from pinakes_ask.errors import BudgetRefused, BudgetSpent
from pinakes_ask.seams import Usage
from tests.ask.fakes import TestClock

CALL = Usage(100, 50, 0.01)


def test_the_final_write_is_kept_free() -> None:
    budget = Budget(Limits(calls=2), TestClock())
    budget.hold_final(CALL)
    budget.settle(budget.reserve(CALL), CALL)
    with pytest.raises(BudgetSpent, match="call 3 of 2"):
        budget.reserve(CALL)
    budget.reserve(CALL, final=True)
    assert budget.calls == 2


@pytest.mark.parametrize("limits", [Limits(tokens=149), Limits(cost=0.009)], ids=["tokens", "cost"])
def test_a_budget_below_one_answer_is_refused_before_anything_is_spent(limits: Limits) -> None:
    budget = Budget(limits, TestClock())
    with pytest.raises(BudgetRefused):
        budget.hold_final(CALL)
    assert budget.calls == 0


def test_money_cannot_limit_a_model_without_a_price() -> None:
    with pytest.raises(BudgetRefused, match="no price"):
        Budget(Limits(cost=1.0), TestClock()).hold_final(Usage(100, 50, None))


def test_an_unknown_price_stays_unknown_in_the_sum() -> None:
    budget = Budget(Limits(), TestClock())
    budget.settle(budget.reserve(Usage(1, 1, None)), Usage(1, 1, None))
    budget.settle(budget.reserve(CALL), CALL)
    assert budget.spent.cost is None


def test_actual_usage_replaces_the_reservation() -> None:
    budget = Budget(Limits(tokens=300), TestClock())
    for _ in range(20):
        budget.settle(budget.reserve(CALL), Usage(5, 2, 0.0))
    assert budget.spent == Usage(100, 40, pytest.approx(0.0))


def test_the_deadline_is_counted_from_the_start() -> None:
    clock = TestClock()
    budget = Budget(Limits(seconds=2.0), clock)
    assert not budget.past_deadline
    clock.seconds = 2.0
    assert budget.past_deadline


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=30), st.integers(200, 400))
def test_tokens_never_pass_the_limit(calls: list[tuple[int, int]], limit: int) -> None:
    budget = Budget(Limits(tokens=limit), TestClock())
    worst = Usage(80, 80)
    budget.hold_final(worst)
    for prompt, completion in calls:
        try:
            reserved = budget.reserve(worst)
        except BudgetSpent:
            break
        budget.settle(reserved, Usage(prompt, completion))
    budget.settle(budget.reserve(worst, final=True), worst)
    assert budget.spent.prompt_tokens + budget.spent.completion_tokens <= limit


def test_a_money_limit_binds_also_where_a_call_does_not_tell_its_cost() -> None:
    budget = Budget(Limits(cost=0.025), TestClock())
    budget.settle(budget.reserve(CALL), Usage(100, 50, None))
    budget.reserve(CALL)
    with pytest.raises(BudgetSpent):
        budget.reserve(CALL)


def test_an_estimate_is_marked_only_while_it_stands() -> None:
    budget = Budget(Limits(), TestClock())
    budget.settle(budget.reserve(Usage(100, 50, 0.01, estimated=True)), CALL)
    assert not budget.spent.estimated
