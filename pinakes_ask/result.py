"""What ``pnk ask --json`` prints: one object, all keys always present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.types import Found
from transcripts.record import Transcript

SCHEMA_VERSION = 1
_LOGIC_SCORE = ("completeness", "essentiality", "determinateness")
_MEASURES = ("anchor", *_LOGIC_SCORE, "class", "gap")


def result_json(transcript: Transcript, folder: Path | None, said: Sequence[str] = ()) -> dict[str, Any]:
    """Return the result of a run.

    A score that does not apply is null; the reason stands in ``warnings``. ``folder`` is where the
    transcript lies, None where it was not saved; ``said`` is what saving had to say.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "question": transcript.question,
        "status": transcript.status,
        "stop_reason": transcript.stop_reason,
        "short_answer": transcript.answer.short_answer,
        "statements": [one.model_dump(mode="json") for one in transcript.answer.statements],
        "confidence": transcript.confidence.probability,
        "plan": transcript.plan.model_dump(mode="json") if transcript.plan else None,
        "score": _score(transcript),
        "usage": {
            "calls": transcript.usage.calls,
            "prompt_tokens": transcript.usage.prompt_tokens,
            "completion_tokens": transcript.usage.completion_tokens,
            "cost": transcript.usage.cost,
            "seconds": transcript.usage.seconds,
        },
        "transcript": str(folder) if folder else None,
        "warnings": [*transcript.warnings, *notes(transcript), *said],
    }


def evidence_json(found: Found, *, deep: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Return what ``pnk ask --json`` prints without ``--deep``: the same keys, no answer, and the passages.

    :param deep: what an answer would take at most.
    """
    reason = (
        [] if found.confidence.probability is not None else [f"Confidence is unknown: {found.confidence.reason}."]
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "question": found.query,
        "status": "partial" if found.hits else "no_evidence",
        "stop_reason": None,
        "short_answer": None,
        "statements": [],
        "confidence": found.confidence.probability,
        "plan": None,
        "score": empty_score(),
        "usage": {
            "calls": 0,
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "cost": 0.0,
            "seconds": round(seconds, 4),
        },
        "transcript": None,
        "warnings": ["This is evidence, not an answer: ask with --deep for one.", *reason],
        "passages": [
            {
                "rank": rank,
                "document": hit.passage.document,
                "title": hit.passage.title,
                "location": hit.passage.location,
                "text": hit.passage.text,
            }
            for rank, hit in enumerate(found.hits, start=1)
        ],
        "deep": dict(deep),
    }


def notes(transcript: Transcript) -> list[str]:
    """Say what was wrong with the answer, and why what is null is null."""
    said = faults(transcript)
    if transcript.answer.short_answer is None:
        said.append(f"No short answer: {(transcript.answer.withheld or 'none was found').rstrip('.')}.")
    if transcript.confidence.probability is None:
        said.append(f"Confidence is unknown: {transcript.confidence.reason}.")
    if transcript.score is None:
        why = "its check was not made" if transcript.answer.statements else "it has no statement"
        said.append(f"The answer was not scored: {why}.")
    for measure, reason in unmeasured(transcript).items():
        said.append(f"{measure.capitalize()} was not measured: {reason}.")
    return said


def faults(transcript: Transcript) -> list[str]:
    """Say what failed, and what was removed from the answer or stands in it without support."""
    said: list[str] = []
    if transcript.failure:
        said.append(transcript.failure)
    if transcript.answer.removed_citations:
        said.append(
            f"{len(transcript.answer.removed_citations)} citations named no offered sentence and were removed."
        )
    unsupported = sum(not one.citations for one in transcript.answer.statements)
    if unsupported:
        said.append(f"{unsupported} statements cite nothing: they are unsupported.")
    return said


def unmeasured(transcript: Transcript) -> dict[str, str]:
    """Return C, E and D as far as they do not apply, in this order, each with the reason."""
    reasons = transcript.score.verdict["not_applicable"] if transcript.score else {}
    return {measure: reasons[measure] for measure in _LOGIC_SCORE if measure in reasons}


def empty_score() -> dict[str, Any]:
    """Return the score of what was not scored: every measure is null."""
    return {**dict.fromkeys(_MEASURES), "citations": None}


def _score(transcript: Transcript) -> dict[str, Any]:
    if transcript.score is None:
        return empty_score()
    citations = transcript.score.citations
    return {
        **{key: transcript.score.verdict[key] for key in _MEASURES},
        "citations": {key: citations[key] for key in ("precision", "recall", "unresolved")},
    }


def exit_code(transcript: Transcript, *, strict: bool) -> int:
    """Return 0 for an answer, full or partial, 1 for none, 4 if ``strict`` finds it wanting, 130 after Ctrl-C."""
    if transcript.stop_reason == "interrupted" and not transcript.failure:
        return 130
    if transcript.status in ("no_evidence", "failed"):
        return 1
    if strict and transcript.score is not None:
        verdict = transcript.score.verdict
        unresolved = transcript.score.citations["unresolved"] or transcript.answer.removed_citations
        if verdict["completeness"] == 0 or verdict["determinateness"] == 0 or unresolved:
            return 4
    return 0
