"""Our own rows: those of ``pnk batch`` and ``pnk ask --json``, with their transcripts where these are at hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pinakes_ask.batch.lines import Unusable
from pinakes_ask.evaluation.answer import MEASURES, USAGE, Answer, Cited, Said, Scores
from pinakes_ask.evaluation.documents import Source
from pinakes_ask.evaluation.question import EvalQuestion
from scoring.types import Extraction
from transcripts.errors import TranscriptError
from transcripts.record import EvidencePassage, Transcript
from transcripts.store import load

NO_TRANSCRIPT = "the row's transcript is not at hand"
NO_STATEMENT = "the answer has no statement"


def is_own(row: Mapping[str, Any]) -> bool:
    """Return whether a row is one of ours."""
    return {"schema_version", "status", "short_answer", "statements", "usage"} <= row.keys()


def answer_of_row(row: Mapping[str, Any], question: EvalQuestion, beside: Path) -> Answer:
    """Return the answer that one of our rows holds.

    :param beside: the folder of the file, from which rows name their transcripts.
    :raises Unusable: when the row is not what ``pnk`` writes.
    """
    try:
        transcript = _transcript(row, beside)
        first = transcript.searches[0].found if transcript and transcript.searches else None
        passages = {one.number: one for one in transcript.evidence} if transcript else {}
        failed = row["status"] == "failed"
        return Answer(
            id=question.id,
            short=row["short_answer"],
            statements=tuple(_said(one) for one in row["statements"]),
            cites=True,
            retrieved=None if first is None else tuple(_source(passages[number]) for number in first),
            seen=tuple(map(_source, passages.values())) if transcript else None,
            confidence=row["confidence"],
            usage={name: row["usage"][name] for name in USAGE},
            extraction=_extraction(transcript),
            no_extraction=NO_STATEMENT if transcript or not row["statements"] else NO_TRANSCRIPT,
            scores=_scores(row),
            error=_error(row) if failed else "",
        )
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        raise Unusable(f"it is no row of ours: {type(error).__name__} {error}".split("\n")[0]) from None


def _error(row: Mapping[str, Any]) -> str:
    error = row.get("error")
    return str(error["message"]) if error else "the run failed"


def _said(given: Mapping[str, Any]) -> Said:
    cited = (
        Cited(Source(document=one["document"], title=one["title"]), one["quote"]) for one in given["citations"]
    )
    return Said(given["text"], tuple(cited))


def _source(passage: EvidencePassage) -> Source:
    return Source(document=passage.document, title=passage.title)


def _scores(row: Mapping[str, Any]) -> Scores | None:
    score = row["score"]
    return Scores({name: score[name] for name in MEASURES}, score["class"])


def _extraction(transcript: Transcript | None) -> Extraction | None:
    if transcript is None or transcript.score is None:
        return None
    return Extraction.from_json(transcript.score.extraction)


def _transcript(row: Mapping[str, Any], beside: Path) -> Transcript | None:
    """The row's transcript; None where it is not there, damaged, or of another question."""
    if not isinstance(row.get("transcript"), str):
        return None
    try:
        transcript = load(beside / row["transcript"])
    except TranscriptError:
        return None
    return transcript if transcript.question == row["question"] else None
