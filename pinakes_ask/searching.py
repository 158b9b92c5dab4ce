"""Searching, with a note of every query and what it found; and searching in such notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.errors import LibraryError
from retrieval.protocols import Searcher
from retrieval.types import Confidence, Filters, Found, Hit, Passage, Reach
from transcripts.record import EvidencePassage, Transcript


@dataclass(frozen=True)
class Search:
    """One query and the ids of the passages that it found, best first."""

    query: str
    found: tuple[str, ...]


class NotedSearcher:
    """Searches for a run; ``searches`` keeps what was asked and found, in order."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self.searches: list[Search] = []

    @property
    def fingerprint(self) -> str:
        """The library's."""
        return self._searcher.fingerprint

    def search(self, queries: Sequence[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        """Answer every query, and note it."""
        found = self._searcher.search(queries, k, filters)
        self.searches += [Search(one.query, tuple(hit.passage.id for hit in one.hits)) for one in found]
        return found


class RecordedSearcher:
    """Finds what the recorded run found for the same query; other queries go to ``then``.

    The scores of its hits are 0, since a record holds their order alone.

    :ivar ended: whether something was searched for that the record does not hold.
    """

    def __init__(self, record: Transcript, then: Searcher | None = None) -> None:
        self._then = then
        self.ended = False
        self._evidence = {one.number: _hit(one) for one in record.evidence}
        self._found = {one.query: one.found for one in record.searches}
        self._first = record.searches[0].query if record.searches else ""
        known = record.confidence
        self._confidence = Confidence(known.probability, known.reason, known.threshold, known.signals)
        self.fingerprint = then.fingerprint if then is not None else record.library.fingerprint

    def search(self, queries: Sequence[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        """Answer every query as it was answered.

        :raises LibraryError: for a query that was not recorded, where nothing else can be searched.
        """
        return [self._one(query, k, filters) for query in queries]

    def _one(self, query: str, k: int, filters: Filters | None) -> Found:
        if query in self._found:
            known = self._confidence if query == self._first else Confidence(None, "it was not recorded")
            return Found(query, tuple(self._evidence[number] for number in self._found[query]), known)
        if self._then is None:
            self.ended = True
            raise LibraryError(
                f"Nothing is known of {query!r}",
                "the recorded run did not search for it",
                "Search the library itself",
            )
        return self._then.search([query], k, filters)[0]


def _hit(one: EvidencePassage) -> Hit:
    document, _, ordinal = one.id.rpartition("#")
    passage = Passage(
        id=one.id,
        document=one.document,
        title=one.title,
        location=one.location,
        ordinal=int(ordinal) if document and ordinal.isdecimal() else 0,
        start=0,
        end=len(one.text),
        text=one.text,
        sentences=one.sentences,
        aliases=one.aliases,
    )
    return Hit(passage, 0.0, tuple(Reach(r.via, r.detail, r.source, r.hops) for r in one.reached_by))
