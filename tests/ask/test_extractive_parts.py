"""The parts of the extractive model: what can be an answer, relatives in two steps, lists, choices, routes."""

from __future__ import annotations

import pytest

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.compare import coordinated
from pinakes_ask.models.extractive.decompose import chain
from pinakes_ask.models.extractive.kin import composed
from pinakes_ask.models.extractive.kinds import Kind, question_kind
from pinakes_ask.models.extractive.pages import pages_of
from pinakes_ask.models.extractive.possible import possible
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.reading import Reader
from pinakes_ask.tasks import PlannedQuestion
from tests.ask.offered import passages


def answers(question: str, sentence: str) -> list[str]:
    offered = passages(Orla_Finn=sentence)
    asked = Asked.of(question, offered)
    return [one.mention.text for one in possible(asked, pages_of(offered, Reader())[0].sentences[0])]


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("In which year was Orla Finn born?", "Orla Finn was born on 3 May 1901.", "1901"),
        ("On which date was Orla Finn born?", "Orla Finn was born on 3 May 1901.", "3 May 1901"),
        ("How much did Orla Finn pay?", "Orla Finn paid $48 for it.", "$48"),
        ("What percentage of the ferry did Orla Finn own?", "Orla Finn owned 48% of the ferry.", "48%"),
        ("Where did Orla Finn die?", "Orla Finn died in Dale, Norway.", "Dale, Norway"),
        ("What nationality was Orla Finn?", "Orla Finn was a Norwegian poet.", "Norwegian"),
        ("What did Orla Finn receive?", "In Dale she received a silver medal.", "silver medal"),
    ],
)
def test_a_span_of_the_asked_kind_can_be_the_answer(question: str, sentence: str, answer: str) -> None:
    assert answer in answers(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        ("Where was Orla Finn born?", "Orla Finn was a Norwegian poet of Dale.", "Norwegian"),
        ("How many boats had Orla Finn?", "Orla Finn had two boats in 1901.", "1901"),
        ("Who taught Orla Finn?", "Orla Finn was taught in May 1901.", "May 1901"),
        ("Was Orla Finn a poet?", "Orla Finn was a Norwegian poet.", "Norwegian"),
    ],
)
def test_a_span_of_another_kind_cannot(question: str, sentence: str, other: str) -> None:
    assert other not in answers(question, sentence)


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("Who is the paternal grandfather of Orla Finn?", ["father of Orla Finn", "father of {1}"]),
        ("Who was Orla Finn's mother-in-law?", ["spouse of Orla Finn", "mother of {1}"]),
        ("Who is the niece of Orla Finn?", ["sibling of Orla Finn", "daughter of {1}"]),
        ("Who is the stepfather of Orla Finn?", ["mother of Orla Finn", "husband of {1}"]),
    ],
)
def test_a_relative_at_one_remove_is_asked_in_two_steps(question: str, steps: list[str]) -> None:
    found = composed((PlannedQuestion(question=question),))
    assert [one.question for one in found] == [f"Who is the {step}?" for step in steps]
    assert [one.needs for one in found] == [(), (1,)]


def test_later_steps_follow_the_step_that_was_divided() -> None:
    found = composed(chain(read_question("Where was Orla Finn's paternal grandmother born?")))
    assert [one.question for one in found] == [
        "Who is the father of Orla Finn?",
        "Who is the mother of {1}?",
        "Where was {2} born?",
    ]
    assert [one.needs for one in found] == [(), (1,), (2,)]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which is older, Orm Works, Dale Mill or Ostra Hall?", ["Orm Works", "Dale Mill", "Ostra Hall"]),
        ("Who has won more Silver Oars, Orla Finn or Bo Carr?", ["Orla Finn", "Bo Carr"]),
        ("Which dog descends from Red and Grey Hounds: the Dale Terrier or the Orm Collie?",
         ["Dale Terrier", "Orm Collie"]),
        ("Were Orla Finn and Bo Carr born in Dale?", ["Orla Finn", "Bo Carr"]),
        ("Who wrote The Reed?", []),
    ],
)  # fmt: skip
def test_the_things_that_are_compared(question: str, names: list[str]) -> None:
    assert [one.text for one in coordinated(read_question(question))] == names


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        (
            "Which country was Orla Finn's father from?",
            ["Who is Orla Finn's father?", "Which country was {1} from?"],
        ),
        (
            "Where was the place of burial of the author of The Reed?",
            ["Who is the author of The Reed?", "Where was the place of burial of {1}?"],
        ),
    ],
)
def test_the_asked_sort_and_an_abstract_noun_are_no_described_things(question: str, steps: list[str]) -> None:
    assert [one.question for one in chain(read_question(question))] == steps


def test_both_opens_a_yes_no_question() -> None:
    assert question_kind("Both the Reed and the Oar are novels?") is Kind.YES_NO
    assert question_kind("Both Orla Finn and Bo Carr come from which town?") is not Kind.YES_NO


def test_places_beside_the_dates_of_a_life_are_where_it_began_and_ended() -> None:
    offered = passages(Orla_Finn="Orla Finn (3 May 1901, Dale – 7 June 1960, Ostra) was a poet.")
    facts = pages_of(offered, Reader())[0].sentences[0].facts
    stated = {(one.relation, one.object) for one in facts}
    assert ("born in", "Dale") in stated
    assert ("died in", "Ostra") in stated
