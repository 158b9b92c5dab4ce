"""Possible answers in order, with how likely each is among them: a conditional logit over signals.

There are two sets of weights: for one step of a question, and for a whole question whose steps are not known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.fitted import Linear
from pinakes_ask.models.extractive.pages import Page
from pinakes_ask.models.extractive.support import Support, supports


@dataclass(frozen=True)
class Ranked:
    """A possible answer. ``share`` is its probability among the mentions of the evidence, not of being right.

    :param support: its best mention.
    """

    answer: str
    share: float
    support: Support


def ranked(asked: Asked, pages: Sequence[Page], score_of: Linear) -> list[Ranked]:
    """Return the possible answers to ``asked``, likeliest first; what the question itself names is none.

    :param score_of: the weights for a step or for a whole question.
    """
    best: dict[str, tuple[float, Support]] = {}
    mass: dict[str, float] = {}
    found = [one for one in supports(asked, pages) if not one.signals["asked"]]
    scores = [score_of(one.signals) for one in found]
    top = max(scores, default=0.0)
    for one, score in zip(found, scores, strict=True):
        mass[one.key] = mass.get(one.key, 0.0) + math.exp(score - top)
        if one.key not in best or score > best[one.key][0]:
            best[one.key] = score, one
    total = sum(mass.values())
    return sorted(
        (Ranked(one.answer, mass[key] / total, one) for key, (_, one) in best.items()),
        key=lambda one: -one.share,
    )
