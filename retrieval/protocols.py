"""The seams of retrieval: what it needs from an embedder, and what others may ask of a library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from retrieval.types import Filters, Found

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors. Questions and passages may take different code paths, not spaces."""

    @property
    def fingerprint(self) -> str:
        """Identifies the vector space: equal fingerprints mean comparable vectors."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of shape ``(len(texts), dimension)``, for bulk work."""

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of shape ``(len(texts), dimension)``, for few texts at low latency."""


@runtime_checkable
class ManyAtOnce(Protocol):
    """An embedder that works on many passages at the same time, and so should be given many."""

    @property
    def at_once(self) -> int:
        """How many passages to embed between two moments at which vectors are kept."""


class Reranker(Protocol):
    """Reads question and passage together."""

    def scores(self, question: str, texts: Sequence[str]) -> Vectors:
        """Return one number a text, larger for a better answer; of shape ``(len(texts),)``."""


class Searcher(Protocol):
    """What the ask loop needs of a library."""

    @property
    def fingerprint(self) -> str:
        """Identifies the indexed content and the model: it changes when either does."""

    def search(self, queries: Sequence[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        """Answer every query with at most ``k`` hits, in the order of the queries."""
