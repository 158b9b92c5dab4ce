"""Everything a search reads of one generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.hops.index import HopIndex
from retrieval.indexes.tokenised import Tokenised
from retrieval.indexes.vectors import VectorIndex, load_vectors
from retrieval.indexes.words import Bm25sIndex, WordIndex
from retrieval.protocols import Vectors
from retrieval.types import Filters, Passage

Rows = NDArray[np.int64]


class Lists(Protocol):
    """A list of numbers for each row."""

    def gather(self, rows: Rows, /) -> tuple[Rows, NDArray[np.int32]]:
        """Return ``(places, numbers)`` of these rows end to end; places index into ``rows``."""

    def __len__(self) -> int: ...


class Tokens(Protocol):
    """Word numbers of each row: of its title and headings (``heads``) and of its text (``bodies``)."""

    @property
    def heads(self) -> Lists:
        """Of titles and headings."""

    @property
    def bodies(self) -> Lists:
        """Of texts."""


class RowVectors(Protocol):
    """The vector of each row."""

    def __getitem__(self, rows: Rows, /) -> Vectors:
        """Return the vectors of these rows, of shape ``(len(rows), dimension)``."""

    def __len__(self) -> int: ...


class PassageReader(Protocol):
    """The passages of one generation; usable from several threads."""

    def documents_count(self) -> int:
        """Return the number of documents."""

    def by_rows(self, rows: Sequence[int]) -> list[Passage]:
        """Return the passages in these rows, in the order given."""

    def by_id(self, identity: str) -> Passage:
        """Return the passage called ``identity``; raises :class:`KeyError`."""

    def all(self) -> Iterator[Passage]:
        """Yield every passage by row, that is by document and ordinal."""

    def allowed(self, filters: Filters) -> NDArray[np.bool_]:
        """Return, for every row, whether its document meets all conditions of ``filters``."""

    def close(self) -> None:
        """Let go of what is open."""


@dataclass(frozen=True)
class Parts:
    """The indexes of a generation; immutable, and usable from several threads."""

    words: WordIndex
    tokens: Tokens
    vectors: RowVectors
    nearest: VectorIndex
    hops: HopIndex

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open the indexes in the folder of a generation, memory-mapped."""
        vectors, nearest = load_vectors(folder)
        return cls(Bm25sIndex.load(folder), Tokenised.load(folder), vectors, nearest, HopIndex.load(folder))
