"""Metrics against values worked out by hand, and against published edge cases."""

from __future__ import annotations

import pytest

from pinakes_ask.evaluation.answer import Answer
from pinakes_ask.evaluation.case import make_case
from pinakes_ask.evaluation.documents import Catalogue, Held, Source
from pinakes_ask.evaluation.metric import Missing, Value
from pinakes_ask.evaluation.metrics import BY_NAME, METRICS
from pinakes_ask.evaluation.metrics.exact_match import exact_match
from pinakes_ask.evaluation.metrics.f1 import f1
from pinakes_ask.evaluation.metrics.normal import normal_form
from pinakes_ask.evaluation.metrics.substring import substring_match
from scoring.types import Extraction, Proposition, Triple
from tests.evaluation.made import CATALOGUE, QUESTION, UNANSWERABLE, case, cited


def value(name: str, one: object) -> Value:
    return BY_NAME[name].of(one)  # type: ignore[arg-type]


def why(name: str, one: object) -> str:
    found = value(name, one)
    assert isinstance(found, Missing), found
    return found.reason


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The  Eiffel-Tower!", "eiffeltower"),
        ("an apple, a pear and the fig", "apple pear and fig"),
        ("Theodore", "theodore"),
        ("A.B.C.", "abc"),
        ("the", ""),
        ("Straße – 5", "straße – 5"),
    ],
)
def test_the_normal_form_is_that_of_squad(text: str, form: str) -> None:
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("short", "gold", "right"),
    [
        ("The Beatles", "beatles", 1),
        ("Beatles, The", "the beatles", 1),
        ("U.S.A.", "usa", 1),
        ("", "a", 1),
        ("x", "", 0),
    ],
)
def test_exact_match_compares_normal_forms(short: str, gold: str, right: int) -> None:
    assert exact_match(short, gold) == right


@pytest.mark.parametrize(
    ("short", "gold", "expected"),
    [
        ("Dale Town", "Dale", 2 / 3),  # precision 1/2, recall 1
        ("the cat sat", "a cat", 2 / 3),
        ("x x y", "x y y", 2 / 3),  # words count as often as they stand there
        ("yes", "yes it is", 0.0),  # no part marks for yes and no
        ("no", "no", 1.0),
        ("yes indeed", "yes", 0.0),
        ("", "", 1.0),
        ("the", "an", 1.0),  # both are empty in normal form
        ("", "x", 0.0),
        ("x", "y", 0.0),
    ],
)
def test_f1_by_hand(short: str, gold: str, expected: float) -> None:
    assert f1(short, gold) == pytest.approx(expected)
    assert f1(gold, short) == pytest.approx(expected)


def test_the_best_of_answer_and_aliases_counts() -> None:
    assert value("exact_match", case("dale town.")) == 1.0
    assert value("f1", case("dale town")) == 1.0
    assert value("exact_match", case("Dale Village")) == 0.0
    assert value("f1", case("Dale Village")) == pytest.approx(2 / 3)


def test_string_accuracy_is_a_substring_match_with_its_faults() -> None:
    assert substring_match("It was in the Dale, once", "Dale") == 1.0
    assert substring_match("unknown", "no") == 1.0
    assert value("substring_match", case("born in Dale")) == 1.0
    assert value("substring_match_long", case("x", statements=cited())) == 0.0
    assert why("substring_match_long", case("x")) == "the file gives no long answer"
    assert all("substring match" in BY_NAME[name].title for name in ("substring_match", "substring_match_long"))


def test_a_withheld_answer_is_not_right_and_not_wrong_either_where_only_given_ones_count() -> None:
    withheld = case(None)
    assert [value(name, withheld) for name in ("exact_match", "f1", "coverage")] == [0.0, 0.0, 0.0]
    assert why("exact_match_where_given", withheld) == "no short answer was given"
    assert value("exact_match_where_given", case("x")) == 0.0
    assert value("coverage", case("x")) == 1.0


def test_what_is_unanswerable_counts_for_abstention_alone() -> None:
    bold, careful = (case(short, question=UNANSWERABLE) for short in ("Ann", None))
    assert (value("false_confidence", bold), value("false_confidence", careful)) == (1.0, 0.0)
    needs = ("exact_match", "f1", "coverage", "recall@5", "citation_recall", "completeness_gold", "model_judged")
    for name in needs:
        assert "hold no answer" in why(name, bold) or name == "completeness_gold"
    assert why("false_confidence", case("x")) == "the documents hold an answer"


def test_recall_by_hand_and_all_evidence_only_when_all_is_there() -> None:
    one = case("x", searched=["2", "0", "2", "1"])
    assert [value(f"recall@{k}", one) for k in (2, 5, 10)] == [0.5, 1.0, 1.0]
    assert [value(f"all_evidence@{k}", one) for k in (2, 5, 10)] == [0.0, 1.0, 1.0]


def test_recall_beyond_what_was_retrieved_is_unknown() -> None:
    one = case("x", retrieved=(Source(title="Ann Bell"), Source(title="Dale")))
    assert value("recall@2", one) == 0.5
    assert why("recall@5", one) == "fewer than 5 passages were retrieved"
    assert why("recall@2", case("x")) == "the answers do not say what was retrieved"


def test_the_whole_run_may_have_seen_more_than_its_first_search() -> None:
    one = case("x", retrieved=(Source(document="0"),), seen=(Source(document="0"), Source(document="1")))
    assert (one.covered, value("recall_of_run", one), value("all_evidence_of_run", one)) == (False, 1.0, 1.0)


def test_citations_of_passages_by_hand() -> None:
    one = case("x", statements=cited(("0", None), ("2", None), ("0", None), ("nowhere", None)), cites=True)
    assert value("citation_precision", one) == pytest.approx(1 / 3)  # 0 of {0, 2, nowhere}
    assert value("citation_recall", one) == 0.5
    nothing = case("x", statements=cited(), cites=True)
    assert (why("citation_precision", nothing), value("citation_recall", nothing)) == (
        "the answer cites nothing",
        0.0,
    )
    assert why("citation_recall", case("x")) == "the answers name no sources"


def test_citations_of_sentences_by_hand() -> None:
    quotes = (("1", "Ann Bell was born in Dale."), ("1", "She wrote."), ("0", "the reed is a novel, by Ann Bell!"))
    one = case("x", statements=cited(*quotes), cites=True)
    assert value("sentence_precision", one) == pytest.approx(2 / 3)
    assert value("sentence_recall", one) == 1.0
    joined = case("x", statements=cited(("1", "Ann Bell was born in Dale. She wrote.")), cites=True)
    assert (value("sentence_precision", joined), value("sentence_recall", joined)) == (1.0, 0.5)
    assert why("sentence_recall", case("x", statements=cited(("1", None)), cites=True)).startswith(
        "the citations quote"
    )


def test_what_names_no_document_is_none() -> None:
    nameless = Catalogue([Held("0", "The Reed", "The Reed is a novel by Ann Bell."), Held("1", "", "x")])
    for catalogue in (CATALOGUE, nameless):
        assert catalogue.find(Source()) is None
        assert catalogue.find(Source(document="9", title="9")) is None


FACTS = Extraction(
    propositions=(
        Proposition("The Reed is by Ann Bell.", (Triple("The Reed", "by", "Ann Bell"),), 0),
        Proposition("Ann Bell was born in Dale.", (Triple("Ann Bell", "born in", "Dale"),), 1),
        Proposition("Ann Bell liked tea.", (Triple("Ann Bell", "liked", "tea"),), 2),
    ),
    question_entities=("The Reed",),
    form="chain",
    reinferred="Dale",
)


def test_logicscore_at_both_anchors() -> None:
    right = case("Dale", extraction=FACTS)
    assert (value("completeness", right), value("completeness_gold", right)) == (1.0, 1.0)
    assert (value("essentiality", right), value("determinateness", right)) == (pytest.approx(2 / 3), 1.0)
    wrong = case("tea", extraction=FACTS)
    assert (value("completeness", wrong), value("completeness_gold", wrong)) == (1.0, 1.0)
    assert value("determinateness", wrong) == 0.0
    withheld = case(None, extraction=FACTS)
    assert (why("completeness", withheld), value("completeness_gold", withheld)) == (
        "the short answer is withheld",
        1.0,
    )
    assert why("completeness", case("Dale")) == "the file gives no long answer"


def test_usage_is_as_reported_and_unknown_where_it_is_not() -> None:
    one = case(
        "x", usage={"calls": 3, "prompt_tokens": 100, "completion_tokens": 20, "cost": None, "seconds": 1.5}
    )
    assert [value(name, one) for name in ("calls", "tokens", "seconds")] == [3.0, 120.0, 1.5]
    assert why("cost", one) == "the answers do not say the cost"
    assert why("tokens", case("x")) == "the answers do not say the prompt tokens"


def test_evidence_that_is_not_in_the_corpus_makes_recall_unknown() -> None:
    small = Catalogue([Held("0", "The Reed", "The Reed is a novel by Ann Bell.")])
    assert why("recall@2", case("x", catalogue=small, searched=["0"])) == "a gold passage is not in the corpus"


def test_without_a_judge_nothing_is_judged() -> None:
    assert why("model_judged", case("Dale")) == "no model was named to judge"
    judged = make_case(QUESTION, Answer("q1", "Dale"), CATALOGUE, judged=1.0)
    assert value("model_judged", judged) == 1.0


def test_every_metric_has_a_name_of_its_own_and_says_where_it_is_from() -> None:
    assert len(BY_NAME) == len(METRICS)
    assert all(metric.source and metric.title and str(metric) == metric.name for metric in METRICS)
