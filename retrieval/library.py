"""A library that was synced: open it, search it, look passages up."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from retrieval.confidence.calibration import for_library
from retrieval.embedding import embedder_named
from retrieval.errors import IndexDamaged, LibraryError
from retrieval.parts import Parts
from retrieval.protocols import Embedder, Reranker
from retrieval.reranker import CrossEncoderReranker
from retrieval.search import Index, search
from retrieval.sources.scan import check
from retrieval.state import state_dir
from retrieval.store.pointer import check_files, damaged, read_pointer
from retrieval.store.reader import GenerationReader
from retrieval.syncing import check_usable, empty
from retrieval.types import Filters, Found, Passage

_ATTEMPTS = 5


class Library:
    """One generation of a library's index. It stays usable, and the same, while others sync.

    Use it as a context manager, or call :meth:`close`.
    """

    def __init__(self, name: str, state: Path, fingerprint: str, index: Index) -> None:
        self.name = name
        self.state = state
        self.fingerprint = fingerprint
        self._opened: Index | None = index

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        state: Path | str | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | str | None = None,
        uri: str | None = None,
    ) -> Self:
        """Open the library at ``path``: a folder, a Pinakes knowledge base, or a corpus file.

        :param state: where its index lies, instead of the usual place.
        :param embedder: must have the fingerprint of the one that the index was built with.
        :param reranker: a cross-encoder, or the name of one, to read the best hits again.
        :param uri: where the tables of a shared index lie (see :mod:`retrieval.lance`), if it is one.
        :raises LibraryNotFound: there is nothing at ``path``, or no library.
        :raises IndexMissing: it was never synced.
        :raises IndexMismatch: it was synced with another embedder or by another version.
        :raises IndexDamaged: a file of the index is missing or cut.
        :raises EmptyLibrary: the index holds no passage.
        """
        path = Path(path).expanduser().resolve()
        embedder = embedder or embedder_named()
        folder = state_dir(path, None if state is None else Path(state))
        if isinstance(reranker, str):
            reranker = CrossEncoderReranker(reranker)
        if uri is not None:
            from retrieval.lance.opening import open_lance

            return cls(path.name, folder, *open_lance(path, uri, folder, embedder, reranker))
        check(path)
        for attempt in range(1, _ATTEMPTS + 1):
            pointer = read_pointer(folder)
            check_usable(pointer, embedder.fingerprint)
            try:
                index = _load(check_files(folder, pointer), folder, embedder, reranker)
            except (IndexDamaged, OSError, ValueError, sqlite3.DatabaseError) as error:
                # A sync may have replaced the generation between two of our steps.
                if attempt < _ATTEMPTS and read_pointer(folder) != pointer:
                    continue
                raise error if isinstance(error, IndexDamaged) else damaged(folder, str(error)) from error
            if len(index.parts.vectors) == 0:
                index.reader.close()
                raise empty(path, ())
            return cls(path.name, folder, pointer.fingerprint, index)
        raise damaged(folder, "it changes faster than it can be opened")

    def search(self, queries: Sequence[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        """Answer every query with at most ``k`` hits, in the order of the queries.

        The answer to a query does not depend on the other queries.

        :raises UsageError: ``k`` is below 1, or a query holds no word.
        :raises LibraryError: the library was closed; so do the methods and properties below.
        """
        return search(self._index, queries, k, filters)

    def passage(self, identity: str) -> Passage:
        """Return the passage called ``identity``; raises :class:`KeyError` where there is none."""
        return self._index.reader.by_id(identity)

    def passages(self) -> Iterator[Passage]:
        """Yield all passages, by document and ordinal."""
        return self._index.reader.all()

    @property
    def embedder_fingerprint(self) -> str:
        """Identifies the vector space of the index."""
        return self._index.embedder.fingerprint

    @property
    def documents_count(self) -> int:
        """Number of documents."""
        return self._index.reader.documents_count()

    @property
    def passages_count(self) -> int:
        """Number of passages."""
        return len(self._index.parts.vectors)

    def close(self) -> None:
        """Let go of the files."""
        if self._opened is not None:
            self._opened.reader.close()
            self._opened = None

    @property
    def _index(self) -> Index:
        if self._opened is None:
            raise LibraryError(
                f"The library {self.name} cannot be read", "it was closed", "Open it again with Library.open"
            )
        return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _load(generation: Path, state: Path, embedder: Embedder, reranker: Reranker | None) -> Index:
    return Index(GenerationReader(generation), Parts.load(generation), embedder, for_library(state), reranker)
