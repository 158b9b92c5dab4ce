"""The failure classes, their precedence, the gap, and the examples the measures are told by."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scoring_worlds import chain, comparison, fact

from scoring.answers import contradicts_values
from scoring.identity import Names
from scoring.logicscore import NO_GOLD, WITHHELD, score
from scoring.types import Branch, Extraction, Proposition

TOP_GUN = ["Top Gun theme", "Steve Stevens", "Atomic Playboys", "Warner Bros. Records"]
DEEP = ["Milwaukee Deep", "Atlantic Ocean", "Virginia", "Richmond", "Main Street Station"]


def test_top_gun_with_and_without_its_link() -> None:
    whole = chain(TOP_GUN)
    assert score(whole, short_answer=TOP_GUN[-1]).completeness == 1
    without = replace(whole, propositions=whole.propositions[:1] + whole.propositions[2:])
    verdict = score(without, short_answer=TOP_GUN[-1])
    assert (verdict.completeness, verdict.failure_class) == (0, "broken")
    assert verdict.gap is not None
    assert verdict.gap.text == "nothing connects Steve Stevens to Atomic Playboys"


@pytest.mark.parametrize("gone", range(4))
def test_milwaukee_deep(gone: int) -> None:
    whole = chain(DEEP)
    assert score(whole, short_answer=DEEP[-1]).path.nodes == tuple(DEEP)
    left = whole.propositions[:gone] + whole.propositions[gone + 1 :]
    verdict = score(replace(whole, propositions=left), short_answer=DEEP[-1])
    assert verdict.gap is not None
    assert (verdict.gap.source, verdict.gap.target) == (DEEP[gone], DEEP[gone + 1])


def philae(*facts: Proposition, **more: object) -> Extraction:
    return Extraction(facts, ("Philae",), form="chain", plan_hops=3, **more)  # type: ignore[arg-type]


PHILAE = fact("Philae", "is controlled from", "Lander Control Center")
AGENCY = fact("German Aerospace Center", "is seated in", "Cologne")


def test_broken_at_lander_control_center() -> None:
    verdict = score(philae(PHILAE, AGENCY), short_answer="Cologne")
    assert verdict.failure_class == "broken"
    assert verdict.gap is not None
    assert verdict.gap.to_json() == {
        "from": "Lander Control Center",
        "to": "German Aerospace Center",
        "text": "nothing connects Lander Control Center to German Aerospace Center",
    }


def test_circular() -> None:
    back = fact("Lander Control Center", "directs", "Philae")
    assert score(philae(PHILAE, back, AGENCY), short_answer="Cologne").failure_class == "circular"
    again = replace(PHILAE, statement=1)
    assert score(philae(PHILAE, again, AGENCY), short_answer="Cologne").failure_class == "broken"


def test_deviated() -> None:
    away = [
        fact("Lander Control Center", "was built by", "Bau Union"),
        fact("Bau Union", "is seated in", "Munich"),
    ]
    assert score(philae(PHILAE, *away, AGENCY), short_answer="Cologne").failure_class == "deviated"


def test_answer_unstated_question_unmentioned_unresolved() -> None:
    assert score(philae(PHILAE), short_answer="Cologne").failure_class == "answer_unstated"
    assert score(philae(AGENCY), short_answer="Cologne").failure_class == "question_unmentioned"
    it = fact("It", "is seated in", "Cologne")
    assert score(philae(PHILAE, it), short_answer="Cologne").failure_class == "unresolved_reference"


def test_extraction_failed_is_not_zero() -> None:
    silent = Extraction((Proposition("Hm."),), ("Philae",))
    verdict = score(silent, short_answer="Cologne")
    assert verdict.completeness is None
    assert verdict.failure_class == "extraction_failed"
    failed = Extraction(failed="the model replied with prose", question_entities=("Philae",))
    assert score(failed, short_answer="Cologne").not_applicable["completeness"] == "the model replied with prose"


def test_wrong_answer_is_not_broken_reasoning() -> None:
    verdict = score(philae(PHILAE), short_answer="Lander Control Center", gold=["Cologne"])
    assert (verdict.completeness, verdict.failure_class) == (0, "wrong_answer")
    assert verdict.anchors["self"].completeness == 1


def test_undetermined() -> None:
    one = replace(philae(PHILAE), reinferred="Cologne")
    verdict = score(one, short_answer="Lander Control Center")
    assert (verdict.completeness, verdict.determinateness, verdict.failure_class) == (1, 0, "undetermined")
    nothing = replace(one, reinferred="")
    assert score(nothing, short_answer="Lander Control Center").determinateness == 0


def test_partial_branch_names_what_is_missing() -> None:
    one = replace(comparison(), branches=(Branch("Film One", "3 May 1900"), Branch("Film Two", None)))
    verdict = score(one, short_answer="Film One")
    assert verdict.failure_class == "partial_branch"
    assert verdict.gap is not None
    assert verdict.gap.text == "nothing connects Film Two to the value asked for"


def test_the_compared_values_are_checked() -> None:
    assert score(comparison(), short_answer="Film One").failure_class is None
    assert score(comparison(), short_answer="Film Two").failure_class == "wrong_answer"
    assert score(comparison(operator="greatest"), short_answer="Film Two").failure_class is None
    vague = comparison(branches=(Branch("Film One", "3 May 1900"), Branch("Film Two", "1900")))
    facts = (*vague.propositions[:3], fact("Bob Bohr", "was born in", "1900"))
    assert score(replace(vague, propositions=facts), short_answer="Film Two").failure_class is None


@pytest.mark.parametrize(
    ("values", "answer", "wrong"),
    [
        (("40 metres", "12 metres"), "Film Two", False),
        (("40", "12"), "Film Two", False),
        (("40", "12"), "Film One", True),
        (("40", "3 May 1900"), "Film One", False),
        (("forty", "forty"), "Film One", False),
        (("40", "12"), "Film Three", False),
    ],
)
def test_numbers_are_compared_where_all_are_numbers(values: tuple[str, str], answer: str, wrong: bool) -> None:
    branches = tuple(Branch(name, value) for name, value in zip(("Film One", "Film Two"), values, strict=True))
    least = Extraction(branches=branches, operator="least", question_entities=("Film One", "Film Two"))
    assert contradicts_values(least, answer, Names(least)) is wrong


def test_each_of_several_answers_needs_its_chain_in_any_order() -> None:
    isles = [fact("Corvane", "has the isle", name) for name in ("Orrisay", "Tamber")]
    whole = Extraction(
        propositions=tuple(isles), question_entities=("Corvane",), form="chain", reinferred="Tamber; Orrisay"
    )
    found = score(whole, short_answer="Orrisay; Tamber")
    assert (found.completeness, found.essentiality, found.determinateness) == (1, 1.0, 1)
    short = score(whole, short_answer="Orrisay; Tamber; Vennick")
    assert (short.completeness, short.determinateness) == (0, 0)
    assert short.gap is not None
    assert short.gap.target == "Vennick"


def test_an_intersection_needs_every_condition() -> None:
    facts = [fact("Ann", "plays for", "Ajax"), fact("Ann", "was born in", "Oslo")]
    one = Extraction(tuple(facts), ("Ajax", "Oslo"), form="intersection")
    assert score(one, short_answer="Ann").essentiality == 1.0
    half = replace(one, propositions=(facts[0],))
    verdict = score(half, short_answer="Ann")
    assert (verdict.completeness, verdict.failure_class) == (0, "partial_branch")
    assert verdict.gap is not None
    assert verdict.gap.source == "Oslo"


def test_a_large_intersection_says_that_it_is_approximate() -> None:
    names = [f"Condition {letter}" for letter in "ABCDEFGHI"]
    one = Extraction(tuple(fact("Ann", "meets", name) for name in names), tuple(names), form="intersection")
    verdict = score(one, short_answer="Ann")
    assert (verdict.completeness, verdict.essentiality, verdict.exact) == (1, 1.0, False)


def test_withheld_and_no_gold_are_reasons() -> None:
    verdict = score(philae(PHILAE), short_answer=None)
    assert verdict.anchor is None
    assert verdict.not_applicable["completeness"] == WITHHELD
    assert verdict.not_applicable["determinateness"] == WITHHELD
    assert verdict.not_applicable["paper.completeness"] == NO_GOLD
    assert (verdict.completeness, verdict.essentiality, verdict.determinateness) == (None, None, None)


def test_a_last_word_stands_for_the_only_person_that_has_it() -> None:
    facts = (fact("The Song", "is by", "Ada Lovelace"), fact("Lovelace", "lived in", "London"))
    one = Extraction(facts, ("The Song",), persons=("Ada Lovelace",))
    assert score(one, short_answer="London").completeness == 1
    two = replace(one, persons=("Ada Lovelace", "Bob Lovelace"))
    assert score(two, short_answer="London").completeness == 0
    none = replace(one, persons=())
    assert score(none, short_answer="London").completeness == 0


def test_head_and_meta_are_counted_and_leave_the_denominator() -> None:
    one = chain(["A1", "B1"], fact("A1", "so is", "B1", role="head"), Proposition("I searched.", (), 2, "meta"))
    verdict = score(one, short_answer="B1")
    assert verdict.essentiality == 1.0
    assert verdict.counts["body"] == verdict.counts["head"] == verdict.counts["meta"] == 1
