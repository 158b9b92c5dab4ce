"""What the first implementation of the measures got wrong, each with the right behaviour."""

from __future__ import annotations

import json

import pytest
from scoring_worlds import chain, comparison, fact

from scoring.errors import AnswerFileError
from scoring.extract import extract
from scoring.extract.given import from_propositions
from scoring.logicscore import score
from scoring.rows import read_rows
from scoring.summary import summarise
from scoring.types import Coreference, Extraction, Proposition, Triple


def test_a_concluding_sentence_does_not_close_its_own_gap() -> None:
    facts = [
        fact("Virginia", "has the capital", "Richmond"),
        fact("Milwaukee Deep", "so is the answer for", "Main Street Station"),
    ]
    one = from_propositions(
        "What station lies in the capital of the state by the Milwaukee Deep?",
        facts,
        "Main Street Station",
        entities=["Milwaukee Deep"],
        form="chain",
        plan_hops=4,
    )
    assert [p.role for p in one.propositions] == ["body", "head"]
    verdict = score(one, short_answer="Main Street Station")
    assert (verdict.completeness, verdict.failure_class) == (0, "head_only")
    assert score(one, short_answer="Main Street Station", gold=["Main Street Station"]).paper.completeness == 1


def test_a_given_role_wins_over_the_head_rule() -> None:
    facts = [fact("Milwaukee Deep", "lies near", "Richmond")]
    one = from_propositions(
        "Q?", facts, "Richmond", with_role=[True], entities=["Milwaukee Deep"], form="chain", plan_hops=2
    )
    assert one.propositions[0].role == "body"


def test_a_comparison_without_the_compared_values_is_not_complete() -> None:
    one = comparison()
    bare = Extraction(
        (fact("Film One", "is older than", "Film Two"),),
        one.question_entities,
        form="comparison",
        branches=one.branches,
    )
    verdict = score(bare, short_answer="Film One")
    assert (verdict.completeness, verdict.failure_class) == (0, "broken")


@pytest.mark.parametrize(
    ("said", "answer"),
    [("Mexico City", "Mexico"), ("Indiana", "India"), ("Wilmington International Airport", "Wilmington")],
)
def test_a_part_of_a_name_is_another_name(said: str, answer: str) -> None:
    verdict = score(chain(["Start", said]), short_answer=answer)
    assert (verdict.completeness, verdict.failure_class) == (0, "answer_unstated")


def test_a_bridge_inside_the_answers_name_is_kept() -> None:
    verdict = score(
        chain(["Start", "Richmond", "Richmond Main Street Station"]), short_answer="Richmond Main Street Station"
    )
    assert verdict.path.nodes == ("Start", "Richmond", "Richmond Main Street Station")
    assert verdict.essentiality == 1.0


def test_the_pronoun_he_is_not_the_hague() -> None:
    one = Extraction((fact("Spinoza", "lived in", "The Hague"), fact("He", "ground", "Lenses")), ("Spinoza",))
    verdict = score(one, short_answer="Lenses")
    assert (verdict.completeness, verdict.failure_class) == (0, "unresolved_reference")


def test_two_undeclared_pronouns_are_two_entities_and_a_declared_one_is_its_antecedent() -> None:
    facts = (fact("He", "lived in", "The Hague"), fact("He", "ground", "Lenses"))
    assert score(Extraction(facts, ("The Hague",)), short_answer="Lenses").completeness == 0
    declared = tuple(
        Proposition(p.text, p.triples, p.statement, "body", (Coreference("He", "Spinoza"),)) for p in facts
    )
    assert score(Extraction(declared, ("The Hague",)), short_answer="Lenses").completeness == 1


def test_a_gold_alias_counts() -> None:
    one = chain(["Start", "the U.S.A."])
    assert score(one, short_answer=None, gold=["United States", "USA"]).completeness == 1


@pytest.mark.parametrize("spelt", ["March 20, 851", "20 March 851", "20th of March 851"])
def test_spellings_of_a_date_are_one_date(spelt: str) -> None:
    one = chain(["Start", "20 March 851"], reinferred=spelt)
    verdict = score(one, short_answer=spelt)
    assert (verdict.completeness, verdict.determinateness) == (1, 1)


def test_bad_json_is_refused_once_with_its_line() -> None:
    with pytest.raises(AnswerFileError, match="line 2"):
        list(read_rows(['{"id": 1, "question": "Q?"}', "{bad"], "answers.jsonl"))


def test_text_is_never_evaluated() -> None:
    attack = "__import__('os').system('touch pwned')"
    lines = [json.dumps({"id": "a", "question": attack, "long_answer": attack, "short_answer": attack})]
    row = next(read_rows(lines, "answers.jsonl"))
    verdict = score(row.extraction(use_parser=False), short_answer=attack)
    assert verdict.failure_class in {"extraction_failed", "answer_unstated", "question_unmentioned", None}


def test_yes_no_questions_are_counted_and_not_lost_from_averages() -> None:
    one = Extraction((fact("A1", "is", "Big"),), ("A1",), form="yes/no")
    verdict = score(one, short_answer="yes")
    assert verdict.completeness is None
    assert "compared or counted things" in verdict.not_applicable["completeness"]
    summary = summarise([{**verdict.to_json()}])
    assert summary["answers"] == 1
    assert summary["completeness"]["count"] == 0
    assert sum(summary["not_applicable"]["completeness"].values()) == 1


def test_yes_is_no_terminal_of_a_yes_no_question() -> None:
    one = extract(
        "Are Film One and Film Two both American?",
        ["Film One is American.", "Film Two is American.", "So yes, both are."],
        "yes",
        use_parser=False,
    )
    assert one.form == "yes/no"


def test_negated_facts_connect_nothing() -> None:
    denied = Proposition("Start is not the end.", (Triple("Start", "is", "End", True),))
    verdict = score(Extraction((denied,), ("Start",)), short_answer="End")
    assert (verdict.completeness, verdict.essentiality) == (0, 0.0)


def test_two_unrelated_facts_in_one_sentence_connect_nothing() -> None:
    both = Proposition("A1 is B1, and C1 is D1.", (Triple("A1", "is", "B1"), Triple("C1", "is", "D1")))
    assert score(Extraction((both,), ("A1",)), short_answer="D1").completeness == 0
