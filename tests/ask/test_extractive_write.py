"""What the extractive model writes: quotations that are worth reading, and an answer that is likely enough."""

from __future__ import annotations

import asyncio
import json
from importlib import resources

import pytest

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.chance import chance, in_order, signals
from pinakes_ask.models.extractive.digest import weighed
from pinakes_ask.models.extractive.fitted import Linear, shipped
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.models.extractive.pages import pages_of
from pinakes_ask.models.extractive.reading import Reader
from pinakes_ask.models.extractive.support import supports
from pinakes_ask.models.extractive.think import think
from pinakes_ask.tasks import WriteReply, WriteTask
from tests.ask.offered import passages

#: A small world: a ferry, the yard that built it, its founder, and his town; nothing says what anything cost.
WORLD = {
    "Grey_Swan": "The Grey Swan is a ferry of the northern isles. It was built by Orm Works in 1899. "
    "The ferry carried mail and cattle. It was scrapped in 1931.",
    "Orm_Works": "Orm Works was a shipyard in Dale. The yard was founded by Bo Carr. It closed in 1950.",
    "Bo_Carr": "Bo Carr was a shipwright and the father of Ida Carr. He was born in Ostra on 3 May 1861. "
    "Carr learned his trade in Lund.",
    "Dale": "Dale is a town on the coast. It is known for its market.",
}


def write(
    question: str, *, force: bool = False, statements: int = 6, words: int = 200, **documents: str
) -> WriteReply:
    task = WriteTask(
        question=question, form="chain", established=(), complete=False, memory="",
        passages=passages(**(documents or WORLD)), max_statements=statements, max_words=words, force_answer=force,
    )  # fmt: skip
    return asyncio.run(ExtractiveModel().reply(task)).reply


def test_where_nothing_answers_the_passages_are_quoted_word_for_word_and_cited() -> None:
    reply = write("What did the Grey Swan cost?")
    offered = {one.number: one for one in passages(**WORLD)}
    assert reply.short_answer is None
    assert 2 <= len(reply.statements) <= 6
    for statement in reply.statements:
        (cite,) = statement.citations
        assert offered[cite.passage].sentences[cite.sentence - 1] == statement.text


def test_a_digest_quotes_several_passages_and_begins_with_what_the_question_names() -> None:
    reply = write("Who taught the founder of the yard that built the Grey Swan?")
    quoted = [statement.citations[0].passage for statement in reply.statements]
    assert {1, 2, 3} <= set(quoted)
    assert quoted[0] == 1


def test_it_stays_within_both_limits() -> None:
    assert len(write("What did the Grey Swan cost?", statements=2).statements) == 2
    short = write("What did the Grey Swan cost?", words=25)
    assert sum(len(one.text.split()) for one in short.statements) <= 25


def test_an_answer_comes_with_its_probability_at_or_above_the_threshold() -> None:
    reply = write("Who founded Orm Works?")
    assert reply.short_answer == "Bo Carr"
    assert reply.probability is not None
    assert reply.probability >= shipped().threshold


def test_below_the_threshold_it_is_withheld_with_its_probability_as_the_reason() -> None:
    reply = write("What did the Grey Swan cost?")
    assert reply.short_answer is None
    assert reply.probability is None
    assert f"below the threshold of {shipped().threshold:.2f}" in reply.withheld


def test_forced_the_best_candidate_is_given_with_its_low_probability() -> None:
    reply = write("Where did the founder of Orm Works learn his trade?", force=True)
    assert reply.short_answer is not None
    assert reply.probability is not None
    assert reply.withheld == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was the founder of the yard that built the Grey Swan born?", "Ostra"),
        ("Which yard built the Grey Swan?", "Orm Works"),
        ("In which year was the founder of Orm Works born?", "1861"),
        ("Which is a town on the coast, Dale or Orm Works?", "Dale"),
        ("Who is the daughter of the founder of Orm Works?", "Ida Carr"),
    ],
)
def test_the_best_candidate_is_of_the_asked_kind_and_at_the_end_of_the_steps(question: str, answer: str) -> None:
    assert write(question, force=True).short_answer == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are both Orla Finn and Per Holm poets?", "yes"),
        ("Are both Orla Finn and Dale Mill poets?", "no"),
        ("Do Orla Finn and Per Holm have the same nationality?", "yes"),
        ("Do Orla Finn and Rosa Lind have the same nationality?", "no"),
    ],
)
def test_yes_and_no_come_from_what_the_documents_say_of_each(question: str, answer: str) -> None:
    documents = {
        "Orla_Finn": "Orla Finn was a Norwegian poet.",
        "Per_Holm": "Per Holm was a Norwegian poet and sailor.",
        "Rosa_Lind": "Rosa Lind was a Portuguese painter.",
        "Dale_Mill": "Dale Mill is a mill in Dale.",
    }
    assert write(question, force=True, **documents).short_answer == answer


def test_in_a_language_without_a_parser_it_quotes_and_says_why_it_gives_no_answer() -> None:
    documents = {"Orla_Finn": "Orla Finn wurde in Dale geboren. Sie war Dichterin."}
    reply = write("Wo wurde Orla Finn geboren?", **documents)
    assert reply.statements
    assert reply.short_answer is None
    assert "patterns" in reply.withheld
    forced = write("Wo wurde Orla Finn geboren?", force=True, **documents)
    assert forced.short_answer == "Dale"
    assert forced.probability is None


def test_the_numbers_say_where_they_come_from_and_cover_every_signal() -> None:
    text = resources.files("pinakes_ask.models.extractive").joinpath("fitted.json").read_text(encoding="utf-8")
    provenance = json.loads(text)["provenance"]
    assert {"fitted_on", "questions", "licences", "script"} <= set(provenance)
    offered = passages(**WORLD)
    thought = think("Who founded Orm Works?", offered, Reader())
    asked = Asked.of("Who founded Orm Works?", offered)
    numbers = shipped()
    for line, seen in (
        (numbers.step, supports(asked, pages_of(offered, Reader()))[0].signals),
        (numbers.digest, weighed(thought)[0][1]),
        (numbers.chance, signals(thought, in_order(thought, None), None)),
    ):
        assert set(line.weights) == set(seen) - {"asked"}


def test_a_chance_grows_with_what_speaks_for_the_answer() -> None:
    thought = think("Who founded Orm Works?", passages(**WORLD), Reader())
    seen = signals(thought, in_order(thought, None), None)
    assert chance({**seen, "stated": 1.0}).probability > chance({**seen, "stated": 0.0}).probability
    assert Linear({"a": 2.0}, 1.0)({"a": 3.0, "b": 9.0}) == 7.0
