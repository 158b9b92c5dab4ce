"""The documents of a library as they are now, read from their files and not from the index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from retrieval.sources import scan
from retrieval.types import Document


def read_documents(library: Path, wanted: Collection[str] | None = None) -> Iterator[tuple[str, Document | None]]:
    """Yield ``(id, document)`` of the wanted documents that are there, of all where ``wanted`` is None.

    A document is None where its file is there and cannot be read.

    :raises LibraryNotFound: when there is no library.
    :raises LibraryError: when a knowledge base's manifest cannot be used.
    """
    for origin in scan(library.resolve()).origins:
        if library.is_dir() and wanted is not None and origin.key not in wanted:
            continue
        reading = origin.read()
        for document in reading.documents:
            if wanted is None or document.id in wanted:
                yield document.id, document
        if library.is_dir() and not reading.documents:
            yield origin.key, None
