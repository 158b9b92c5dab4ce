"""A record in one row: what a list, a trend and the search for links need of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from scoring.types import BRANCH_FORMS
from transcripts.errors import TranscriptError
from transcripts.record import SCHEMA_VERSION

T = TypeVar("T")
MEASURES = ("completeness", "essentiality", "determinateness")
NOT_SCORED = "the answer was not scored"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a reviewer looks for a run by.

    :ivar folder: of the run, as a path relative to the folder of records.
    :ivar created: in UTC, ISO 8601.
    :ivar reasons: for each measure that is None, why.
    :ivar chain: ids of the documents that support the path from question to answer, in its
        order; empty for a comparison, whose branches are no chain.
    :ivar cost: None where the model has no known price.
    :ivar review: ``accept`` or ``reject``, None where nobody has judged; the last one counts.
    """

    id: str
    folder: str
    created: str
    question: str
    model: str
    status: str
    stop_reason: str
    short_answer: str | None
    completeness: int | None
    essentiality: float | None
    determinateness: int | None
    failure_class: str | None
    confidence: float | None
    unsupported: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float
    fingerprint: str
    reasons: Mapping[str, str] = field(default_factory=dict)
    chain: Sequence[str] = ()
    review: str | None = None
    reviewer: str | None = None
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values; ``failure_class`` is called ``class``, as everywhere else."""
        return dict(zip(_KEYS, self.to_row(), strict=True))

    def to_row(self) -> list[Any]:
        """Return the values of all fields, in their order, as plain JSON values."""
        return [getattr(self, name) for name in self.__slots__]

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Summary:
        """Return the summary that :meth:`to_row` made ``row`` of."""
        return cls(*row)


#: The names of the fields as JSON has them.
_KEYS = tuple("class" if name == "failure_class" else name for name in Summary.__slots__)


def summarise(record: Mapping[str, Any], folder: str) -> Summary:
    """Return the summary of a record as it stands in its file.

    :raises TranscriptError: when it is no record, or one of a newer schema version.
    """
    version = record.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise TranscriptError(
            f"The transcript in {folder} cannot be read", f"it has schema version {version}", "Upgrade pinakes-ask"
        )
    try:
        return _summary(record, folder)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise TranscriptError(
            f"What lies in {folder} is no transcript", f"it lacks what one has ({error})", "Move it elsewhere"
        ) from error


def _summary(record: Mapping[str, Any], folder: str) -> Summary:
    verdict = record["score"]["verdict"] if record["score"] else {}
    reasons = dict(verdict.get("not_applicable", {}))
    usage, answer = record["usage"], record["answer"]
    return Summary(
        id=_text(record["id"]),
        folder=folder,
        created=_time(record["created"]),
        question=_text(record["question"]),
        model=_text(record["model"]),
        status=_text(record["status"]),
        stop_reason=_text(record["stop_reason"]),
        short_answer=_maybe(_text, answer["short_answer"]),
        completeness=_maybe(_whole, verdict.get("completeness")),
        essentiality=_maybe(_number, verdict.get("essentiality")),
        determinateness=_maybe(_whole, verdict.get("determinateness")),
        failure_class=_maybe(_text, verdict.get("class")),
        confidence=_maybe(_number, record["confidence"]["probability"]),
        unsupported=sum(not one["citations"] for one in answer["statements"]),
        calls=_whole(usage["calls"]),
        prompt_tokens=_whole(usage["prompt_tokens"]),
        completion_tokens=_whole(usage["completion_tokens"]),
        cost=_maybe(_number, usage["cost"]),
        seconds=_number(usage["seconds"]),
        fingerprint=_text(record["library"]["fingerprint"]),
        reasons={
            measure: _text(reasons.get(measure, NOT_SCORED))
            for measure in MEASURES
            if verdict.get(measure) is None
        },
        chain=_chain(record, verdict),
    )


def _chain(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> tuple[str, ...]:
    """The documents cited by the statements whose propositions lie on the path; branches are no chain."""
    if verdict.get("completeness") != 1 or record["score"]["extraction"]["form"] in BRANCH_FORMS:
        return ()
    propositions = record["score"]["extraction"]["propositions"]
    statements = record["answer"]["statements"]
    on_path = [statements[propositions[index]["statement"]] for index in verdict["path"]]
    return tuple(dict.fromkeys(_text(cite["document"]) for one in on_path for cite in one["citations"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} is no text")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{str(value)[:40]!r} is no number")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{str(value)[:40]!r} is no whole number")
    return value


def _time(value: Any) -> str:
    """A time as records state it, in UTC, so that times order as text."""
    at = datetime.fromisoformat(_text(value))
    if at.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone")
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _maybe(read: Callable[[Any], T], value: Any) -> T | None:
    return None if value is None else read(value)
