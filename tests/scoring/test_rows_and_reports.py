"""Files of answers in both shapes, records, summaries and explanations."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from scoring.errors import AnswerFileError
from scoring.explain import as_mermaid, as_tree, why_off
from scoring.extract.given import from_triples
from scoring.job import Scored, score_rows
from scoring.logicscore import score
from scoring.rows import read_rows
from scoring.summary import summarise
from scoring.types import Triple

GIVEN = {
    "id": "deep",
    "question": "What station lies in the capital of the state by the Milwaukee Deep?",
    "short_answer": "Main Street Station",
    "gold": "Main Street Station",
    "question_entities": ["Milwaukee Deep"],
    "form": "chain",
    "plan_hops": 3,
    "reinferred": "Main Street Station",
    "propositions": [
        {"text": "Milwaukee Deep lies off Virginia.", "triples": [["Milwaukee Deep", "lies off", "Virginia"]]},
        {"text": "Virginia has the capital Richmond.", "triples": [["Virginia", "has the capital", "Richmond"]]},
        {"text": "Richmond has Main Street Station.", "triples": [["Richmond", "has", "Main Street Station"]]},
        {"text": "Richmond has a zoo.", "triples": [["Richmond", "has", "Metro Zoo"]]},
        {"text": "Paris is in France.", "triples": [["Paris", "is in", "France"]]},
        {"text": "Richmond is not Paris.", "triples": [["Richmond", "is", "Paris", True]]},
        {"text": "So it is Main Street Station.", "triples": [["Milwaukee Deep", "so", "Main Street Station"]]},
        {"text": "Nothing.", "role": "meta"},
        {"text": "Virginia has the capital Richmond.", "triples": [["Virginia", "has the capital", "Richmond"]]},
    ],
}


def scored(*rows: dict[str, Any]) -> list[Scored]:
    parsed = list(read_rows([json.dumps(row) for row in rows], "answers.jsonl"))

    async def run() -> list[Scored]:
        return [one async for one in score_rows(parsed, use_parser=False)]

    return asyncio.run(run())


def test_a_given_extraction_and_the_record() -> None:
    (one,) = scored(GIVEN)
    assert one.record["path"] == [0, 1, 2] or one.record["path"] == [0, 8, 2]
    assert one.record["essentiality"] == 3 / 7
    assert list(one.record) == [
        "id", "anchor", "completeness", "essentiality", "determinateness", "class", "gap", "path",
        "not_applicable", "paper",
    ]  # fmt: skip
    assert one.record["paper"] == {"completeness": 1, "essentiality": 1 / 9, "determinateness": 1}


def test_stage_files_of_the_original_pipeline() -> None:
    stage = {
        "query": "Where was the director of Night Harbour born?",
        "context": ["Night Harbour was directed by Lena Voss."],
        "statements": ["Night Harbour was directed by Lena Voss.", "Lena Voss was born in Oslo."],
        "predict_answer": "Oslo",
        "gold_answer": "Oslo",
        "logic_answer": "Oslo",
    }
    (one,) = scored(stage)
    assert (one.record["id"], one.record["anchor"]) == ("1", "gold")
    assert (one.record["completeness"], one.record["determinateness"]) == (1, 1)


def test_one_json_list_is_a_file_too() -> None:
    text = json.dumps([GIVEN, {**GIVEN, "id": "two"}], indent=1)
    assert [row.id for row in read_rows(text.splitlines(), "x.json")] == ["deep", "two"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": 3}, "question"),
        ({}, "question"),
        ({"id": "a", "question": "Q?", "form": "riddle"}, "form"),
        ({"id": "a", "question": "Q?", "propositions": [{"text": "x", "triples": [["a", "b"]]}]}, "propositions"),
        ([], "no JSON object"),
    ],
)
def test_other_shapes_are_refused_by_line_and_field(row: object, message: str) -> None:
    lines = [json.dumps(GIVEN), json.dumps(row) if row != [] else "3"]
    with pytest.raises(AnswerFileError, match=message) as caught:
        list(read_rows(lines, "answers.jsonl"))
    assert "line 2" in str(caught.value)


def test_an_id_used_twice_is_refused() -> None:
    with pytest.raises(AnswerFileError, match="twice"):
        list(read_rows([json.dumps(GIVEN)] * 2, "answers.jsonl"))


def test_citations_are_checked_where_there_are_any() -> None:
    row = {
        "id": "a",
        "question": "Where was Lena Voss born?",
        "short_answer": "Oslo",
        "statements": [{"text": "Lena Voss was born in Oslo.", "citations": [[0, 0], [0, 7]]}],
        "passages": [{"title": "Lena Voss", "text": "She was born in Oslo. She paints."}],
    }
    (one,) = scored(row)
    assert one.record["citations"]["unresolved"] == 1
    assert one.record["citations"]["recall"] == 1.0


def test_the_summary_counts_everyone() -> None:
    records = [one.record for one in scored(GIVEN, {"id": "n", "question": "Is it?", "short_answer": None})]
    summary = summarise(records)
    assert summary["answers"] == 2
    for measure in ("completeness", "essentiality", "determinateness"):
        assert summary[measure]["count"] + sum(summary["not_applicable"][measure].values()) == 2


def test_every_proposition_off_the_path_is_explained() -> None:
    (one,) = scored(GIVEN)
    reasons = why_off(one.extraction, one.verdict)
    assert set(reasons) | set(one.verdict.path.propositions) == set(range(9))
    assert reasons[3] == "connected, but not needed"
    assert reasons[4] == "connected to nothing that the question names"
    assert reasons[5] == "negated, so it connects nothing"
    assert reasons[6] == "a conclusion"
    assert "says again" in reasons[8] or "says again" in reasons[1]
    assert "path" in as_tree(one.extraction, one.verdict)


def test_mermaid_escapes_what_names_hold() -> None:
    evil = {
        "id": "e",
        "question": "Q?",
        "short_answer": 'B"]; click n0 "javascript:x',
        "question_entities": ["A1"],
        "form": "chain",
        "propositions": [{"text": "x", "triples": [["A1", "r", 'B"]; click n0 "javascript:x']]}],
    }
    (one,) = scored(evil)
    chart = as_mermaid(one.verdict)
    assert one.record["completeness"] == 1
    assert (chart.count('"'), chart.count("["), chart.count("]")) == (4, 2, 2)
    assert "#34;" in chart


def test_a_gap_is_drawn() -> None:
    broken = {**GIVEN, "propositions": [GIVEN["propositions"][0], GIVEN["propositions"][2]]}
    (one,) = scored(broken)
    assert one.record["gap"]["text"] == "nothing connects Virginia to Richmond"
    assert "nothing" in as_mermaid(one.verdict)
    assert "gap: nothing connects" in as_tree(one.extraction, one.verdict)


def test_bare_triples_make_an_extraction() -> None:
    triples = [Triple("Night Harbour", "directed by", "Lena Voss"), Triple("Lena Voss", "born in", "Oslo")]
    one = from_triples("Where was the director of Night Harbour born?", triples, "Oslo")
    assert one.question_entities == ("Night Harbour",)
    assert score(one, short_answer="Oslo").essentiality == 1.0
