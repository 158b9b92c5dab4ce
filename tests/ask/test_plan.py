"""A plan is valid whatever was proposed, and asks nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinakes_ask.plan import Plan, is_repeat
from pinakes_ask.tasks import PlannedQuestion, PlanReply


def plan_of(*questions: tuple[str, tuple[int, ...]], max_nodes: int = 8) -> Plan:
    proposed = tuple(PlannedQuestion(question=text, needs=needs) for text, needs in questions)
    return Plan.of("Who did it?", PlanReply(sub_questions=proposed), max_nodes=max_nodes)


def ids(plan: Plan) -> list[int]:
    return [node.id for node in plan.ready()]


def test_ranks_follow_the_needs_and_earlier_answers_fill_later_questions() -> None:
    plan = plan_of(("Who wrote The Reed?", ()), ("Where was {1} born?", ()), ("Who founded Orm?", ()))
    assert ids(plan) == [1, 3]
    plan.settle(1, "Ann Bell", ())
    plan.settle(3, "Bo Carr", ())
    assert [node.asked for node in plan.ready()] == ["Where was Ann Bell born?"]
    plan.settle(2, "Dale", ())
    assert plan.ready() == []
    assert plan.answered


def test_a_slot_in_the_text_is_a_need() -> None:
    assert plan_of(("Who wrote The Reed?", ()), ("Where was {1} born?", ())).node(2).needs == {1}


def test_a_node_whose_need_found_nothing_settles_unsupported() -> None:
    plan = plan_of(("Who wrote The Reed?", ()), ("Where was {1} born?", (1,)), ("Which river is near {2}?", (2,)))
    assert ids(plan) == [1]
    plan.settle(1, None, ())
    assert plan.ready() == []
    assert [node.status for node in plan.nodes] == ["unsupported"] * 3
    assert not plan.answered


@pytest.mark.parametrize(
    "needs",
    [[(2,), (1,)], [(3,), (1,), (2,)], [(1,), (2,), (3,)], [(2, 3), (1, 3), (1, 2)]],
    ids=["two", "three", "self", "all"],
)
def test_cycles_are_broken_and_said(needs: list[tuple[int, ...]]) -> None:
    names = ("Ann Bell", "Bo Carr", "Cy Dunn")
    plan = plan_of(*((f"Where was {name} born?", need) for name, need in zip(names, needs, strict=False)))
    assert plan.repairs
    asked = 0
    while rank := plan.ready():
        for node in rank:
            plan.settle(node.id, "somewhere", ())
            asked += 1
    assert asked == len(needs)
    assert plan.answered


def test_a_slot_of_a_removed_edge_leaves_the_text() -> None:
    plan = plan_of(("Who is the son of {2}?", ()), ("Who is the father of {1}?", ()))
    assert plan.node(1).question == "Who is the son of ?"
    assert plan.node(2).question == "Who is the father of {1}?"


def test_unknown_and_negative_references_are_dropped() -> None:
    plan = plan_of(("Where was Ann Bell born?", (0, -1, 9)), ("When did {7} die?", ()))
    assert all(not node.needs for node in plan.nodes)
    assert plan.node(2).question == "When did die?"
    assert len(plan.repairs) == 4


def test_what_is_still_to_be_asked_is_told_with_the_answers_that_are_known() -> None:
    plan = plan_of(("Who wrote The Reed?", ()), ("Where was {1} born?", ()), ("Which river is near {2}?", ()))
    assert ids(plan) == [1]
    assert plan.ahead() == ("Where was {1} born?", "Which river is near {2}?")
    plan.settle(1, "Ann Bell", ())
    assert plan.ahead() == ("Where was Ann Bell born?", "Which river is near {2}?")


def test_empty_repeated_and_superfluous_sub_questions_are_dropped() -> None:
    plan = plan_of(
        ("Where was Ann Bell born?", ()),
        ("  ", ()),
        ("Where was Ann Bell born", ()),
        ("When did {3} die?", ()),
        ("Who founded Orm?", ()),
        max_nodes=2,
    )
    assert [node.question for node in plan.nodes] == ["Where was Ann Bell born?", "When did {1} die?"]
    assert len(plan.repairs) == 3


@pytest.mark.parametrize("proposed", [[], [("", ())], [("{1}", ())]])
def test_an_unusable_proposal_falls_back_to_the_question(proposed: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [node.question for node in plan_of(*proposed).nodes] == ["Who did it?"]


@pytest.mark.parametrize("slot", ["{007}", "{09}", "{0}", "{999}", "{\u0663}", "{}", "{1", "{-1}"])
def test_slots_written_in_any_way_are_no_crash(slot: str) -> None:
    plan = plan_of((f"Who played {slot} in the film?", ()), (f"Where is {slot}?", ()))
    while rank := plan.ready():
        for node in rank:
            plan.settle(node.id, "Ann", ())
    assert not plan.unfinished


def test_an_operator_that_combines_nothing_is_looked_up() -> None:
    reply = PlanReply(sub_questions=(PlannedQuestion(question="Which is older?", kind="compare"),))
    plan = Plan.of("?", reply, max_nodes=8)
    assert plan.node(1).kind == "find"
    assert plan.repairs


def test_a_filled_question_that_was_asked_before_is_not_asked_again() -> None:
    plan = plan_of(("Who wrote The Reed?", ()), ("Where was Ann Bell born?", ()), ("Where was {1} born?", ()))
    assert ids(plan) == [1, 2]
    plan.settle(1, "Ann Bell", ())
    plan.settle(2, "Dale", ())
    assert plan.ready() == []
    assert (plan.node(3).answer, plan.node(3).status) == ("Dale", "supported")


def test_growth_is_bounded_and_never_repeats() -> None:
    plan = plan_of(("Where was Ann Bell born?", ()))
    missing = [
        "Where was Ann Bell born?",
        "When did Bo Carr die?",
        "When did Bo Carr die",
        "Who ran Orm?",
        "Who is Cy?",
    ]
    added = plan.grow(missing, max_nodes=8, max_grown=2)
    assert [node.question for node in added] == ["When did Bo Carr die?", "Who ran Orm?"]
    assert plan.grow(["Who is Di Egan?"], max_nodes=8, max_grown=2) == []


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Who is the director of film Anna?", "Who is the director of film Bella?", False),
        ("Where was Ann Bell born?", "Ann Bell was born where", True),
        ("What happened in 1990?", "What happened in 1991?", False),
        ("Who founded Orm?", "Who founded orm", False),
        ("When was Ann Bell born?", "Where was Ann Bell born?", False),
        ("How many isles has Orm?", "Which isles has Orm?", False),
        ("What is the capital of Orm?", "Which is the capital of Orm?", True),
    ],
)
def test_a_repeat_has_the_same_names_numbers_and_words_and_asks_for_the_same(
    left: str, right: str, same: bool
) -> None:
    assert is_repeat(left, right) is same


proposals = st.lists(
    st.builds(
        PlannedQuestion,
        question=st.text(max_size=20)
        | st.sampled_from(["Who is {1}?", "When did {2} and {3} die?", "Where is Ann?", "Is {09}?", "{1} {2}"]),
        needs=st.lists(st.integers(-3, 12), max_size=4).map(tuple),
        kind=st.sampled_from(["find", "compare", "count"]),
    ),
    max_size=12,
)


@given(proposals, st.data())
def test_any_proposal_makes_a_plan_that_ends(proposed: list[PlannedQuestion], data: st.DataObject) -> None:
    plan = Plan.of("Who did it?", PlanReply(sub_questions=tuple(proposed)), max_nodes=8)
    assert 1 <= len(plan.nodes) <= 8
    assert [node.id for node in plan.nodes] == list(range(1, len(plan.nodes) + 1))
    asked: list[int] = []
    while rank := plan.ready():
        for node in rank:
            asked.append(node.id)
            plan.settle(node.id, data.draw(st.none() | st.just("Ann")), ())
    assert len(asked) == len(set(asked))
    assert not plan.unfinished
