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
from pinakes_ask.models.extractive.support import supports
from pinakes_ask.models.extractive.think import think
from pinakes_ask.tasks import OfferedPassage, PlannedQuestion
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
        ("How long did Orla Finn stay?", "Orla Finn stayed for nine weeks.", "nine weeks"),
        ("How many weeks did Orla Finn stay?", "Orla Finn stayed for nine weeks.", "nine"),
        ("At what time does Orla Finn leave?", "Orla Finn leaves at 22:30 every day.", "22:30"),
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
        ("Who taught Orla Finn?", "Orla Finn was taught from 2 March on Thursdays.", "2 March"),
        ("How many boats had Orla Finn?", "At 22:30 Orla Finn had two boats.", "30"),
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


def supported(question: str, *sentences: str, title: str = "Notes of May") -> dict[str, dict[str, float]]:
    """The signals of every possible answer in one note, by the answer."""
    offered = [OfferedPassage(number=1, title=title, sentences=sentences)]
    asked = Asked.of(question, offered)
    return {one.answer: one.signals for one in supports(asked, pages_of(offered, Reader()))}


def test_a_heading_is_no_answer_but_says_what_stands_under_it() -> None:
    found = supported("Who repaired the boiler?", "# Notes of May", "## The boiler", "Ida Holm repaired it.")
    assert set(found) == {"Ida Holm"}
    assert found["Ida Holm"]["opening"] == 1.0, "the first sentence, whatever stands above it"
    assert found["Ida Holm"]["headed"] > 0
    other = supported("Who repaired the boiler?", "# Notes of May", "## The roof", "Ida Holm repaired it.")
    assert other["Ida Holm"]["headed"] == 0


def test_what_stands_in_the_place_of_the_question_word_fills_the_gap_also_where_it_has_no_name() -> None:
    found = supported("Where is the spare key kept?", "The spare key is kept in an attic, as Ida Holm knows.")
    assert found["attic"]["filled"] == found["attic"]["fills"] == 1.0
    assert found["Ida Holm"]["fills"] == 0.0
    found = supported("Which hotel did they choose?", "They chose Hotel Kometa, and Ida Holm paid.")
    assert (found["Hotel Kometa"]["sorted"], found["Ida Holm"]["sorted"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("question", "sentence", "unreal"),
    [
        ("Who booked the tickets?", "Ida Holm booked the tickets.", 0.0),
        ("Who booked the tickets?", "Ida Holm booked the tickets, not Per Lund.", 0.0),
        ("Who booked the tickets?", "Ida Holm never booked the tickets.", 1.0),
        ("Who booked the tickets?", "If Ida Holm booked the tickets, we shall go.", 1.0),
        ("Who bought the house?", "Ida Holm would buy the house.", 1.0),
        ("Who would buy the house?", "Ida Holm would buy the house.", 0.0),
    ],
)
def test_what_has_not_happened_is_known_as_such(question: str, sentence: str, unreal: float) -> None:
    assert supported(question, sentence)["Ida Holm"]["unreal"] == unreal


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are the backups encrypted?", "yes"),
        ("Was a dam ever built at the Eye?", "no"),
        ("May the boat be used without asking?", "yes"),
        ("Is the harbour deep?", None),
    ],
)
def test_whether_something_is_so_is_told_by_the_sentence_that_says_most_of_it(
    question: str, answer: str | None
) -> None:
    sentences = (
        "# Harbour",
        "Backups are encrypted and lie in the mill.",
        "A dam at the Eye was never built.",
        "The boat may be used without asking.",
    )
    offered = [OfferedPassage(number=1, title="Harbour", sentences=sentences)]
    thought = think(question, offered, Reader())
    assert thought.form == "fact"
    best = max(thought.options, key=lambda one: one.by_steps, default=None)
    assert (best.answer if best is not None else None) == answer
