"""The check of an answer by a model: what it costs, what a sentence may leave unsaid, and whose branches count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pinakes_ask.run import Run
from tests.endpoint.oracle import Oracle, Step, World
from tests.endpoint.server import ChatServer
from tests.endpoint.test_runs import ENOUGH, ask, measures

DOCUMENTS = {
    "Mara Finn": "She was a painter of the marshes.",
    "Tom Hale": "He was a painter of ships.",
}
_YES = tuple(
    Step(f"Was {name} a painter?", "yes", sentence, (name, "was", "a painter"))
    for name, sentence in zip(DOCUMENTS, DOCUMENTS.values(), strict=True)
)
BOTH = World(
    "Were Mara Finn and Tom Hale both painters?",
    DOCUMENTS,
    (*_YES, Step("Do {1} and {2} mean both?", "yes", needs=(1, 2), kind="compare")),
    "yes",
    "yes/no",
    (("Mara Finn", "painter"), ("Tom Hale", "painter")),
)


class Telling(Oracle):
    """States what the sentences say in sentences of its own, with names for pronouns."""

    def _write(self, user: str) -> dict[str, object]:
        reply = super()._write(user)
        for statement, name in zip(reply["statements"], DOCUMENTS, strict=False):
            statement["text"] = f"{name} was a painter."
        return reply

    def _propositions(self, user: str) -> dict[str, object]:
        propositions = [
            {
                "statement": number,
                "text": f"{name} was a painter.",
                "role": "body",
                "triples": [{"subject": name, "relation": "was a", "object": "painter", "negated": False}],
                "coreferences": [],
            }
            for number, name in enumerate(DOCUMENTS, start=1)
        ]
        branches = [{"entity": entity, "value": value} for entity, value in self.world.branches]
        return {
            "reasoning": "",
            "question_entities": list(DOCUMENTS),
            "persons": list(DOCUMENTS),
            "form": self.world.form,
            "branches": branches,
            "propositions": propositions,
        }


def told(chat: ChatServer, world: World = BOTH) -> Run:
    chat.script(Telling(world))
    return ask(chat, world)


def test_a_yes_to_a_sub_question_is_no_value_that_an_answer_must_state(chat: ChatServer) -> None:
    run = told(chat)
    assert (run.answer.short_answer, run.report and run.report.verdict.completeness) == ("yes", 1)
    unnamed = told(chat, replace(BOTH, branches=()))
    assert unnamed.report is not None
    assert (unnamed.report.extraction.branches or (), unnamed.report.verdict.completeness) == ((), None)


def test_a_name_that_only_the_title_of_the_cited_document_tells_is_supported(chat: ChatServer) -> None:
    run = told(chat)
    assert run.report is not None
    assert (run.report.citations.precision, run.report.citations.recall) == (1.0, 1.0)


def test_a_compared_thing_that_the_model_leaves_out_is_still_asked_for(chat: ChatServer) -> None:
    values = tuple(replace(step, answer="painter", question=f"What was {step.fact[0]}?") for step in _YES)
    world = replace(BOTH, steps=(*values, BOTH.steps[2]), branches=BOTH.branches[:1])
    run = told(chat, world)
    assert run.report is not None
    assert [branch.entity for branch in run.report.extraction.branches or ()] == ["Mara Finn", "Tom Hale"]


@pytest.mark.parametrize("enough", [True, False])
def test_an_answer_that_is_withheld_costs_no_call_for_its_check(enough: bool, chat: ChatServer) -> None:
    oracle = Oracle(replace(BOTH, short_answer=None))  # type: ignore[arg-type]
    chat.script(oracle)
    run = ask(chat, BOTH, confidence=ENOUGH if enough else None)
    assert run.answer.statements
    assert measures(run) == (None, None, None)
    assert {"propositions", "reinfer"}.isdisjoint(oracle.calls)
