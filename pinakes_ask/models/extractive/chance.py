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
#: Added to shares before their ratio is taken, so that two that hardly count are about even.
_EVEN = 0.02
#: Signals of the best answer's own support that count as they are.
_OF_SUPPORT = (
    "covered",
    "relation",
    "tied",
    "near",
    "overlap",
    "right_kind",
    "wrong_kind",
    "phrase",
    "headed",
    "headed_by",
    "right_sort",
    "wrong_sort",
    "unsorted",
    "partial",
    "sorted",
    "fills",
    "fills*overlap",
)


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
    single = chain and thought.steps == 1
    # That two things agree is found where it is stated of both; that they differ also where one was misread.
    agrees, differs = (thought.form == "same" and best.answer == one for one in ("yes", "no"))
    return {
        "stated": float(said == key),
        "stated_other": float(said is not None and said != key),
        "steps": best.by_steps * chain,
        "whole": best.as_whole * chain,
        "margin": (_share(thought, best) - second) * chain,
        "agree": float(chain and best.as_whole >= max(one.as_whole for one in ordered)),
        "compare": float(thought.form == "compare"),
        "compare*share": best.by_steps * (thought.form == "compare"),
        "agrees": float(agrees),
        "agrees*share": best.by_steps * agrees,
        "differs": float(differs),
        "differs*share": best.by_steps * differs,
        "choice": float(thought.form == "choice"),
        "choice*share": best.by_steps * (thought.form == "choice"),
        "all": float(thought.form == "all"),
        "fact": float(thought.form == "fact"),
        "fact*share": best.by_steps * (thought.form == "fact"),
        "all*share": best.by_steps * (thought.form == "all"),
        "hops": float(thought.steps) * chain,
        "single": float(single),
        "single*steps": best.by_steps * single,
        "single*whole": best.as_whole * single,
        "single*overlap": last.get("overlap", 0.0) * single,
        "single*fills": last.get("fills", 0.0) * single,
        "single*near": last.get("near", 0.0) * single,
        "single*covered": last.get("covered", 0.0) * single,
        "all_covered": float(last.get("covered", 0.0) == 1.0),
        "lead": math.log((_share(thought, best) + _EVEN) / (second + _EVEN)) * chain,
        "told": float(stated is not None and stated.told and said == key),
        **{name: last.get(name, 0.0) for name in _OF_SUPPORT},
    }


def chance(seen: Mapping[str, float]) -> Chance:
    """Return the fitted chance for these signals."""
    odds = max(-30.0, min(30.0, shipped().chance(seen)))
    return Chance(1.0 / (1.0 + math.exp(-odds)), shipped().threshold)
