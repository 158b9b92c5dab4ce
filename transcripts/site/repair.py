"""An answer before and after its repair: what was dropped, what was added, how the scores moved."""

from __future__ import annotations

from dataclasses import dataclass

from transcripts.record import AnswerInfo, Transcript
from transcripts.site.citations import Mark, Numbering
from transcripts.site.scores import ShownScore, shown_score


@dataclass(frozen=True)
class ShownStatement:
    """A statement with its citations. ``change`` is ``added``, ``dropped`` or empty."""

    text: str
    marks: tuple[Mark, ...]
    change: str = ""
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownVersion:
    """An answer as it stood before or after."""

    short_answer: str | None
    statements: tuple[ShownStatement, ...]
    score: ShownScore


@dataclass(frozen=True)
class ShownRepair:
    """Both versions, and the gap that the second one was asked to close."""

    before: ShownVersion
    after: ShownVersion
    gap: str


def shown_repair(transcript: Transcript, numbering: Numbering) -> ShownRepair | None:
    """Return both versions of a repaired answer, None where there was no repair."""
    if transcript.before_repair is None:
        return None
    answer, score = transcript.before_repair
    before, after = _texts(answer), _texts(transcript.answer)
    first = shown_score(score)
    return ShownRepair(
        ShownVersion(answer.short_answer, _statements(answer, after, "dropped", numbering), first),
        ShownVersion(
            transcript.answer.short_answer,
            _statements(transcript.answer, before, "added", numbering),
            shown_score(transcript.score),
        ),
        first.gap,
    )


def _texts(answer: AnswerInfo) -> frozenset[str]:
    return frozenset(one.text for one in answer.statements)


def _statements(
    answer: AnswerInfo, other: frozenset[str], change: str, numbering: Numbering
) -> tuple[ShownStatement, ...]:
    return tuple(
        ShownStatement(one.text, numbering.marks(one.citations), "" if one.text in other else change)
        for one in answer.statements
    )
