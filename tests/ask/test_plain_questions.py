"""Plain questions over somebody's own notes: answered where the notes tell it, and hardly ever wrongly.

The libraries and their questions were written for this. The rules were made on a house with its papers, a pump
station, and notes full of traps (what did not happen, what is only planned, two things of one kind); minutes, a
manual, a family's papers and a company's pages were written without knowing the rules. How many are right is what
was reached, so that a change that loses some is seen; of what the documents do not answer, one is answered.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.extractive.asking import Gap, gap_of
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.reading import Reader
from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.seams import SystemClock
from pinakes_ask.settings import Settings
from pinakes_ask.tasks import OfferedPassage
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.text import name_key

PLAIN = Path(__file__).parent / "plain"


@dataclass
class Tally:
    """What became of the questions of a library: how many were answered rightly, and which were not."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    unanswerable: list[str] = field(default_factory=list)


def tally(name: str, state: Path) -> Tally:
    found = Tally()
    sync(PLAIN / name / "library", state=state)
    with Library.open(PLAIN / name / "library", state=state) as library:
        for line in (PLAIN / name / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            loop = Loop(library, ExtractiveModel(), SelfCheck(), Settings(), SystemClock())
            answer = asyncio.run(loop.ask(row["question"])).answer.short_answer
            gold = {name_key(one) for one in (row["answer"], *row["aliases"]) if one}
            if answer is None:
                continue
            if name_key(answer) in gold:
                found.right += 1
            else:
                (found.wrong if gold else found.unanswerable).append(f"{row['question']} {answer}")
    return found


@pytest.mark.parametrize(
    ("name", "right", "wrong", "unanswerable"),
    [
        ("house", 18, 0, 0),
        ("station", 17, 0, 1),
        ("notes", 13, 0, 0),
        ("company", 1, 0, 0),
        ("family", 4, 0, 0),
        ("manual", 4, 3, 0),
        ("minutes", 5, 1, 0),
    ],
)
def test_answers_are_mostly_right(name: str, right: int, wrong: int, unanswerable: int, tmp_path: Path) -> None:
    found = tally(name, tmp_path)
    assert len(found.wrong) <= wrong, found.wrong
    assert len(found.unanswerable) <= unanswerable, found.unanswerable
    assert found.right >= right


def test_where_nothing_speaks_of_what_is_asked_nothing_is_quoted(tmp_path: Path) -> None:
    sync(PLAIN / "house" / "library", state=tmp_path)
    with Library.open(PLAIN / "house" / "library", state=tmp_path) as library:
        for question, stop in (
            ("Who repaired the roof?", "no_evidence"),
            ("Who sold the boiler?", "plan_exhausted"),
        ):
            run = asyncio.run(
                Loop(library, ExtractiveModel(), SelfCheck(), Settings(), SystemClock()).ask(question)
            )
            assert (run.answer.short_answer, run.stop_reason) == (None, stop)
            assert bool(run.answer.statements) == (stop != "no_evidence")


def test_what_was_read_before_changes_no_reading() -> None:
    suite = OfferedPassage(number=1, title="The Lantern Suite", sentences=("It is based on The Lamp at Tolm.",))
    poem = OfferedPassage(number=2, title="The Lamp at Tolm", sentences=("The Lamp at Tolm is a poem.",))
    fresh, used = Reader(), Reader()
    used.read([suite])
    assert used.read([suite, poem]) == fresh.read([suite, poem])
    assert used.read([suite]) == Reader().read([suite])
    assert used.read([suite], [poem]) == fresh.read([suite, poem])[:1]


def test_a_sentence_that_says_she_is_quoted_behind_the_one_that_says_who_she_is() -> None:
    passage = OfferedPassage(
        number=1,
        title="House committee",
        sentences=("Petra Lind chairs the committee.", "She lives in flat 12.", "Her deputy is Tomas Rey."),
    )
    for question, answer, cited in (
        ("Which flat does Petra Lind live in?", "12", [1, 2]),
        ("Who is the deputy of Petra Lind?", "Tomas Rey", [1, 3]),
        ("Who chairs the committee?", "Petra Lind", [1]),
    ):
        told = Solver().tells(question, [passage])
        assert told is not None
        assert (told.answer, [cite.sentence for cite in told.cites]) == (answer, cited)
    assert Solver().tells("Who is the deputy of Tomas Rey?", [passage]) is None


@pytest.mark.parametrize(
    ("question", "role", "prepositions"),
    [
        ("Who installed the boiler?", "subject", ()),
        ("By whom was the boiler installed?", "behind", ("by",)),
        ("What did the smith repair?", "object", ()),
        ("Which file are the settings read from?", "behind", ("from",)),
        ("At what temperature is the bread baked?", "behind", ("at",)),
        ("What is the default timeout of the worker?", "equal", ()),
        ("Who is the man that built the tower?", "subject", ()),
        ("When does breakfast start?", "time", ()),
        ("How often are jobs retried?", "amount", ()),
        ("How many entries does the cache hold?", "count", ()),
    ],
)
def test_the_question_word_marks_the_gap(question: str, role: str, prepositions: tuple[str, ...]) -> None:
    gap = gap_of(read_question(question))
    assert isinstance(gap, Gap)
    assert (gap.role, tuple(sorted(gap.prepositions))) == (role, prepositions)


@pytest.mark.parametrize("question", ["Why did the pump fail?", "Is the pump old?", "Wer baute den Turm?"])
def test_what_asks_for_no_part_of_a_sentence_has_no_gap(question: str) -> None:
    assert gap_of(read_question(question)) is None
