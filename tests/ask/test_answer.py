"""What is taken of a written answer, and what a last statement rests on that cites nothing itself."""

from __future__ import annotations

import pytest

from pinakes_ask.answer import Answer, accept
from pinakes_ask.evidence import Evidence, all_sentences
from pinakes_ask.tasks import Cite, WriteReply, WrittenStatement
from tests.ask.fakes import TextSearcher

QUESTION = "Who was born first, Mara Finn or Tom Hale?"
FINN = WrittenStatement(text="Mara Finn was born in 1901.", citations=(Cite(passage=1, sentence=1),))
HALE = WrittenStatement(text="Tom Hale was born in 1899.", citations=(Cite(passage=2, sentence=1),))


def accepted(*statements: WrittenStatement, short: str | None = "Tom Hale", withheld: str = "") -> Answer:
    documents = {"Mara Finn": "Mara Finn was born in 1901.", "Tom Hale": "Tom Hale was born in 1899."}
    evidence = Evidence()
    for found in TextSearcher(documents).search(["Mara Finn", "Tom Hale"], 1):
        evidence.add(found.hits)
    reply = WriteReply(statements=statements, short_answer=short, withheld=withheld)
    return accept(reply, all_sentences(evidence.offer(evidence.numbers())), evidence, QUESTION)


def said(text: str) -> WrittenStatement:
    return WrittenStatement(text=text)


@pytest.mark.parametrize("text", ["So Tom Hale was born first.", "1899 is before 1901, so Tom Hale was first."])
def test_a_conclusion_from_cited_statements_rests_on_what_they_cite(text: str) -> None:
    answer = accepted(FINN, HALE, said(text))
    assert answer.statements[-1].citations == (Cite(passage=1, sentence=1), Cite(passage=2, sentence=1))
    assert answer.unsupported == 0


@pytest.mark.parametrize(
    "text", ["So Tom Hale was born first, in Dale.", "Tom Hale was first by 3 years.", "Both drowned in a storm."]
)
def test_a_last_statement_that_adds_something_stays_unsupported(text: str) -> None:
    assert accepted(FINN, HALE, said(text)).statements[-1].citations == ()


def test_nothing_is_concluded_from_a_statement_without_support_nor_before_the_last() -> None:
    assert accepted(FINN, said("Tom Hale was born in 1899."), said("So Tom Hale was first.")).unsupported == 2
    assert accepted(FINN, said("Mara Finn was born first."), HALE).unsupported == 1


def test_statements_that_only_say_that_nothing_was_found_are_the_reason_and_no_answer() -> None:
    answer = accepted(said("The documents do not say when either was born."), short=None)
    assert answer == Answer(withheld="The documents do not say when either was born.")
    assert accepted(said("Nothing on it."), short=None, withheld="not there") == Answer(withheld="not there")


def test_a_short_answer_from_nowhere_keeps_its_statements_to_be_seen_as_unsupported() -> None:
    answer = accepted(said("Tom Hale was born first."))
    assert (answer.short_answer, answer.unsupported) == (None, 1)
