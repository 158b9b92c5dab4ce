"""A reply that is right but for an item: what is read all the same, what is left out, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pinakes_ask.models.endpoint.parsing import Unparsable, read_reply
from pinakes_ask.plan import Plan
from pinakes_ask.tasks import Cite, PlanReply, SolveReply, WriteReply
from scoring.extract.model import PropositionsReply
from tests.endpoint.server import ChatServer
from tests.endpoint.tasks import CITE, REPLIES, SOLVE, STATEMENTS

RIGHT = {"id": 1, "supported": True, "answer": "Ann Bell", "citations": [CITE]}
STEPS = [{"question": "Who wrote it?"}, {"question": "Where?"}, {"question": "When was {1}?", "needs": [1]}]


def solved(*findings: Any) -> tuple[SolveReply, tuple[str, ...]]:
    return read_reply(json.dumps({"findings": findings}), SolveReply)


def cites(written: Any) -> tuple[Cite, ...]:
    text = json.dumps({"findings": [{**RIGHT, "citations": written}, RIGHT]})
    return read_reply(text, SolveReply)[0].findings[0].citations


@pytest.mark.parametrize(
    "written",
    [
        ["[3:2]"], ["3.2"], ["[3.2]"], [3.2], [[3, 2]], [["3", "2"]], [{"passage": "3", "sentence": "2"}],
        ["passage 3, sentence 2"], "[3.2]", "[3.2].", "3:2", {"passage": 3, "sentence": 2}, [" (3, 2) "],
    ],
)  # fmt: skip
def test_a_citation_may_be_spelt_in_any_usual_way(written: Any) -> None:
    assert cites(written) == (Cite(passage=3, sentence=2),)


def test_sentence_ten_is_not_taken_for_sentence_one() -> None:
    reply, _ = read_reply('{"findings": [{"id": 1, "citations": [3.10, 3.1]}]}', SolveReply)
    assert [cite.sentence for cite in reply.findings[0].citations] == [10, 1]


def test_several_citations_in_one_text_are_all_read() -> None:
    assert cites("[3.2] and [5.1]") == (Cite(passage=3, sentence=2), Cite(passage=5, sentence=1))


@pytest.mark.parametrize(
    "wrong",
    ["Ann Bell", 3, [3], [3, 2, 1], "3", "-3.2", "[3.2-4]", "3 of 5", None, {"passage": 3}, [-1.5], True,
     {"passage": True, "sentence": 2}, {"passage": 3, "sentence": "second"}, 1e300],
)  # fmt: skip
def test_a_citation_that_is_none_is_left_out_and_the_others_stay(wrong: Any) -> None:
    reply, notes = solved({**RIGHT, "citations": [CITE, wrong, "5.1"]})
    assert reply.findings[0].citations == (Cite(passage=3, sentence=2), Cite(passage=5, sentence=1))
    assert len(notes) == 1
    assert notes[0].startswith(
        "Part of the model's reply could not be read and was left out: findings.0.citations.1"
    )


@pytest.mark.parametrize(
    "wrong",
    [{"id": 1.5}, {"id": "first"}, {"id": None}, {"supported": "perhaps"}, {"supported": [True]}, {"supported": 2},
     {"answer": ["Ann", "Bell"]}, {"citations": "none"}, {"reasoning": {"a": 1, "b": 2}}],
)  # fmt: skip
def test_a_finding_that_cannot_be_read_is_left_out_and_the_others_stay(wrong: dict[str, Any]) -> None:
    reply, notes = solved({**RIGHT, **wrong}, {**RIGHT, "id": 2})
    assert [finding.id for finding in reply.findings] == [2]
    assert len(notes) == 1
    assert "findings.0" in notes[0]


@pytest.mark.parametrize("item", [None, 5, "text", [], [1, 2]])
def test_an_item_that_is_no_object_is_left_out(item: Any) -> None:
    reply, notes = solved(item, RIGHT)
    assert (len(reply.findings), len(notes)) == (1, 1)


@pytest.mark.parametrize("said", ["false", "no", "False", "0", 0, 0.0, None, "off", False])
def test_what_is_not_said_to_be_supported_is_not(said: Any) -> None:
    assert solved({**RIGHT, "supported": said})[0].findings[0].supported is False


@pytest.mark.parametrize("only", [{"id": "first"}, {"supported": "perhaps"}])
def test_where_nothing_would_be_left_the_model_is_asked_again(only: dict[str, Any]) -> None:
    with pytest.raises(Unparsable, match=r"findings\.0\."):
        solved({**RIGHT, **only})


def test_a_step_without_its_text_leaves_the_numbers_of_the_others_as_they_are() -> None:
    steps = [STEPS[0], {"needs": [1]}, STEPS[2]]
    reply, notes = read_reply(json.dumps({"sub_questions": steps}), PlanReply)
    plan = Plan.of("?", reply, max_nodes=8)
    assert [node.question for node in plan.nodes] == ["Who wrote it?", "When was {1}?"]
    assert plan.node(2).needs == {1}
    assert plan.repairs == ["sub-question 2 is empty: dropped"]
    assert "sub_questions.1.question: Field required" in notes[0]


def test_a_plan_without_its_last_step_is_no_plan() -> None:
    with pytest.raises(Unparsable, match=r"sub_questions\.2"):
        read_reply(json.dumps({"sub_questions": [*STEPS[:2], {"needs": [1]}]}), PlanReply)


def test_a_step_may_be_its_text_alone() -> None:
    reply, notes = read_reply(json.dumps({"sub_questions": ["Who wrote it?", "When?"]}), PlanReply)
    assert [one.question for one in reply.sub_questions] == ["Who wrote it?", "When?"]
    assert notes == ()


def test_a_choice_that_is_none_of_those_offered_is_not_made() -> None:
    steps = [{**STEPS[0], "kind": "search"}]
    reply, notes = read_reply(json.dumps({"form": "multi-hop", "sub_questions": steps}), PlanReply)
    assert (reply.form, reply.sub_questions[0].kind, len(notes)) == ("chain", "find", 2)


def test_a_statement_without_text_is_left_out_and_one_of_text_alone_cites_nothing() -> None:
    statements = [{"citations": [CITE]}, STATEMENTS[0], {"text": STATEMENTS[1], "citations": [CITE]}]
    reply, notes = read_reply(json.dumps({"statements": statements, "short_answer": "Dale"}), WriteReply)
    assert [(one.text, len(one.citations)) for one in reply.statements] == [(STATEMENTS[0], 0), (STATEMENTS[1], 1)]
    assert len(notes) == 1


def test_nothing_is_left_out_that_would_raise_a_score() -> None:
    for name, item in (
        ("propositions", {"text": "x"}),
        ("branches", {"value": "x"}),
        ("question_entities", ["x"]),
    ):
        data = json.loads(json.dumps(REPLIES["propositions"]))
        data[name].append(item)
        with pytest.raises(Unparsable, match=name):
            read_reply(json.dumps(data), PropositionsReply)
    data = json.loads(json.dumps(REPLIES["propositions"]))
    data["propositions"][0]["triples"].append({"subject": "x"})
    reply, notes = read_reply(json.dumps(data), PropositionsReply)
    assert (len(reply.propositions), len(reply.propositions[0].triples), len(notes)) == (2, 1, 1)


def test_a_reply_of_nothing_but_wrong_items_is_refused_soon() -> None:
    with pytest.raises(Unparsable):
        solved(*[{"id": "x"}] * 1000, RIGHT)


def test_the_run_is_told_and_the_model_not_asked_again(chat: ChatServer, ask: Callable[..., Any]) -> None:
    chat.script(json.dumps({"findings": [{**RIGHT, "id": 0.5}, {**RIGHT, "id": 2}], "memory": "m"}))
    replied = ask(SOLVE)
    assert [finding.id for finding in replied.reply.findings] == [2]
    assert (chat.count, len(replied.notes)) == (1, 1)
