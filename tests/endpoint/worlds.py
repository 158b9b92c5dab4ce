"""Questions of every form over a few invented documents."""

from __future__ import annotations

from tests.endpoint.oracle import Step, World

DOCUMENTS = {
    "The Reed": "The Reed is a novel of the marshes. The Reed was written by Ann Bell.",
    "Ann Bell": "Ann Bell was a novelist. Ann Bell was taught by Ivo Orr.",
    "Ivo Orr": "Ivo Orr kept a school. Ivo Orr was born in Dale.",
    "Dale": "Dale is a market town. Dale is crossed by the Senn.",
    "Mara Finn": "Mara Finn was a painter. Mara Finn was born on 3 May 1901.",
    "Tom Hale": "Tom Hale was a painter. Tom Hale was born on 7 June 1899.",
    "Finn and Hale": "Finn and Hale is an essay. It compares two painters.",
}
_CHAIN = (
    Step(
        "Who wrote The Reed?",
        "Ann Bell",
        "The Reed was written by Ann Bell.",
        ("The Reed", "was written by", "Ann Bell"),
    ),
    Step(
        "Who taught {1}?",
        "Ivo Orr",
        "Ann Bell was taught by Ivo Orr.",
        ("Ann Bell", "was taught by", "Ivo Orr"),
        (1,),
    ),
    Step("Where was {2} born?", "Dale", "Ivo Orr was born in Dale.", ("Ivo Orr", "was born in", "Dale"), (2,)),
    Step(
        "Which river crosses {3}?",
        "the Senn",
        "Dale is crossed by the Senn.",
        ("Dale", "is crossed by", "Senn"),
        (3,),
    ),
)
_QUESTIONS = {
    2: "Who taught the author of The Reed?",
    3: "Where was the teacher of the author of The Reed born?",
    4: "Which river crosses the birthplace of the teacher of the author of The Reed?",
}
_BIRTHS = tuple(
    Step(f"When was {name} born?", date, f"{name} was born on {date}.", (name, "was born on", date))
    for name, date in (("Mara Finn", "3 May 1901"), ("Tom Hale", "7 June 1899"))
)


def chain(hops: int) -> World:
    """A chain of two to four steps."""
    return World(_QUESTIONS[hops], DOCUMENTS, _CHAIN[:hops], _CHAIN[hops - 1].answer)


def growing() -> World:
    """A chain of two whose second step is not planned."""
    second = Step(_CHAIN[1].question, _CHAIN[1].answer, _CHAIN[1].sentence, _CHAIN[1].fact, (1,), grown=True)
    return World(_QUESTIONS[2], DOCUMENTS, (_CHAIN[0], second), "Ivo Orr")


COMPARISON = World(
    "Who was born first, Mara Finn or Tom Hale?",
    DOCUMENTS,
    (*_BIRTHS, Step("Who of them was born first, on {1} or on {2}?", "Tom Hale", needs=(1, 2), kind="compare")),
    "Tom Hale",
    "comparison",
    (("Mara Finn", "3 May 1901"), ("Tom Hale", "7 June 1899")),
)
YES_NO = World(
    "Is Mara Finn older than Tom Hale?",
    DOCUMENTS,
    (*_BIRTHS, Step("Is {1} before {2}?", "no", needs=(1, 2), kind="compare")),
    "no",
    "yes/no",
    COMPARISON.branches,
)
COUNT = World(
    "How many of Mara Finn and Tom Hale were born before 1900?",
    DOCUMENTS,
    (*_BIRTHS, Step("How many of {1} and {2} are before 1900?", "1", needs=(1, 2), kind="count")),
    "1",
    "count",
    COMPARISON.branches,
)
INTERSECTION = World(
    "Who was born in Dale and taught Ann Bell?",
    DOCUMENTS,
    (
        Step("Who was born in Dale?", "Ivo Orr", "Ivo Orr was born in Dale.", ("Ivo Orr", "was born in", "Dale")),
        Step(
            "Who taught Ann Bell?",
            "Ivo Orr",
            "Ann Bell was taught by Ivo Orr.",
            ("Ann Bell", "was taught by", "Ivo Orr"),
        ),
        Step("Who is both {1} and {2}?", "Ivo Orr", needs=(1, 2), kind="compare"),
    ),
    "Ivo Orr",
    "intersection",
)
