"""Questions, answers and measured rows made for tests."""

from __future__ import annotations

from typing import Any

from pinakes_ask.evaluation.answer import Answer, Cited, Said
from pinakes_ask.evaluation.case import Case, make_case
from pinakes_ask.evaluation.documents import Catalogue, Held, Source
from pinakes_ask.evaluation.measured import Measured
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.question import EvalQuestion, Paragraph

REED = Paragraph("The Reed", "The Reed is a novel by Ann Bell.", True, ("The Reed is a novel by Ann Bell.",))
BELL = Paragraph("Ann Bell", "Ann Bell was born in Dale. She wrote.", True, ("Ann Bell was born in Dale.",))
DALE = Paragraph("Dale", "Dale is a town.", False)
QUESTION = EvalQuestion(
    "q1", "Where was the author of The Reed born?", ("Dale", "Dale Town"), "bridge", 2, (REED, BELL, DALE)
)
UNANSWERABLE = EvalQuestion("q2", "Who painted The Reed?", ())
CATALOGUE = Catalogue(Held(str(n), one.title, one.text) for n, one in enumerate((REED, BELL, DALE)))


def case(
    short: str | None,
    *,
    question: EvalQuestion = QUESTION,
    catalogue: Catalogue = CATALOGUE,
    searched: list[str] | None = None,
    **more: Any,
) -> Case:
    return make_case(question, Answer(question.id, short, **more), catalogue, searched=searched)


def cited(*places: tuple[str, str | None]) -> tuple[Said, ...]:
    """One statement that cites documents by id, each with a quotation or none."""
    return (Said("A statement.", tuple(Cited(Source(document=name), quote) for name, quote in places)),)


def row(identity: str, *, missing: str = "not here", **values: Any) -> Measured:
    """A measured row; keywords that are no metrics are its fields."""
    names = {metric.name for metric in METRICS}
    fields = {key: value for key, value in values.items() if key not in names}
    kept = {key: float(value) for key, value in values.items() if key in names}
    given: dict[str, Any] = {
        "question": f"What is {identity}?", "type": "bridge", "hops": 2, "gold": ("x",), "answer": "x",
        "status": "answered", **fields,
    }  # fmt: skip
    return Measured(
        id=identity, values=kept, missing={name: missing for name in names if name not in kept}, **given
    )
