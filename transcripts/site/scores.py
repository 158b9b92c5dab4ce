"""Scores as the page shows them: each measure with its value or the reason why it has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from transcripts.record import ScoreInfo
from transcripts.rescore import Rescored
from transcripts.site.wording import CLASSES, MEASURES, plain

_CITATIONS = (
    ("precision", "Citations that fit", "The share of citations whose sentence has to do with the statement."),
    ("recall", "Statements that hold", "The share of statements whose names, dates and numbers are all cited."),
)
_ANCHORS = {"self": "the run's own short answer", "gold": "the known answer"}


@dataclass(frozen=True)
class ShownMeasure:
    """One measure. ``value`` is None where it does not apply, and ``reason`` then says why."""

    key: str
    letter: str
    name: str
    meaning: str
    value: float | None
    reason: str = ""
    note: str = ""

    @property
    def shown(self) -> str:
        """The value in figures: a whole one without decimals."""
        if self.value is None:
            return "–"
        return f"{self.value:.0f}" if self.value in (0, 1) else f"{self.value:.2f}"

    @property
    def level(self) -> str:
        """How good the value is: ``full``, ``part``, ``none``, or ``unknown``."""
        if self.value is None:
            return "unknown"
        return "full" if self.value >= 1 else "none" if self.value <= 0 else "part"


@dataclass(frozen=True)
class ShownScore:
    """Everything that scoring says of an answer."""

    measures: tuple[ShownMeasure, ...]
    citations: tuple[ShownMeasure, ...]
    failure: str = ""
    failure_meaning: str = ""
    gap: str = ""
    unresolved: int = 0
    anchor: str = ""


def shown_score(score: ScoreInfo | None) -> ShownScore:
    """Return the score for the page; without one, every measure is unknown for that reason."""
    if score is None:
        reason = "the answer was not scored"
        return ShownScore(
            tuple(ShownMeasure(*measure, None, reason) for measure in MEASURES),
            tuple(ShownMeasure(key, "", name, meaning, None, reason) for key, name, meaning in _CITATIONS),
        )
    verdict = score.verdict
    reasons = _mapping(verdict.get("not_applicable"))
    by = verdict.get("determinateness_by")
    name = verdict.get("class")
    gap = _mapping(verdict.get("gap"))
    return ShownScore(
        measures=tuple(
            ShownMeasure(
                *measure,
                _number(verdict.get(measure[0])),
                str(reasons.get(measure[0], "")),
                note=f"Inferred again by: {by}." if by and measure[1] == "D" else "",
            )
            for measure in MEASURES
        ),
        citations=tuple(
            ShownMeasure(key, "", title, meaning, _number(score.citations.get(key)), "nothing is cited")
            for key, title, meaning in _CITATIONS
        ),
        failure=plain(name) if isinstance(name, str) else "",
        failure_meaning=CLASSES.get(name, "") if isinstance(name, str) else "",
        gap=str(gap.get("text", "")),
        unresolved=int(_number(score.citations.get("unresolved")) or 0),
        anchor=_ANCHORS.get(str(verdict.get("anchor")), ""),
    )


@dataclass(frozen=True)
class LaterScore:
    """What the scorer of a later version said of the same answer."""

    time: datetime
    version: str
    measures: tuple[ShownMeasure, ...]
    failure: str


def later_scores(rescored: Sequence[Rescored]) -> tuple[LaterScore, ...]:
    """Return the scores that later versions gave, oldest first."""
    shown = []
    for one in rescored:
        score = shown_score(ScoreInfo(verdict=one.verdict, extraction={}, citations=one.citations))
        shown.append(LaterScore(one.time, one.version, score.measures, score.failure))
    return tuple(shown)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
