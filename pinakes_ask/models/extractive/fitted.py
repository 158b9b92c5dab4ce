"""The fitted numbers of the extractive model; ``fitted.json`` says on what data, and by which script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True)
class Linear:
    """``weights . signals + bias``."""

    weights: Mapping[str, float]
    bias: float = 0.0

    def __call__(self, signals: Mapping[str, float]) -> float:
        """Return the score of one set of signals; those without a weight do not count."""
        return self.bias + sum(weight * signals[name] for name, weight in self.weights.items())


@dataclass(frozen=True)
class Fitted:
    """All of them.

    :param step: of a possible answer to one step; :param whole: to a whole question.
    :param digest: of a sentence that is worth quoting; :param fresh: what it gains where its passage is not
        quoted yet.
    :param chance: log odds that the best answer is right; :param threshold: least probability to give it.
    """

    step: Linear
    whole: Linear
    digest: Linear
    fresh: float
    chance: Linear
    threshold: float


@cache
def shipped() -> Fitted:
    """Return what ships with the program."""
    text = resources.files("pinakes_ask.models.extractive").joinpath("fitted.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return Fitted(
        step=Linear(stored["step"]),
        whole=Linear(stored["whole"]),
        digest=Linear(stored["digest"]),
        fresh=stored["fresh"],
        chance=Linear(stored["chance"], stored["bias"]),
        threshold=stored["threshold"],
    )
