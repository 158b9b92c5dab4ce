"""Answers of any engine: what is read, what is refused, and what their citations point at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pinakes_ask.evaluation.answer import Answer, Scores
from pinakes_ask.evaluation.answers import AnswersUnusable, read_answers
from pinakes_ask.evaluation.case import make_case
from pinakes_ask.evaluation.documents import own_documents
from pinakes_ask.evaluation.logic import NOT_SAID, logic_of
from pinakes_ask.evaluation.measured import NO_ROW, unanswered
from pinakes_ask.evaluation.measuring import measure_all
from pinakes_ask.evaluation.metric import Missing
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.question import EvalQuestion
from retrieval.errors import UsageError
from scoring.logicscore import WITHHELD
from tests.evaluation.made import CATALOGUE, QUESTION, UNANSWERABLE

BOTH = (QUESTION, UNANSWERABLE)
FULL: dict[str, Any] = {
    "id": "q1",
    "answer": "Dale",
    "statements": [
        {"text": "The Reed is a novel by Ann Bell.", "citations": [[0, 0]]},
        {"text": "Ann Bell was born in Dale.", "citations": [{"title": "Ann Bell", "quote": "born in Dale"}]},
    ],
    "retrieved": [{"title": "The Reed", "text": "The Reed is a novel by Ann Bell."}, "Dale"],
    "confidence": 0.7,
    "usage": {"calls": 2, "cost": 0.01},
}


def write(folder: Path, *rows: Any) -> Path:
    file = folder / "answers.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
    return file


def test_the_least_is_an_id_and_an_answer(tmp_path: Path) -> None:
    found = read_answers(write(tmp_path, {"id": "q1", "answer": "Dale"}, {"id": "q2", "answer": None}), BOTH)
    assert [(one.short, one.status) for one in found.by_id.values()] == [("Dale", "answered"), (None, "withheld")]
    assert found.by_id["q1"].statements is None


def test_statements_citations_and_what_it_took_are_read(tmp_path: Path) -> None:
    one = read_answers(write(tmp_path, FULL), BOTH).by_id["q1"]
    case = make_case(QUESTION, one, CATALOGUE)
    assert [document for _, document in case.cited] == ["0", "1"]
    assert case.found == ("0", "2")
    assert (one.confidence, one.usage["calls"], one.usage["seconds"]) == (0.7, 2, None)
    assert case.logic.own["completeness"] == 1.0
    assert case.logic.gold["completeness"] == 1.0


def test_a_long_answer_is_read_by_sentences(tmp_path: Path) -> None:
    row = {"id": "q1", "answer": "Dale", "long_answer": "The Reed is by Ann Bell. Ann Bell was born in Dale."}
    one = read_answers(write(tmp_path, row), BOTH).by_id["q1"]
    assert one.statements is not None
    assert len(one.statements) == 2
    assert one.cites is False


def test_the_prediction_file_of_hotpotqa(tmp_path: Path) -> None:
    file = tmp_path / "pred.json"
    file.write_text(json.dumps({"answer": {"q1": "Dale"}, "sp": {"q1": [["Ann Bell", 0], ["Dale", 0]]}}, indent=1))
    one = read_answers(file, BOTH).by_id["q1"]
    assert one.short == "Dale"
    assert [document for _, document in make_case(QUESTION, one, CATALOGUE).cited] == ["1", "2"]


def test_one_object_over_many_lines_is_one_answer(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps({"id": "q1", "answer": "Dale"}, indent=2))
    assert read_answers(file, BOTH).by_id["q1"].short == "Dale"


def test_musiques_predictions_may_say_that_there_is_no_answer(tmp_path: Path) -> None:
    row = {"id": "q1", "predicted_answer": "Dale", "predicted_answerable": False}
    assert read_answers(write(tmp_path, row), BOTH).by_id["q1"].short is None


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{", "no JSON"),
        ([1], "no JSON object"),
        ({"answer": "x"}, "no id"),
        ({"id": [1], "answer": "x"}, "neither a text nor a whole number"),
        ({"id": "q1"}, "no answer under 'answer'"),
        ({"id": "q1", "answer": ["x"]}, "neither a text nor null"),
        ({"id": "q1", "answer": "x", "question": "Another one?"}, "answers another question"),
        ({"id": "q1", "answer": "x", "retrieved": "The Reed"}, "'retrieved' is no list"),
        ({"id": "q1", "answer": "x", "retrieved": [{}]}, "names no document"),
        ({"id": "q1", "answer": "x", "statements": [3]}, "without a text"),
        ({"id": "q1", "answer": "x", "confidence": 2}, "from 0 to 1"),
        ({"id": "q1", "answer": "x", "usage": {"cost": -1}}, "'usage.cost' is no number"),
        ('{"id": "q1", "answer": "x", "usage": {"cost": Infinity}}', "Infinity is no JSON"),
        ('{"id": "q1", "answer": "x", "confidence": NaN}', "NaN is no JSON"),
        ('{"id": "q1", "answer": "\\ud800"}', "half of a character"),
        ('{"id": "q1", "answer": ' + "[" * 9000, "no JSON that can be read"),
        ('{"id": "q1", "answer": ' + "9" * 9000 + "}", "no JSON that can be read"),
        ({"id": "q1", "answer": "x", "propositions": [{"triples": []}]}, "propositions"),
        ({"id": "q1", "schema_version": 1, "status": "answered", "short_answer": "x", "statements": 3, "usage": {},
          "question": QUESTION.text, "settings": ""}, "no row of ours"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_named_by_its_line(row: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(AnswersUnusable, match=why) as caught:
        read_answers(write(tmp_path, {"id": "q2", "answer": "x"}, row), BOTH)
    assert [bad.line for bad in caught.value.lines] == [2]


def test_one_question_is_not_answered_twice(tmp_path: Path) -> None:
    row = {"id": "q1", "answer": "x"}
    with pytest.raises(AnswersUnusable, match="line 2: the id 'q1' has an answer already"):
        read_answers(write(tmp_path, row, row), BOTH)


def test_answers_to_other_questions_are_counted_and_passed_over(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "q1", "answer": "x"}, {"id": "strange", "answer": "x"})
    assert read_answers(file, BOTH).strangers == 1
    with pytest.raises(UsageError, match="none of its 1 rows"):
        read_answers(write(tmp_path, {"id": "strange", "answer": "x"}), BOTH)


def test_a_citation_of_what_was_not_offered_points_at_nothing(tmp_path: Path) -> None:
    row = {**FULL, "statements": [{"text": "x", "citations": [[9, 0]]}]}
    one = read_answers(write(tmp_path, row), BOTH).by_id["q1"]
    assert [document for _, document in make_case(QUESTION, one, CATALOGUE).cited] == [None]


def test_a_question_without_an_answer_is_missing_everywhere_and_wrong_nowhere(tmp_path: Path) -> None:
    answers = read_answers(write(tmp_path, {"id": "q1", "answer": "x"}), BOTH).by_id
    rows = measure_all(BOTH, answers, ())
    assert [one.status for one in rows] == ["answered", "missing"]
    assert rows[1] == unanswered(UNANSWERABLE, METRICS)
    assert (rows[1].values, set(rows[1].missing.values())) == ({}, {NO_ROW})


def test_an_engine_that_names_sources_names_none_where_it_says_nothing(tmp_path: Path) -> None:
    other = QUESTION.__class__("q3", "Where was Ann Bell born?", ("Dale",), paragraphs=QUESTION.paragraphs)
    questions = (QUESTION, other)
    found = read_answers(write(tmp_path, FULL, {"id": "q3", "answer": "Dale", "statements": []}), questions)
    rows = measure_all(questions, found.by_id, own_documents(questions))
    assert [one.values.get("citation_recall") for one in rows] == [1.0, 0.0]
    silent = read_answers(write(tmp_path, {"id": "q3", "answer": "Dale", "statements": []}), questions)
    assert silent.by_id["q3"].cites is False


def test_scores_of_a_row_without_its_transcript_are_taken_as_they_are() -> None:
    question = EvalQuestion("q", "Who wrote The Reed?", ("Ann Bell",))
    given = Scores({"completeness": 1.0, "essentiality": None, "determinateness": 0.0}, "undetermined")
    found = logic_of(question, Answer("q", "Ann Bell", scores=given))
    assert (found.own["completeness"], found.own["determinateness"]) == (1.0, 0.0)
    assert found.own["essentiality"] == Missing(NOT_SAID)
    assert found.failure_class == "undetermined"
    assert found.gold["completeness"] == Missing("the file gives no long answer")
    withheld = logic_of(question, Answer("q", None, scores=given))
    assert withheld.own["essentiality"] == Missing(WITHHELD)
