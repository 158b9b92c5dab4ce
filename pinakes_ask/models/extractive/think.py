"""Everything the evidence gives for a whole question: its possible answers, each with how it was reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.choices import alternatives, compared, holds, holds_of_all
from pinakes_ask.models.extractive.compare import comparison, coordinated
from pinakes_ask.models.extractive.decompose import chain
from pinakes_ask.models.extractive.fitted import Fitted, shipped
from pinakes_ask.models.extractive.kin import composed
from pinakes_ask.models.extractive.kinds import Kind
from pinakes_ask.models.extractive.pages import Page, pages_of
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.ranked import Ranked, ranked
from pinakes_ask.models.extractive.reading import Reader
from pinakes_ask.models.extractive.routes import Follower
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import name_key

#: Passages that are read for one answer: the first ones, in the order in which they were found.
READ = 12


@dataclass
class Option:
    """A possible answer.

    :param by_steps: its share by the routes through the plan; :param as_whole: its share for the whole question.
    :param cites: the sentences that lead to it, in reasoning order.
    """

    answer: str
    by_steps: float = 0.0
    as_whole: float = 0.0
    cites: tuple[Cite, ...] = ()
    ranked: Ranked | None = None


@dataclass
class Thought:
    """What was found for a question.

    :param form: how it was read: ``chain``, ``compare``, ``same``, ``choice``, ``all`` (a yes or no of
        several things) or ``fact`` (of one).
    :param steps: how many its plan has.
    :param parsed: False where no parser serves its language.
    """

    asked: Asked
    pages: list[Page]
    form: str
    steps: int
    parsed: bool = True
    options: list[Option] = field(default_factory=list)


def think(
    question: str, passages: Sequence[OfferedPassage], reader: Reader, numbers: Fitted | None = None
) -> Thought:
    """Read the first :data:`READ` passages and weigh every possible answer to ``question``, in no order.

    :param numbers: other fitted numbers than the shipped ones.
    """
    numbers = numbers or shipped()
    read = sorted(passages, key=lambda one: one.number)[:READ]
    pages = pages_of(read, reader)
    parsed = read_question(question, [page.title for page in pages])
    asked = Asked.of(question, read)
    follower = Follower(read, pages, numbers.step)
    compares = comparison(parsed)
    names = coordinated(parsed)
    if compares is not None:
        found, form = compared(compares, follower), "compare"
        if compares.direction == "same":
            form = "same" if found else "all"
            found = found or holds_of_all(names, asked, pages)
        else:
            found = found or alternatives(parsed, names, asked, pages)
        return Thought(asked, pages, form, 2, options=[Option(*_option(one)) for one in found])
    if asked.kind is Kind.YES_NO and " or " not in question:
        found = holds_of_all(names, asked, pages) if names else holds(asked, pages)
        form = "all" if names else "fact"
        return Thought(asked, pages, form, max(1, len(names)), options=[Option(*_option(one)) for one in found])
    if len(names) > 1 and " or " in question:
        found = alternatives(parsed, names, asked, pages)
        return Thought(asked, pages, "choice", len(names), options=[Option(*_option(one)) for one in found])
    steps = composed(chain(parsed))
    thought = Thought(asked, pages, "chain", len(steps), parsed.doc is not None)
    options: dict[str, Option] = {}
    named = f" {name_key(question)} "
    for route in follower.follow(steps):
        if f" {route.key} " in named:
            continue  # a detour that ends in what the question itself names
        options[route.key] = Option(route.answer, route.share, 0.0, route.cites, route.last)
    for one in ranked(asked, pages, numbers.whole):
        option = options.setdefault(name_key(one.answer), Option(one.answer, ranked=one))
        option.as_whole = one.share
        if not option.cites:
            bridge = one.support.bridge
            option.cites = (bridge, one.support.cite) if bridge is not None else (one.support.cite,)
    thought.options = list(options.values())
    return thought


def _option(found: tuple[str, float, tuple[Cite, ...]]) -> tuple[str, float, float, tuple[Cite, ...]]:
    answer, share, cites = found
    return answer, share, 0.0, cites
