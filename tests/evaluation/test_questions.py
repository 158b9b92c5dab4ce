"""Question sets in their public shapes, and what cannot be asked or measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pinakes_ask.batch.errors import QuestionsUnusable
from pinakes_ask.batch.lines import Unusable
from pinakes_ask.evaluation.documents import Catalogue, gold_of, own_documents
from pinakes_ask.evaluation.reading import choose, read_set
from pinakes_ask.evaluation.shapes import question_of
from retrieval.errors import UsageError
from tests.conftest import SAMPLE

HOTPOT: dict[str, Any] = {
    "_id": "5a",
    "question": "Where was the author of The Reed born?",
    "answer": "Dale",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["The Reed", 0], ["Ann Bell", 1], ["Ann Bell", 99]],
    "context": [
        ["The Reed", ["The Reed is a novel by Ann Bell."]],
        ["Ann Bell", ["Ann Bell wrote.", " She was born in Dale."]],
        ["Dale", ["Dale is a town."]],
    ],
}
HUB = {
    **{key: value for key, value in HOTPOT.items() if key != "_id"},
    "id": "5a",
    "supporting_facts": {"title": ["The Reed", "Ann Bell"], "sent_id": [0, 1]},
    "context": {
        "title": ["The Reed", "Ann Bell", "Dale"],
        "sentences": [one[1] for one in HOTPOT["context"]],
    },
}
WIKI = {
    **HOTPOT,
    "type": "compositional",
    "evidences": [["The Reed", "author", "Ann Bell"], ["Ann Bell", "place of birth", "Dale"]],
    "answer_id": "Q1",
    "context": json.dumps(HOTPOT["context"]),
    "supporting_facts": json.dumps(HOTPOT["supporting_facts"]),
}
MUSIQUE: dict[str, Any] = {
    "id": "3hop1__1_2_3",
    "question": "Where was the author of The Reed born?",
    "answer": "Dale",
    "answer_aliases": ["Dale Town", ""],
    "answerable": True,
    "question_decomposition": [{"id": 1}, {"id": 2}, {"id": 3}],
    "paragraphs": [
        {"idx": 0, "title": "The Reed", "paragraph_text": "The Reed is a novel.", "is_supporting": True},
        {"idx": 1, "title": "Dale", "paragraph_text": "Dale is a town.", "is_supporting": False},
    ],
}


@pytest.mark.parametrize("record", [HOTPOT, HUB, WIKI], ids=["hotpotqa", "as columns", "2wiki with json texts"])
def test_hotpotqa_and_2wikimultihopqa(record: dict[str, Any]) -> None:
    question = question_of(record)
    assert (question.id, question.answers, question.type, question.hops) == ("5a", ("Dale",), record["type"], 2)
    assert [one.title for one in question.gold_paragraphs] == ["The Reed", "Ann Bell"]
    assert question.paragraphs[1].text == "Ann Bell wrote. She was born in Dale."
    assert question.paragraphs[1].gold_sentences == (" She was born in Dale.",)
    assert question.paragraphs[2].supporting is False


def test_musique_with_its_aliases_and_hops() -> None:
    question = question_of(MUSIQUE)
    assert (question.answers, question.type, question.hops) == (("Dale", "Dale Town"), "3hop1", 3)
    assert [one.title for one in question.gold_paragraphs] == ["The Reed"]
    assert question.gold_paragraphs[0].gold_sentences is None


def test_an_unanswerable_question_has_no_answer_whatever_stands_there() -> None:
    assert question_of({**MUSIQUE, "answerable": False}).answers == ()
    assert question_of({"id": 7, "question": "Who is it?", "answer": None}).answerable is False


def test_the_sample_questions_are_readable() -> None:
    found = read_set(SAMPLE / "questions.jsonl")
    assert (found.name, len(found.questions)) == ("sample", 20)
    assert [one.answerable for one in found.questions].count(False) == 2
    assert found.questions[4].supporting == ("docs/works/the-lantern-suite.md", "docs/people/elspeth-carrow.md")
    assert found.questions[4].hops == 2


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"question": ""}, "no word"),
        ({"question": 5}, "no text under 'question'"),
        ({"question": "x" * 5000}, "too long"),
        ({"answer": 5.5}, ""),
        ({"answer": []}, "neither a text nor null"),
        ({"answer": " "}, "neither a text nor null"),
        ({"_id": None}, "no id"),
        ({"_id": True}, "no id"),
        ({"_id": "a\nb"}, "control characters"),
        ({"context": [["The Reed"]]}, "'context' is no list of pairs"),
        ({"context": "no json"}, "'context' is a text and no JSON"),
        ({"context": [["The Reed", "text"]]}, "no list of sentences"),
        ({"supporting_facts": [["The Reed", "0"]]}, "no sentence number"),
        ({"hops": "2"}, "no whole number"),
        ({"aliases": "Dale"}, "no list of texts"),
    ],
)
def test_what_cannot_be_measured_says_why(change: dict[str, Any], why: str) -> None:
    record = {**HOTPOT, **change}
    if not why:
        assert question_of(record).answers == ("5.5",)
        return
    with pytest.raises(Unusable, match=why):
        question_of(record)


def test_a_record_without_an_answer_is_not_taken_for_unanswerable() -> None:
    with pytest.raises(Unusable, match="no gold answer"):
        question_of({"id": "1", "question": "Who is it?"})


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    good = {"id": "1", "question": "Who is it?", "answer": "Ann"}
    lines = [json.dumps(good), "{", "", json.dumps([1]), json.dumps(good), json.dumps({**good, "id": "2"})]
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(QuestionsUnusable) as caught:
        read_set(file)
    assert [(bad.line, bad.why) for bad in caught.value.lines] == [
        (2, "it is no JSON: expecting property name enclosed in double quotes at character 2"),
        (4, "it is no JSON object"),
        (5, "the id '1' stands in line 1 already"),
    ]


def test_one_array_is_read_as_the_sets_publish_it(tmp_path: Path) -> None:
    file = tmp_path / "hotpot_dev.json"
    file.write_text(json.dumps([HOTPOT, {**HOTPOT, "_id": "5b"}], indent=1), encoding="utf-8-sig")
    assert [one.id for one in read_set(file).questions] == ["5a", "5b"]
    file.write_bytes(b'[{"a": "\xff"}]')
    with pytest.raises(QuestionsUnusable, match="no UTF-8"):
        read_set(file)


def test_an_empty_or_missing_file_is_told_apart_from_a_bad_one(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    for file, why in ((tmp_path / "empty.jsonl", "it holds no question"), (tmp_path / "nowhere", "No such file")):
        with pytest.raises(UsageError, match=why):
            read_set(file)


def test_a_limit_chooses_at_random_by_the_seed_and_keeps_the_order() -> None:
    questions = [question_of({"id": n, "question": f"Who is {n}?", "answer": "x"}) for n in range(50)]
    chosen = [one.id for one in choose(questions, 10, 3)]
    assert chosen == [one.id for one in choose(questions, 10, 3)]
    assert chosen != [one.id for one in choose(questions, 10, 4)]
    assert chosen == sorted(chosen, key=int)
    assert len(set(chosen)) == 10
    assert chosen != [str(n) for n in range(10)]
    assert choose(questions, 99, 0) == tuple(questions)


def test_evidence_is_found_by_text_where_titles_are_shared() -> None:
    twins = [{"title": "Dale", "paragraph_text": text, "is_supporting": n == 1} for n, text in enumerate("AB")]
    question = question_of({**MUSIQUE, "paragraphs": twins})
    documents = own_documents([question, question])
    assert [one.id for one in documents] == ["0", "1"]
    assert gold_of(question, Catalogue(documents)) == (frozenset({"1"}), "")
