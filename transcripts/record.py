"""The record of a run, complete enough to review, replay and rescore without library or model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1


class Part(BaseModel):
    """A part of the record; it never changes once written."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Program(Part):
    """What made the record."""

    name: str
    version: str


class LibraryInfo(Part):
    """The library as it was: its name, never its absolute path, and the fingerprint of its index."""

    name: str
    fingerprint: str


class Reached(Part):
    """How a passage was reached: by ``words``, ``meaning``, a ``name`` or a ``link``."""

    via: str
    detail: str = ""
    source: str | None = None
    hops: int = 0


class EvidencePassage(Part):
    """One passage the run saw, with its text, so that every citation can be read years later.

    :param number: counted from 1, in order of arrival; citations use it.
    :param sentences: ``(start, end)`` offsets into ``text``; citations count them from 1.
    :param aliases: other names of the document, which a model was told too.
    :param sha256: of ``text`` in UTF-8.
    """

    number: int
    id: str
    document: str
    title: str
    location: str
    text: str
    sentences: tuple[tuple[int, int], ...]
    sha256: str
    reached_by: tuple[Reached, ...] = ()
    aliases: tuple[str, ...] = ()


class SearchInfo(Part):
    """One query, as it was sent, and the numbers of the passages that it found, best first."""

    query: str
    found: tuple[int, ...]


class ConfidenceInfo(Part):
    """The gate's probability that the evidence sufficed at the start; None means unknown."""

    probability: float | None
    reason: str
    threshold: float | None = None
    signals: dict[str, float] = {}


class Citation(Part):
    """A sentence that a statement rests on, quoted."""

    passage: int
    sentence: int
    document: str
    title: str
    quote: str


class StatementInfo(Part):
    """One sentence of the answer; without citations it is unsupported."""

    text: str
    citations: tuple[Citation, ...] = ()


class PlanNode(Part):
    """A sub-question as it ended."""

    id: int
    question: str
    asked: str
    kind: str
    needs: tuple[int, ...]
    grown: bool
    status: str
    answer: str | None
    citations: tuple[Citation, ...] = ()
    note: str = ""


class PlanInfo(Part):
    """The plan as it ended, with what had to be repaired in the proposal."""

    form: str
    nodes: tuple[PlanNode, ...]
    repairs: tuple[str, ...] = ()


class RoundInfo(Part):
    """One rank: what was asked, which passages came back, what was remembered after it."""

    asked: tuple[tuple[int, str], ...]
    retrieved: dict[int, tuple[int, ...]]
    memory: str = ""
    missing: tuple[str, ...] = ()
    grown: tuple[int, ...] = ()


class UsageInfo(Part):
    """What a call or a run took; ``cost`` None means that the model has no known price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float
    estimated: bool = False


class ExchangeInfo(Part):
    """One call of the model.

    :param reply: None where the call failed; ``error`` then says why, and ``error_kind`` names its class.
    :param started: seconds after the beginning of the run.
    :param shown: the sentences that the model saw, as ``(passage, sentence)``; None where all of the request.
    :param notes: what the model's side had to say on it.
    """

    number: int
    kind: str
    prompt_digest: str
    request: dict[str, Any]
    reply: dict[str, Any] | None
    usage: UsageInfo
    error: str = ""
    error_kind: str = ""
    started: float = 0.0
    shown: tuple[tuple[int, int], ...] | None = None
    notes: tuple[str, ...] = ()


class AnswerInfo(Part):
    """The answer of a run, or of its first write when a repair followed."""

    short_answer: str | None
    probability: float | None
    withheld: str
    statements: tuple[StatementInfo, ...]
    removed_citations: tuple[tuple[int, int], ...] = ()


class ScoreInfo(Part):
    """LogicScore's verdict, what it was computed from, and the citation check.

    ``extraction`` is frozen: scoring it again gives the same verdict.
    """

    verdict: dict[str, Any]
    extraction: dict[str, Any]
    citations: dict[str, Any]


class Transcript(Part):
    """The whole record of one run. ``sha256`` is over all other fields, in canonical JSON."""

    schema_version: Literal[1] = 1
    id: str
    created: datetime
    program: Program
    library: LibraryInfo
    model: str
    settings: dict[str, Any]
    question: str
    status: str
    stop_reason: str
    failure: str = ""
    warnings: tuple[str, ...] = ()
    confidence: ConfidenceInfo
    evidence: tuple[EvidencePassage, ...]
    searches: tuple[SearchInfo, ...] = ()
    plan: PlanInfo | None
    rounds: tuple[RoundInfo, ...]
    answer: AnswerInfo
    score: ScoreInfo | None
    before_repair: tuple[AnswerInfo, ScoreInfo] | None = None
    exchanges: tuple[ExchangeInfo, ...]
    usage: UsageInfo
    sha256: str = ""

    def sealed(self) -> Transcript:
        """Return the record with its content hash filled in, equal to the one that is read back from its file."""
        return Transcript.model_validate(self.sealed_values())

    def sealed_values(self) -> dict[str, Any]:
        """Return the record as plain JSON values, with its content hash filled in."""
        values = self.model_dump(mode="json")
        return {**values, "sha256": hash_of(values)}

    def content_hash(self) -> str:
        """Return the SHA-256 of the record without its own hash."""
        return hash_of(self.model_dump(mode="json"))

    def to_json(self) -> str:
        """Return the record as JSON for a file: readable, keys in the schema's order, one final newline."""
        return self.model_dump_json(indent=1) + "\n"


def hash_of(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record as plain JSON values, without its own hash."""
    content = {key: value for key, value in record.items() if key != "sha256"}
    # A text that no file can hold must fail there, where the answer is already safe.
    return hashlib.sha256(canonical(content).encode(errors="surrogatepass")).hexdigest()


def canonical(value: Any) -> str:
    """Return ``value`` as JSON with sorted keys and no white space: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
