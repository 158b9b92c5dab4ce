"""From a reply's text to its model: what is looked through, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinakes_ask.models.endpoint.parsing import Unparsable, parse_reply
from pinakes_ask.models.endpoint.schema import strict_schema
from pinakes_ask.tasks import Finding, PlanReply, ReinferReply, SolveReply, Task, WriteReply
from scoring.extract.model import PropositionsReply
from tests.endpoint.server import schema_complaints
from tests.endpoint.tasks import REPLIES, TASKS

GOOD = '{"reasoning": "r", "short_answer": "Dale"}'
DALE = ReinferReply(reasoning="r", short_answer="Dale")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_schemas_use_only_what_strict_servers_accept(task: Task[Any]) -> None:
    schema = dict(strict_schema(task.reply_model))
    assert schema_complaints(schema) == []
    assert "probability" not in schema["properties"]
    assert next(iter(strict_schema(PlanReply)["properties"])) == "reasoning"


def test_an_optional_text_is_a_union_with_null() -> None:
    assert strict_schema(ReinferReply)["properties"]["short_answer"] == {"type": ["string", "null"]}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.kind)
def test_a_right_reply_is_taken_as_it_is(task: Task[Any]) -> None:
    reply = parse_reply(json.dumps(REPLIES[task.kind]), task.reply_model)
    assert reply == task.reply_model.model_validate(REPLIES[task.kind])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nI hope this helps {{really}}.",
        f"Here is the reply: {GOOD}",
        f"{GOOD} That follows from [1] and [2].",
        f"<think>So {{1}} is {{'a': 2}} or {{\"short_answer\": \"Orm\"}}.</think>\n{GOOD}",
        f"So it may be {{\"short_answer\": \"Orm\"}}.</think>{GOOD}",
        f'<think>One says "</think>" here.</think>{GOOD}',
        f'{{"json": {GOOD}}}',
        f'{{"name": "reply", "arguments": {GOOD}}}',
        '{"reasoning": "r", "short_answer": "Dale", "confidence": 0.9, "notes": {"a": []}}',
        '\ufeff \n{"reasoning": "r",\n "short_answer": "Dale"}',
    ],
)  # fmt: skip
def test_what_surrounds_the_reply_is_looked_through(text: str) -> None:
    assert parse_reply(text, ReinferReply) == DALE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("The answer is Dale.", "no JSON object"),
        ('[{"reasoning": "r", "short_answer": "Dale"}]', "a list"),
        ('{"reasoning": "r", "short_answer": "Da', "no JSON object"),
        ("{'short_answer': 'Dale'}", "no JSON object"),
        ("{}", "none of the fields"),
        ('{"reasoning": "only"}', "none of the fields"),
        ('{"a": {"b": {"short_answer": "Dale"}}}', "none of the fields"),
        ('{"short_answer": ["Dale", "Orm"]}', "short_answer"),
        ("<think>I go on and on {", "no JSON object"),
        ('<think>{"short_answer": "Dale"}', "no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ('{"short_answer":' * 20_000, "no JSON object"),
        ('{"short_answer": NaN}', "no JSON object"),
        ("x" * 500_000, "longer"),
    ],
)
def test_what_is_no_reply_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Unparsable, match=why):
        parse_reply(text, ReinferReply)


def finding(**changes: Any) -> Finding:
    data = {"findings": [{**REPLIES["solve"]["findings"][0], **changes}]}
    return parse_reply(json.dumps(data), SolveReply).findings[0]


def test_values_in_another_spelling_are_what_the_field_wants() -> None:
    assert finding(supported="false").supported is False
    assert finding(id="2").id == 2
    assert finding(answer=1961).answer == "1961"
    assert finding(answer="null").answer is None
    assert finding(citations=[{"passage": "3", "sentence": "2"}]).citations[0].sentence == 2
    assert finding(reasoning=None).reasoning == ""
    assert finding(answer="\ud800x").answer == "?x"
    plan = parse_reply('{"form": "Chain", "sub_questions": [{"question": "Who?", "needs": ["1"]}]}', PlanReply)
    assert (plan.form, plan.sub_questions[0].needs) == ("chain", (1,))
    missing = parse_reply('{"missing": [{"question": "Where?"}]}', SolveReply)
    assert missing.missing == ("Where?",)


def test_a_truth_value_that_is_none_is_refused() -> None:
    with pytest.raises(Unparsable, match=r"findings\.0\.supported"):
        finding(supported="perhaps")


def test_a_made_up_probability_is_not_taken() -> None:
    assert parse_reply('{"short_answer": "Dale", "probability": 95}', WriteReply).probability is None


def test_a_field_that_has_no_default_must_be_there() -> None:
    data = {key: value for key, value in REPLIES["propositions"].items() if key != "propositions"}
    with pytest.raises(Unparsable, match="propositions: Field required"):
        parse_reply(json.dumps(data), PropositionsReply)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Task[Any], str]:
    """A task and its right reply with values exchanged, fields lost, and the text cut or wrapped."""
    task = draw(st.sampled_from(TASKS))
    data = json.loads(json.dumps(REPLIES[task.kind]))
    for _ in range(draw(st.integers(0, 3))):
        at: Any = data
        while True:
            keys: list[Any] = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and draw(st.booleans()):
                at = at[key]
                continue
            if draw(st.booleans()):
                at[key] = draw(JSON)
            else:
                del at[key]
            break
    text = json.dumps(data)
    cut = draw(st.integers(0, 20))
    text = text[: len(text) - cut] if cut < 5 else text
    before, after = draw(st.sampled_from([("", ""), ("<think>{</think>", ""), ("```json\n", "\n```"), ("[", "]")]))
    return task, before + text + after


@settings(max_examples=1500, deadline=None)
@given(mutated())
def test_no_reply_crashes_a_task(case: tuple[Task[Any], str]) -> None:
    task, text = case
    try:
        reply = parse_reply(text, task.reply_model)
    except Unparsable as error:
        assert str(error)
    else:
        assert isinstance(reply, task.reply_model)
        reply.model_dump_json().encode("utf-8")
