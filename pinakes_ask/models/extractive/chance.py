"""How likely the best possible answer is right: a logistic regression on a few signals, with its threshold.

Fitted like the gate's calibration; ``fitted.json`` says on what. Below the threshold an answer is withheld.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.candidates import Candidate
from pinakes_ask.models.extractive.fitted import shipped
from pinakes_ask.models.extractive.think import Option, Thought
from retrieval.text import name_key

#: What a stated answer adds to the mean of the two shares when the best option is chosen.
_STATED = 1.0


@dataclass(frozen=True)
class Chance:
    """A probability, and the least that an answer must have to be given."""

    probability: float
    threshold: float

    @property
    def enough(self) -> bool:
        """Whether the answer may be given."""
        return self.probability >= self.threshold


def in_order(thought: Thought, stated: Candidate | None) -> list[Option]:
    """Return the options, best first; an answer that facts state outright is one of them."""
    options = list(thought.options)
    key = name_key(stated.answer) if stated is not None else None
    if stated is not None and all(name_key(one.answer) != key for one in options):
        options.append(Option(stated.answer, cites=stated.cites))

    def merit(option: Option) -> float:
        return _share(thought, option) + _STATED * (name_key(option.answer) == key)

    return sorted(options, key=lambda one: -merit(one))


def _share(thought: Thought, option: Option) -> float:
    return (option.by_steps + option.as_whole) / 2 if thought.form == "chain" else option.by_steps


def signals(thought: Thought, ordered: Sequence[Option], stated: Candidate | None) -> dict[str, float]:
    """Return what speaks for and against the first of ``ordered``, which must not be empty."""
    best = ordered[0]
    second = _share(thought, ordered[1]) if len(ordered) > 1 else 0.0
    key = name_key(best.answer)
    said = name_key(stated.answer) if stated is not None else None
    last = best.ranked.support.signals if best.ranked is not None else {}
    chain = thought.form == "chain"
    return {
        "stated": float(said == key),
        "stated_other": float(said is not None and said != key),
        "steps": best.by_steps * chain,
        "whole": best.as_whole * chain,
        "margin": (_share(thought, best) - second) * chain,
        "agree": float(chain and best.as_whole >= max(one.as_whole for one in ordered)),
        "compare": float(thought.form == "compare"),
        "compare*share": best.by_steps * (thought.form == "compare"),
        "choice": float(thought.form == "choice"),
        "choice*share": best.by_steps * (thought.form == "choice"),
        "all": float(thought.form == "all"),
        "all*share": best.by_steps * (thought.form == "all"),
        "hops": float(thought.steps) * chain,
        "relation": last.get("relation", 0.0),
        "tied": last.get("tied", 0.0),
        "near": last.get("near", 0.0),
        "overlap": last.get("overlap", 0.0),
        "right_kind": last.get("right_kind", 0.0),
        "wrong_kind": last.get("wrong_kind", 0.0),
        "phrase": last.get("phrase", 0.0),
    }


def chance(seen: Mapping[str, float], *, told: bool = False) -> Chance:
    """Return the fitted chance for these signals; at least that of answers that are ``told`` outright."""
    odds = max(-30.0, min(30.0, shipped().chance(seen)))
    least = shipped().told if told else 0.0
    return Chance(max(least, 1.0 / (1.0 + math.exp(-odds))), shipped().threshold)
