"""The three small linear models of the ranking, with where their coefficients come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from retrieval.ranking.query import Floats

NAME = "ranking.json"


@dataclass(frozen=True)
class Linear:
    """``weights . features + bias``, the logarithm of the odds that a passage is evidence."""

    names: tuple[str, ...]
    weights: Floats
    bias: float

    def __call__(self, features: Floats) -> Floats:
        """Return the log odds of each row of features."""
        # Not a BLAS product: on matrices this small its threads cost more than they bring.
        odds: Floats = np.einsum("ij,j->i", features, self.weights) + self.bias
        return odds

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Linear:
        """Read ``{"weights": {name: weight}, "bias": b}``."""
        weights = stored["weights"]
        return cls(tuple(weights), np.asarray(list(weights.values()), np.float64), float(stored["bias"]))


@dataclass(frozen=True)
class Models:
    """For a passage by itself, for a hop, and for both together."""

    direct: Linear
    hop: Linear
    both: Linear


@cache
def shipped() -> Models:
    """Return the models that ship with the program; the file names their data and split."""
    stored = json.loads(resources.files("retrieval.ranking").joinpath(NAME).read_text(encoding="utf-8"))
    return Models(*(Linear.of(stored[name]) for name in ("direct", "hop", "both")))


def probability(odds: Floats) -> Floats:
    """Return ``1 / (1 + exp(-odds))``."""
    sigmoid: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return sigmoid
