"""Opening a library's tables for searching."""

from __future__ import annotations

from pathlib import Path

from retrieval.confidence.calibration import for_library
from retrieval.errors import EmptyLibrary
from retrieval.lance import arrow, schema
from retrieval.lance.failures import Gone, talking
from retrieval.lance.log import Generation, read_log, usable
from retrieval.lance.names import read_names
from retrieval.lance.nearest import LanceNearest
from retrieval.lance.page import Passages
from retrieval.lance.reader import LanceReader
from retrieval.lance.searchable import is_approximate
from retrieval.lance.tables import Tables, address
from retrieval.lance.tokens import LanceTokens
from retrieval.lance.words import Counts, LanceWords
from retrieval.parts import Parts
from retrieval.protocols import Embedder, Reranker
from retrieval.search import Index

_ATTEMPTS = 3


def open_lance(
    path: Path, uri: str, state: Path, embedder: Embedder, reranker: Reranker | None
) -> tuple[str, Index]:
    """Return the fingerprint of the current generation, and everything a search reads of it.

    The documents themselves are not needed, nor is anything written.

    :param path: of the library, for a relative ``uri``; :param state: may hold an own calibration.
    :raises IndexMissing: it was never synced.
    :raises IndexMismatch: it was synced with another embedder or by another version.
    :raises IndexUnreachable: the place cannot be reached, or refuses.
    :raises EmptyLibrary: the index holds no passage.
    """
    tables = Tables(address(uri, path))
    for attempt in range(1, _ATTEMPTS + 1):
        log = read_log(tables)
        current = usable(log, tables.uri, embedder.fingerprint)
        if current.passages == 0:
            raise EmptyLibrary(
                "The library is empty",
                f"the index at {tables.uri} holds no passage",
                "Add Markdown, text or PDF files and run `pnk sync`",
            )
        try:
            reader, parts = _load(tables, current, embedder.dimension)
        except Gone:
            # It may have been replaced and removed between two of our steps, if we were slow indeed.
            if attempt == _ATTEMPTS or read_log(tables).number == log.number:
                raise
            continue
        return current.fingerprint, Index(reader, parts, embedder, for_library(state), reranker)
    raise AssertionError("the last attempt returns or raises")


def current_fingerprint(path: Path, uri: str) -> str | None:
    """Return the fingerprint of the current generation, None where there is none."""
    log = read_log(Tables(address(uri, path)))
    return log.current.fingerprint if log.current is not None else None


def _load(tables: Tables, current: Generation, dimension: int) -> tuple[LanceReader, Parts]:
    versions = current.versions
    hops, places = read_names(tables, versions)
    table = tables.open(schema.PASSAGES, versions[schema.PASSAGES])
    passages = Passages(table, places, dimension, tables.uri)
    words = tables.read(schema.WORDS, versions[schema.WORDS]).sort_by("hash")
    counts = Counts(
        arrow.array(words, "hash"), arrow.array(words, "count"), len(places), current.tokens / max(len(places), 1)
    )
    documents = tables.open(schema.DOCUMENTS, versions[schema.DOCUMENTS])
    with talking(tables.uri):
        reader = LanceReader(passages, documents, current.documents)
    parts = Parts(
        words=LanceWords(passages, counts),
        tokens=LanceTokens(passages),
        vectors=passages,
        nearest=LanceNearest(passages, approximate=is_approximate(tables, table)),
        hops=hops,
    )
    return reader, parts
