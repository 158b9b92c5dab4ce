"""One row of the answers: the object of ``pnk ask --json``, with its question's id and what went wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from pinakes_ask.batch.questions import Item
from pinakes_ask.result import SCHEMA_VERSION, empty_score
from pinakes_ask.settings import Settings
from retrieval.types import Filters
from transcripts.record import canonical

Format = Literal["native", "openai"]
#: What can be wrong with a row.
ErrorCode = Literal["invalid_question", "run_failed", "library", "internal"]
_PREFIX = "pinakes_ask"


@dataclass(frozen=True)
class Key:
    """What a row answers: rows with equal keys answer the same thing."""

    id: str
    question: str
    settings: str

    def text(self) -> str:
        """The key as one text."""
        return canonical([self.id, self.question, self.settings])


def settings_hash(model: str, settings: Settings, filters: Filters) -> str:
    """Return what stands for everything that an answer depends on besides its question and the documents.

    Limits are no part of it: what was answered within one budget is not paid for again under another.
    """
    plain = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(filters).items()
    }
    text = canonical(
        {"model": model, "loop": asdict(settings.loop), "check": settings.extractor, "filters": plain}
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def answered_row(item: Item, settings: str, result: Mapping[str, Any], failure: str) -> dict[str, Any]:
    """Return the row of a run. ``failure``, why it failed, is an error only where nothing was answered."""
    failed = result["status"] == "failed"
    return {
        "id": item.id,
        "error": _error("run_failed", failure or "the run failed") if failed else None,
        "settings": settings,
        **result,
    }


def failed_row(item: Item, settings: str, code: ErrorCode, message: str) -> dict[str, Any]:
    """Return the row of a question for which there is no run: the same keys, and the error."""
    usage = {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0, "seconds": 0.0}
    return {
        "id": item.id,
        "error": _error(code, message),
        "settings": settings,
        "schema_version": SCHEMA_VERSION,
        "question": item.question,
        "status": "failed",
        "stop_reason": None,
        "short_answer": None,
        "statements": [],
        "confidence": None,
        "plan": None,
        "score": empty_score(),
        "usage": usage,
        "transcript": None,
        "warnings": [message],
    }


def as_written(row: Mapping[str, Any], form: Format, model: str, created: datetime) -> dict[str, Any]:
    """Return what stands in the file for ``row``: itself, or the response row of an OpenAI batch that holds it.

    The answer of a response is its short answer, then its statements with the titles they rest on.
    """
    if form == "native":
        return dict(row)
    failed = row["error"] is not None
    body = {
        "id": f"chatcmpl-{_digest(row)}",
        "object": "chat.completion",
        "created": int(created.timestamp()),
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": _content(row), "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": row["usage"]["prompt_tokens"],
            "completion_tokens": row["usage"]["completion_tokens"],
            "total_tokens": row["usage"]["prompt_tokens"] + row["usage"]["completion_tokens"],
        },
    }
    return {
        "id": f"batch_req_{_digest(row)}",
        "custom_id": row["id"],
        "response": None if failed else {"status_code": 200, "request_id": _digest(row), "body": body},
        "error": row["error"],
        _PREFIX: dict(row),
    }


def row_in(written: object) -> dict[str, Any] | None:
    """Return the row that stands in a file in either form, None where it is no row of ours."""
    if not isinstance(written, dict):
        return None
    row = written.get(_PREFIX, written)
    if not isinstance(row, dict):
        return None
    known = all(isinstance(row.get(name), str) for name in ("id", "question", "settings", "status"))
    return row if known else None


def key_of(row: Mapping[str, Any]) -> Key:
    """Return what ``row`` answers."""
    return Key(row["id"], row["question"], row["settings"])


def to_retry(row: Mapping[str, Any]) -> bool:
    """Return whether a row is worth another attempt: it failed, or a bound of its batch cut it short."""
    return row["status"] == "failed" or row.get("stop_reason") in ("budget", "deadline", "interrupted")


def _error(code: ErrorCode, message: str) -> dict[str, str]:
    return {"code": code, "message": message}


def _content(row: Mapping[str, Any]) -> str:
    short = row["short_answer"] or "No short answer."
    lines = [
        f"{one['text']} [{'; '.join(dict.fromkeys(cite['title'] for cite in one['citations']))}]"
        if one["citations"]
        else one["text"]
        for one in row["statements"]
    ]
    return "\n\n".join([short, "\n".join(lines)]) if lines else short


def _digest(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(key_of(row).text().encode()).hexdigest()[:24]
