"""How a verdict must, and must not, change when an answer changes: over random answers."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_worlds import NAMES, chain, comparison, extractions, fact, names_in_order, rename

from scoring.logicscore import score
from scoring.types import Branch, Extraction, Proposition, Triple
from scoring.verdict import Verdict

answers = st.sampled_from(NAMES)
# The same examples every time: a search for new ones belongs to whoever changes the scorer, not to CI.
FEW = settings(max_examples=150, deadline=None, derandomize=True)


def figures(verdict: Verdict) -> tuple[object, ...]:
    return (
        verdict.completeness,
        verdict.essentiality,
        verdict.determinateness,
        verdict.failure_class,
    )


# The same verdict after ...


@FEW
@given(extractions(), answers, st.randoms(use_true_random=False))
def test_order_of_propositions_changes_nothing(one: Extraction, answer: str, rng: random.Random) -> None:
    shuffled = list(one.propositions)
    rng.shuffle(shuffled)
    other = replace(one, propositions=tuple(shuffled))
    left, right = score(one, short_answer=answer), score(other, short_answer=answer)
    assert figures(left) == figures(right)
    assert left.gap == right.gap
    assert sorted(edge.text for edge in left.path.edges) == sorted(edge.text for edge in right.path.edges)


@FEW
@given(extractions(), answers, st.permutations(NAMES))
def test_renaming_changes_nothing_even_to_nested_names(one: Extraction, answer: str, others: list[str]) -> None:
    # X, X I, X II ...: every new name lies inside others, and none is the same.
    nested = {old: f"X {'I' * place}".strip() for place, old in enumerate(others)}
    other = rename(one, nested)
    assert figures(score(one, short_answer=answer)) == figures(score(other, short_answer=nested[answer]))


@FEW
@given(extractions(), answers)
def test_subject_and_object_may_be_exchanged(one: Extraction, answer: str) -> None:
    turned = tuple(
        replace(p, triples=tuple(replace(t, subject=t.object, object=t.subject) for t in p.triples))
        for p in one.propositions
    )
    other = replace(one, propositions=turned)
    assert figures(score(one, short_answer=answer)) == figures(score(other, short_answer=answer))


@FEW
@given(extractions(), answers, st.sampled_from([str.upper, str.lower, str.title]))
def test_letter_case_changes_nothing(one: Extraction, answer: str, case: object) -> None:
    assert callable(case)
    other = rename(one, {name: case(name) for name in NAMES})
    assert figures(score(one, short_answer=answer)) == figures(score(other, short_answer=case(answer)))


@FEW
@given(extractions(), answers)
def test_a_hyphen_is_a_space(one: Extraction, answer: str) -> None:
    hyphens = {name: name.replace(" ", "-") for name in NAMES if not name[0].isdigit()}
    other = rename(one, hyphens)
    assert figures(score(one, short_answer=answer)) == figures(
        score(other, short_answer=hyphens.get(answer, answer))
    )


@FEW
@given(extractions(), answers, st.data())
def test_an_alias_may_stand_for_the_name(one: Extraction, answer: str, data: st.DataObject) -> None:
    one = replace(one, aliases=(("World Health Organization", "WHO"), ("20 March 851", "851-03-20")))
    place = data.draw(st.integers(0, len(one.propositions))) if one.propositions else 0
    swap = {"World Health Organization": "WHO"}
    other = replace(one, propositions=(*rename(one, swap).propositions[:place], *one.propositions[place:]))
    assert figures(score(one, short_answer=answer)) == figures(score(other, short_answer=swap.get(answer, answer)))


@FEW
@given(extractions(), answers, answers)
def test_the_anchors_may_be_exchanged(one: Extraction, start: str, end: str) -> None:
    there = replace(one, form="chain", question_entities=(start,))
    back = replace(one, form="chain", question_entities=(end,))
    left, right = score(there, short_answer=end), score(back, short_answer=start)
    assert (left.completeness, left.essentiality) == (right.completeness, right.essentiality)


def test_the_compared_things_may_be_exchanged() -> None:
    one = comparison()
    assert one.branches is not None
    turned = replace(
        one,
        branches=one.branches[::-1],
        question_entities=one.question_entities[::-1],
        propositions=one.propositions[::-1],
    )
    assert figures(score(one, short_answer="Film One")) == figures(score(turned, short_answer="Film One"))


@FEW
@given(names_in_order, st.booleans())
def test_an_unmentioned_question_entity_changes_nothing(names: list[str], more: bool) -> None:
    one = chain(names)
    other = replace(
        one, question_entities=(*one.question_entities, "Nowhere Land") if more else one.question_entities
    )
    assert figures(score(one, short_answer=names[-1])) == figures(score(other, short_answer=names[-1]))


# A known change after ...


@FEW
@given(names_in_order, st.sampled_from(["pendant", "disconnected", "duplicate"]))
def test_a_fact_more_costs_essentiality_only(names: list[str], kind: str) -> None:
    extra = {
        "pendant": fact(names[0], "likes", "Cheese"),
        "disconnected": fact("Cheese", "is made of", "Milk"),
        "duplicate": chain(names).propositions[0],
    }[kind]
    verdict, hops = score(chain(names, extra), short_answer=names[-1]), len(names) - 1
    assert (verdict.completeness, verdict.essentiality) == (1, hops / (hops + 1))
    assert verdict.counts["duplicates"] == (kind == "duplicate")


@FEW
@given(names_in_order, st.data())
def test_dropping_a_fact_of_a_tree_breaks_it(names: list[str], data: st.DataObject) -> None:
    one = chain(names)
    gone = data.draw(st.integers(0, len(one.propositions) - 1))
    left = one.propositions[:gone] + one.propositions[gone + 1 :]
    verdict = score(replace(one, propositions=left), short_answer=names[-1])
    assert (verdict.completeness, verdict.essentiality) == (0, 0.0)
    assert verdict.gap is not None
    assert {verdict.gap.source, verdict.gap.target} == {names[gone], names[gone + 1]}


@FEW
@given(names_in_order)
def test_splitting_a_hop(names: list[str]) -> None:
    hops, detour = len(names) - 1, fact("Cheese", "likes", "Milk")
    before = score(chain(names, detour), short_answer=names[-1])
    after = score(chain([names[0], "Halfway", *names[1:]], detour), short_answer=names[-1])
    assert before.essentiality == hops / (hops + 1)
    assert after.essentiality == (hops + 1) / (hops + 2)


@FEW
@given(names_in_order, st.integers(1, 5))
def test_a_detour_of_d_facts(names: list[str], length: int) -> None:
    stops = [names[0], *(f"Stop {place}" for place in range(length)), names[-1]]
    facts = [fact(a, "detours to", b) for a, b in itertools.pairwise(stops)][: length + 1]
    hops = len(names) - 1
    if length + 1 < hops:
        return  # That would be a short cut.
    verdict = score(chain(names, *facts), short_answer=names[-1])
    assert verdict.essentiality == hops / (hops + length + 1)


@FEW
@given(names_in_order)
def test_a_direct_body_fact_is_a_short_cut(names: list[str]) -> None:
    hops = len(names) - 1
    verdict = score(chain(names, fact(names[0], "directly is", names[-1])), short_answer=names[-1])
    assert verdict.essentiality == 1 / (hops + 1)


@pytest.mark.parametrize("gone", range(4))
def test_dropping_a_branch(gone: int) -> None:
    one = comparison()
    left = one.propositions[:gone] + one.propositions[gone + 1 :]
    verdict = score(replace(one, propositions=left), short_answer="Film One")
    assert (verdict.completeness, verdict.essentiality) == (0, 0.0)
    assert verdict.failure_class == "partial_branch"


@FEW
@given(names_in_order, st.data())
def test_a_conclusion_changes_nothing(names: list[str], data: st.DataObject) -> None:
    one = chain(names)
    gone = data.draw(st.integers(-1, len(one.propositions) - 1))
    kept = tuple(p for place, p in enumerate(one.propositions) if place != gone)
    bare = replace(one, propositions=kept)
    concluded = replace(one, propositions=(*kept, fact(names[0], "so is", names[-1], role="head")))
    left, right = score(bare, short_answer=names[-1]), score(concluded, short_answer=names[-1])
    assert (left.completeness, left.essentiality) == (right.completeness, right.essentiality)
    assert right.failure_class == (None if gone < 0 else "head_only")


@FEW
@given(names_in_order.filter(lambda names: len(names) > 2), st.data())
def test_merging_two_hops_keeps_completeness(names: list[str], data: st.DataObject) -> None:
    one = chain(names)
    place = data.draw(st.integers(0, len(one.propositions) - 2))
    left, right = one.propositions[place : place + 2]
    merged = Proposition(f"{left.text} {right.text}", left.triples + right.triples)
    kept = (*one.propositions[:place], merged, *one.propositions[place + 2 :])
    verdict = score(replace(one, propositions=kept), short_answer=names[-1])
    assert (verdict.completeness, verdict.essentiality) == (1, 1.0)


@FEW
@given(names_in_order)
def test_another_short_answer_is_not_determined(names: list[str]) -> None:
    one = chain(names, reinferred=names[-1])
    assert score(one, short_answer=names[-1]).determinateness == 1
    other = score(one, short_answer=names[0])
    assert other.determinateness == 0


# Always ...


@FEW
@given(extractions(), answers)
def test_essentiality_lies_where_it_must(one: Extraction, answer: str) -> None:
    verdict = score(one, short_answer=answer)
    if verdict.completeness is None:
        assert verdict.essentiality is None
        assert "completeness" in verdict.not_applicable
        return
    assert verdict.essentiality is not None
    assert (verdict.essentiality > 0) == (verdict.completeness == 1)
    if verdict.completeness:
        body = len(one.propositions)
        assert 1 / body <= verdict.essentiality <= 1


@FEW
@given(extractions(), answers)
def test_the_path_is_connected_and_touches_both_anchors(one: Extraction, answer: str) -> None:
    verdict = score(one, short_answer=answer)
    if verdict.completeness != 1:
        assert verdict.path.edges == ()
        return
    assert answer in verdict.path.nodes
    assert set(one.question_entities) & set(verdict.path.nodes)
    together = [set(edge.entities) for edge in verdict.path.edges]
    joined = together[0]
    for _ in together:
        joined = joined.union(*(nodes for nodes in together if nodes & joined))
    assert joined == set().union(*together)
    assert set(verdict.path.nodes) <= joined


@FEW
@given(extractions(), answers, answers, answers)
def test_adding_a_fact_never_lowers_completeness(one: Extraction, answer: str, subject: str, value: str) -> None:
    more = replace(one, propositions=(*one.propositions, fact(subject, "also knows", value)))
    before, after = score(one, short_answer=answer), score(more, short_answer=answer)
    assert (after.completeness or 0) >= (before.completeness or 0)


@FEW
@given(extractions(), answers)
def test_gold_is_self_when_they_are_equal(one: Extraction, answer: str) -> None:
    verdict = score(one, short_answer=answer, gold=[answer])
    assert verdict.anchors["gold"] == verdict.anchors["self"]
    assert figures(verdict) == figures(score(one, short_answer=answer))


@FEW
@given(extractions(), answers)
def test_a_frozen_extraction_gives_identical_bytes(one: Extraction, answer: str) -> None:
    def as_bytes(extraction: Extraction) -> bytes:
        verdict = score(extraction, short_answer=answer, gold=[answer])
        return json.dumps([verdict.to_json(), verdict.path.to_json()]).encode()

    assert as_bytes(one) == as_bytes(Extraction.from_json(json.loads(json.dumps(one.to_json()))))


def test_long_chains_need_no_recursion() -> None:
    names = [f"Place {place}th" for place in range(501)]
    verdict = score(chain(names), short_answer=names[-1])
    assert (verdict.completeness, verdict.essentiality) == (1, 1.0)
    assert verdict.path.propositions == tuple(range(500))
    tree = replace(chain(names), form="intersection", question_entities=(names[0], names[250]))
    assert score(tree, short_answer=names[-1]).essentiality == 1.0


def test_ten_thousand_propositions_are_scored() -> None:
    names = [f"Place {place}th" for place in range(10_001)]
    assert score(chain(names), short_answer=names[-1]).essentiality == 1.0


def test_a_route_that_reuses_a_proposition_counts_it_once() -> None:
    # Two unrelated facts in one sentence, both on the way: Q-A and B-C, with A-B elsewhere.
    both = Proposition("Q is A; B is C.", (Triple("Q", "is", "A1"), Triple("B1", "is", "C1")))
    other = Proposition("B is C.", (Triple("B1", "is truly", "C1"),))
    one = Extraction((both, other, fact("A1", "is", "B1")), ("Q",), form="chain")
    verdict = score(one, short_answer="C1")
    assert verdict.essentiality == 2 / 3


def test_branches_share_what_they_can() -> None:
    hub = [fact(name, "lies in", "Hub") for name in ("A1", "B1")] + [fact("Hub", "belongs to", "Land")]
    one = Extraction(
        tuple(hub), ("A1", "B1"), form="comparison", branches=(Branch("A1", "Land"), Branch("B1", "Land"))
    )
    assert score(one, short_answer="yes").essentiality == 1.0


@pytest.mark.parametrize("seed", range(6))
def test_of_equally_short_routes_the_one_with_fewest_propositions_counts(seed: int) -> None:
    # Q-A and B-C are two facts of one sentence; Q-D-E-C is as long, by three sentences.
    both = Proposition(f"both {seed}", (Triple("Q1", "r", "A1"), Triple("B1", "r", "C1")))
    others = [fact(*ends) for ends in (("Q1", f"r{seed}", "D1"), ("D1", "r", "E1"), ("E1", "r", "C1"))]
    one = Extraction((both, fact("A1", f"s{seed}", "B1"), *others), ("Q1",), form="chain")
    assert score(one, short_answer="C1").essentiality == 2 / 5
