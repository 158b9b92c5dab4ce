"""Everything a search reads of one generation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from retrieval.hops.index import HopIndex
from retrieval.indexes.tokenised import Tokenised
from retrieval.indexes.vectors import VectorIndex, load_vectors
from retrieval.indexes.words import Bm25sIndex, WordIndex
from retrieval.protocols import Vectors


@dataclass(frozen=True)
class Parts:
    """The indexes of a generation; immutable, and usable from several threads."""

    words: WordIndex
    tokens: Tokenised
    vectors: Vectors
    nearest: VectorIndex
    hops: HopIndex

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open the indexes in the folder of a generation, memory-mapped."""
        vectors, nearest = load_vectors(folder)
        return cls(Bm25sIndex.load(folder), Tokenised.load(folder), vectors, nearest, HopIndex.load(folder))
