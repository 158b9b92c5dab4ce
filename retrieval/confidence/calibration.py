"""A fitted calibration: from signals to a probability, or to a reason why there is none."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from retrieval.errors import UsageError

#: A user's own calibration, in the state folder of a library.
OWN = "calibration.json"
_SHIPPED = "calibration.json"


@dataclass(frozen=True)
class Calibration:
    """A logistic regression on signals, the threshold of enough, and where both come from.

    :param weights: of each signal, as they are (not standardised); with ``bias`` the log odds.
    :param threshold: a probability at which at most ``tolerated`` of the questions let
        through lacked evidence, on the questions it was fitted on.
    :param ranges: 1st and 99th percentile of each signal there; outside, nothing is claimed.
    :param embedder: fingerprint of the embedder it holds for.
    :param provenance: data, split and figures.
    """

    weights: dict[str, float]
    bias: float
    threshold: float
    ranges: dict[str, tuple[float, float]]
    embedder: str
    tolerated: float = 0.10
    provenance: dict[str, Any] = field(default_factory=dict)

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability, whatever the ranges say."""
        odds = self.bias + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))

    def unknown(self, signals: Mapping[str, float], embedder: str) -> str:
        """Return why no probability can be given for these signals, empty where one can."""
        if embedder != self.embedder:
            return f"the calibration holds for the embedder {self.embedder}, not {embedder}"
        for name, (low, high) in self.ranges.items():
            if not low <= signals[name] <= high:
                at = f"{signals[name]:.3g}, outside the range {low:.3g} to {high:.3g} it was fitted on"
                return f"the search's signal {name!r} is {at}"
        return ""

    def dump(self) -> str:
        """Return it as JSON."""
        return json.dumps({"schema_version": 1, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def parse(cls, text: str) -> Calibration:
        """Read what :meth:`dump` wrote; raises :class:`ValueError` for anything else."""
        try:
            stored = json.loads(text)
            if stored.pop("schema_version") != 1:
                raise ValueError("it has another schema version")
            ranges = {name: (float(low), float(high)) for name, (low, high) in stored.pop("ranges").items()}
            return cls(ranges=ranges, **stored)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"a part is missing or unknown ({error})") from error


@cache
def shipped() -> Calibration:
    """Return the calibration that ships with the program."""
    return Calibration.parse(
        resources.files("retrieval.confidence").joinpath(_SHIPPED).read_text(encoding="utf-8")
    )


def for_library(state: Path) -> Calibration:
    """Return the library's own calibration where there is one, else the shipped one.

    :raises UsageError: its own cannot be read.
    """
    own = state / OWN
    try:
        return Calibration.parse(own.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return shipped()
    except (OSError, ValueError) as error:
        raise UsageError(
            "The library's own calibration cannot be used",
            f"{own}: {error}",
            "Run `pnk calibrate --write` again, or delete the file",
        ) from error
