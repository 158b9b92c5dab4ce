"""Extraction by a language model: two calls, and nothing in a reply is believed unchecked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from scoring.errors import ReplyError
from scoring.extract.model import (
    PropositionsReply,
    PropositionsRequest,
    ReinferenceReply,
    ReinferenceRequest,
    evidence_only,
    extract_with,
    from_reply,
    is_span,
    prompt,
)
from scoring.job import score_rows
from scoring.logicscore import score
from scoring.repeats import agreement
from scoring.rows import Row
from scoring.validate.measure import by_model, validate

QUESTION = "Where was the director of Night Harbour born?"
STATEMENTS = ("Night Harbour was directed by Lena Voss.", "She was born in Tromsø, so the answer is Tromsø.")
REQUEST = PropositionsRequest(question=QUESTION, short_answer="Tromsø", statements=STATEMENTS)


def reply(**changes: Any) -> PropositionsReply:
    data: dict[str, Any] = {
        "reasoning": "",
        "question_entities": ["Night Harbour"],
        "persons": ["Lena Voss"],
        "form": "chain",
        "branches": [],
        "propositions": [
            {
                "statement": 1,
                "text": "Night Harbour was directed by Lena Voss",
                "role": "body",
                "triples": [triple("Night Harbour", "Lena Voss")],
                "coreferences": [],
            },
            {
                "statement": 2,
                "text": "She was born in Tromsø",
                "role": "body",
                "triples": [triple("She", "Tromsø")],
                "coreferences": [{"mention": "She", "entity": "Lena Voss"}],
            },
        ],
    }
    return PropositionsReply.model_validate(data | changes)


def triple(subject: str, value: str) -> dict[str, Any]:
    return {"subject": subject, "relation": "r", "object": value, "negated": False}


class FakeModel:
    """Replies what it was given, and remembers what it was asked."""

    def __init__(self, *replies: PropositionsReply | ReplyError, short_answer: str | None = "Tromsø") -> None:
        self.replies, self.short_answer = list(replies), short_answer
        self.asked: list[BaseModel] = []

    async def propositions(self, request: PropositionsRequest) -> PropositionsReply:
        self.asked.append(request)
        found = self.replies.pop(0)
        if isinstance(found, ReplyError):
            raise found
        return found

    async def reinfer(self, request: ReinferenceRequest) -> ReinferenceReply:
        self.asked.append(request)
        return ReinferenceReply(reasoning="", short_answer=self.short_answer)


def test_two_calls_an_answer() -> None:
    model = FakeModel(reply())
    one = asyncio.run(extract_with(model, QUESTION, STATEMENTS, "Tromsø"))
    assert len(model.asked) == 2
    verdict = score(one, short_answer="Tromsø")
    assert (verdict.completeness, verdict.essentiality, verdict.determinateness) == (1, 1.0, 1)
    assert one.method == "model"


def test_no_inference_is_d_0_and_a_withheld_answer_is_not_inferred() -> None:
    one = asyncio.run(extract_with(FakeModel(reply(), short_answer=None), QUESTION, STATEMENTS, "Tromsø"))
    assert score(one, short_answer="Tromsø").determinateness == 0
    model = FakeModel(reply())
    asyncio.run(extract_with(model, QUESTION, STATEMENTS, None))
    assert len(model.asked) == 1


def test_what_is_no_span_is_dropped_and_counted() -> None:
    bad = {
        "statement": 1,
        "text": "Night Harbour was directed by Lena Voss",
        "role": "body",
        "triples": [triple("Night Harbour", "Oslo"), triple("Night", "Voss"), triple("Night Harbour", "Len")],
        "coreferences": [{"mention": "She", "entity": "Lena Voss"}, {"mention": "Voss", "entity": "Nobody"}],
    }
    absent = bad | {"statement": 9}
    one = from_reply(reply(propositions=[bad, absent], question_entities=["Night Harbour", "Oslo"]), REQUEST)
    assert [(t.subject, t.object) for t in one.propositions[0].triples] == [("Night", "Voss")]
    assert dict(one.dropped) == {
        "triple with an argument that is no span of its proposition": 2,
        "coreference without a mention or an entity": 2,
        "proposition of a statement that does not exist": 1,
        "question entity not in the question": 1,
    }
    assert score(one, short_answer="Tromsø").counts["dropped"] == 6


def test_given_roles_and_forms_win() -> None:
    one = from_reply(reply(form="comparison"), REQUEST, form="chain", plan_hops=2)
    assert one.form == "chain"
    assert [p.role for p in one.propositions] == ["body", "body"]


def test_an_empty_reply_is_a_failed_extraction() -> None:
    one = from_reply(reply(propositions=[]), REQUEST)
    assert score(one, short_answer="Tromsø").failure_class == "extraction_failed"


def test_only_evidence_is_shown_for_the_second_call() -> None:
    one = from_reply(reply(), REQUEST)
    texts = (*STATEMENTS, "So the answer is: Tromsø.")
    assert evidence_only(one, texts) == STATEMENTS


def test_a_row_that_the_model_fails_on_is_counted_and_the_others_go_on() -> None:
    rows = [
        Row.model_validate(
            {
                "id": n,
                "question": QUESTION,
                "statements": [{"text": t} for t in STATEMENTS],
                "short_answer": "Tromsø",
            }
        )
        for n in ("a", "b")
    ]
    model = FakeModel(ReplyError("No extraction", "the reply was prose", "Try again"), reply())

    async def run() -> list[dict[str, Any]]:
        return [one.record async for one in score_rows(rows, model=model, concurrency=1)]

    first, second = asyncio.run(run())
    assert first["class"] == "extraction_failed"
    assert "prose" in first["not_applicable"]["completeness"]
    assert second["completeness"] == 1


def test_repeats_that_differ_are_uncertain() -> None:
    row = Row.model_validate(
        {
            "id": "a",
            "question": QUESTION,
            "statements": [{"text": t} for t in STATEMENTS],
            "short_answer": "Tromsø",
        }
    )
    half = reply(propositions=[reply().propositions[0].model_dump()])
    model = FakeModel(reply(), half, reply())

    async def run() -> dict[str, Any]:
        return (await anext(score_rows([row], model=model, repeats=3))).record

    record = asyncio.run(run())
    assert record["uncertain"] is True
    assert record["completeness"] == 1
    shares = {(edge["from"], edge["to"]): edge["share"] for edge in record["agreement"]}
    assert shares == {("lena voss", "night harbour"): 1.0, ("lena voss", "tromso"): 2 / 3}


def test_validation_by_a_model() -> None:
    row = {
        "id": "v",
        "question": QUESTION,
        "answer": "Tromsø",
        "type": "compositional",
        "evidences": [["Night Harbour", "director", "Lena Voss"], ["Lena Voss", "place of birth", "Tromsø"]],
    }

    class Perfect(FakeModel):
        async def propositions(self, request: PropositionsRequest) -> PropositionsReply:
            return reply()

    result = validate([row], by_model(Perfect()))
    assert result.by_kind["template"].sensitivity == 1.0


def test_agreement_of_one_with_itself() -> None:
    one = from_reply(reply(), REQUEST)
    verdict = score(one, short_answer="Tromsø")
    agreed = agreement([one, one], [verdict, verdict])
    assert (agreed.unanimous, agreed.mean) == (True, 1.0)


@pytest.mark.parametrize(
    ("part", "text", "found"),
    [
        ("India", "She lives in Indiana", False),
        ("night harbour", "Night  Harbour was", True),
        ("", "anything", False),
        ("Tromso", "in Tromsø", True),
    ],
)
def test_spans_are_whole_words(part: str, text: str, found: bool) -> None:
    assert is_span(part, text) is found


def test_replies_are_strict_and_reason_first() -> None:
    with pytest.raises(ValidationError):
        PropositionsReply.model_validate({"reasoning": ""})
    for model in (PropositionsReply, ReinferenceReply):
        schema = model.model_json_schema()
        assert next(iter(schema["properties"])) == "reasoning"
        for part in [schema, *schema.get("$defs", {}).values()]:
            assert part["additionalProperties"] is False
            assert set(part["required"]) == set(part["properties"])
        used = set(json.dumps(schema).replace('"', " ").split())
        assert not used & {
            "pattern",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "format",
            "oneOf",
            "default",
        }


def test_the_examples_in_the_prompts_are_valid_replies_and_data_comes_last() -> None:
    text = prompt("propositions")
    example = next(line for line in text.splitlines() if line.startswith("{"))
    found = from_reply(PropositionsReply.model_validate_json(example), REQUEST)
    assert found.dropped == ()
    assert score(found, short_answer="Tromsø").completeness == 1
    for line in prompt("reinfer").splitlines():
        if line.startswith("{") and line != "{request}":
            ReinferenceReply.model_validate_json(line)
    for name in ("propositions", "reinfer"):
        assert prompt(name).rstrip().endswith("REQUEST\n{request}\nEND")  # type: ignore[arg-type]


@pytest.mark.parametrize("named", [[], ["the harbour film"]], ids=["none", "none that stands in the question"])
def test_question_entities_that_the_model_leaves_out_are_found_in_the_question(named: list[str]) -> None:
    extraction = from_reply(reply(question_entities=named), REQUEST)
    assert extraction.question_entities == ("Night Harbour",)
    assert score(extraction, short_answer="Tromsø").completeness == 1
