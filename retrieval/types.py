"""The values that retrieval hands out: documents, passages, hits and how each was reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Link:
    """An explicit reference from one document to another, as written (not yet resolved)."""

    target: str
    kind: str  # "wiki", "relative" or "sidecar"


@dataclass(frozen=True)
class Document:
    """One file, or one record of a corpus, read and cleaned.

    :param id: stable across syncs and unique in the library: the relative POSIX path of a file,
        or the record's own id in a corpus.
    :param location: where a person finds it: a path relative to the library, or ``path#record``.
    :param text: the cleaned text; every offset in the program is an offset into it.
    :param source_type: ``markdown``, ``text``, ``code``, ``pdf`` or ``record``.
    :param modified: of the file, in UTC; None for a record.
    :param external_id: the id that a Pinakes sidecar gives it, empty where there is none.
    :param body_start: where the text begins after front matter.
    """

    id: str
    title: str
    location: str
    text: str
    source_type: str
    content_hash: str
    modified: datetime | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    external_id: str = ""
    body_start: int = 0


@dataclass(frozen=True)
class Passage:
    """A span of a document: ``document.text[start:end] == text``.

    :param id: ``document#ordinal``, unique in the library.
    :param sentences: ``(start, end)`` of each sentence, as offsets into ``text``.
    :param aliases: other names of the document, as its front matter or sidecar gives them.
    """

    id: str
    document: str
    title: str
    location: str
    ordinal: int
    start: int
    end: int
    text: str
    sentences: tuple[tuple[int, int], ...]
    heading_path: tuple[str, ...] = ()
    source_type: str = "text"
    aliases: tuple[str, ...] = ()

    def sentence(self, index: int) -> str:
        """Return the text of sentence ``index``, counted from 0."""
        start, end = self.sentences[index]
        return self.text[start:end]

    @property
    def sentence_texts(self) -> tuple[str, ...]:
        """The texts of all sentences, in order."""
        return tuple(self.text[start:end] for start, end in self.sentences)


@dataclass(frozen=True)
class Reach:
    """One way in which a passage was reached.

    :param via: ``words`` (BM25), ``meaning`` (dense), ``name`` (something is called so) or ``link``.
    :param detail: the name or link followed, empty for ``words`` and ``meaning``.
    :param source: id of the passage the hop started from, None when it started from the question.
    :param hops: 0 for a direct hit or a name in the question, then 1, 2, ...
    """

    via: str
    detail: str = ""
    source: str | None = None
    hops: int = 0


@dataclass(frozen=True)
class Hit:
    """A ranked passage. ``score`` falls with rank; only its order means something."""

    passage: Passage
    score: float
    reached_by: tuple[Reach, ...]
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Confidence:
    """The probability that the hits hold all evidence the question needs.

    :param probability: in [0, 1], or None when it is not known; then ``reason`` says why.
    :param threshold: enough evidence means ``probability >= threshold``.
    :param signals: what it was computed from.
    """

    probability: float | None
    reason: str
    threshold: float | None = None
    signals: Mapping[str, float] = field(default_factory=dict)

    @property
    def enough(self) -> bool:
        """Whether the evidence suffices; unknown is not enough."""
        return self.probability is not None and self.threshold is not None and self.probability >= self.threshold


@dataclass(frozen=True)
class Found:
    """The answer to one query: its hits, best first, and how sure the search is of them."""

    query: str
    hits: tuple[Hit, ...]
    confidence: Confidence


@dataclass(frozen=True)
class Filters:
    """What a search is restricted to; every given condition must hold.

    :param tags: the document carries all of them.
    :param path_prefix: the location starts with exactly this, compared as written.
    :param source_type: ``markdown``, ``text``, ``code``, ``pdf`` or ``record``.
    """

    tags: tuple[str, ...] = ()
    path_prefix: str = ""
    source_type: str = ""
    modified_after: datetime | None = None
    modified_before: datetime | None = None


@dataclass(frozen=True)
class FileProblem:
    """A file that a sync could not take in, or took in with a reservation."""

    location: str
    problem: str
    skipped: bool


@dataclass(frozen=True)
class SyncReport:
    """What one sync did. ``embedded`` counts passages whose vectors had to be computed."""

    documents: int
    passages: int
    added: int
    changed: int
    removed: int
    unchanged: int
    embedded: int
    problems: tuple[FileProblem, ...] = ()
