"""Routes to an answer: the steps of a plan followed one after the other, each with its few likeliest answers.

Nothing has to be stated outright. A route's share is the product of the shares of its steps, and an
answer's share the sum over the routes that end in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.fitted import Linear
from pinakes_ask.models.extractive.pages import Page
from pinakes_ask.models.extractive.ranked import Ranked, ranked
from pinakes_ask.tasks import Cite, OfferedPassage, PlannedQuestion
from retrieval.text import name_key

#: Likeliest answers of a step that are followed.
WIDTH = 3
_SLOT = re.compile(r"\{(\d+)\}")


@dataclass(frozen=True)
class Route:
    """A way to an answer. ``last`` is the support of its last step; cites are in the order of the steps."""

    answer: str
    share: float
    cites: tuple[Cite, ...]
    last: Ranked

    @property
    def key(self) -> str:
        """The normal form of its answer."""
        return name_key(self.answer)


class Follower:
    """Follows steps over pages that were read, and remembers what it asked."""

    def __init__(self, passages: Sequence[OfferedPassage], pages: Sequence[Page], score_of: Linear) -> None:
        self._passages, self._pages, self._score_of = passages, pages, score_of
        self._asked: dict[tuple[str, bool], list[Ranked]] = {}

    def follow(self, steps: Sequence[PlannedQuestion], final: bool = True) -> list[Route]:
        """Return the routes through ``steps``, of which each needs the one before; likeliest first.

        Routes that end in the same answer are one, with the cites of the likeliest.
        """
        routes: list[Route | None] = [None]
        for number, step in enumerate(steps, start=1):
            last = number == len(steps)
            routes = [longer for route in routes for longer in self._step(step.question, route, last and final)]
            routes = sorted(routes, key=lambda route: -(route.share if route else 0.0))[: WIDTH**2]
        return _merged([route for route in routes if route is not None])

    def _step(self, question: str, route: Route | None, final: bool) -> list[Route]:
        known = [route.answer] if route is not None else []
        text = _SLOT.sub(lambda match: known[0] if known else match.group(), question)
        found = self._options(text, known, final)
        return [
            Route(
                one.answer,
                one.share * (route.share if route else 1.0),
                tuple(dict.fromkeys((*(route.cites if route else ()), one.support.cite))),
                one,
            )
            for one in found[: 3 * WIDTH if final else WIDTH]
            if route is None or name_key(one.answer) != route.key
        ]

    def _options(self, text: str, known: Sequence[str], final: bool) -> list[Ranked]:
        if (text, final) not in self._asked:
            asked = Asked.of(text, self._passages, final=final, known=known)
            self._asked[text, final] = ranked(asked, self._pages, self._score_of)
        return self._asked[text, final]


def _merged(routes: Sequence[Route]) -> list[Route]:
    best: dict[str, Route] = {}
    share: dict[str, float] = {}
    for route in sorted(routes, key=lambda one: -one.share):
        best.setdefault(route.key, route)
        share[route.key] = share.get(route.key, 0.0) + route.share
    merged = [Route(one.answer, share[key], one.cites, one.last) for key, one in best.items()]
    return sorted(merged, key=lambda one: -one.share)
