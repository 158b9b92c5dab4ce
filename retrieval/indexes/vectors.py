"""Nearest passages by meaning: FAISS, exact up to a size and approximate above it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.mapped import load_mapped
from retrieval.protocols import Vectors

#: Above this many passages an exact search takes more than its share of 50 ms on two cores.
EXACT_UP_TO = 200_000
#: Above this many passages the exact search goes over half-precision copies: 3 times as fast.
HALF_ABOVE = 20_000
#: Rows scored exactly beyond those wanted, in case half precision misjudged the order.
_MARGIN = 50
VECTORS = "vectors.npy"
_APPROXIMATE = "vectors.ivf.faiss"
_PROBES = 64
_SEED = 1234
Mask = NDArray[np.bool_]
Ranked = tuple[NDArray[np.int64], NDArray[np.float32]]


class VectorIndex(Protocol):
    """The passages whose vectors have the largest inner product with a query's."""

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[Ranked]:
        """Return ``(rows, scores)`` for each query: at most ``n`` allowed rows, best first, ties by row."""


class FlatIndex:
    """Exact search. Holds nothing on disk beyond the vectors themselves."""

    def __init__(self, vectors: Vectors) -> None:
        import faiss

        self._index = faiss.IndexFlatIP(vectors.shape[1])
        self._index.add(np.ascontiguousarray(vectors))

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[Ranked]:
        """Return ``(rows, scores)`` for each query: at most ``n`` allowed rows, best first, ties by row."""
        parameters = None if allowed is None else _parameters("SearchParameters", sel=_selector(allowed))
        return _ranked(self._index, queries, n, parameters)


class HalfIndex:
    """Search over half-precision copies, which reads half the memory; the best are scored exactly."""

    def __init__(self, vectors: Vectors) -> None:
        import faiss

        self._vectors = vectors
        self._index = faiss.IndexScalarQuantizer(
            vectors.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        )
        self._index.train(np.ascontiguousarray(vectors[:1]))  # half precision has nothing to learn
        self._index.add(np.ascontiguousarray(vectors))

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[Ranked]:
        """Return ``(rows, scores)`` for each query: at most ``n`` allowed rows, best first, ties by row."""
        parameters = None if allowed is None else _parameters("SearchParameters", sel=_selector(allowed))
        found = []
        for query, (rows, _) in zip(queries, _ranked(self._index, queries, n + _MARGIN, parameters), strict=True):
            scores = (self._vectors[rows] @ query).astype(np.float32)
            order = np.lexsort((rows, -scores))[:n]
            found.append((rows[order], scores[order]))
        return found


class InvertedIndex:
    """Approximate search by inverted lists over k-means cells; the clustering has a fixed seed."""

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: Vectors) -> InvertedIndex:
        """Cluster and index the vectors; takes minutes for a million."""
        import faiss

        cells = max(1, min(int(4 * len(vectors) ** 0.5), len(vectors) // 39))
        index = faiss.IndexIVFFlat(
            faiss.IndexFlatIP(vectors.shape[1]), vectors.shape[1], cells, faiss.METRIC_INNER_PRODUCT
        )
        index.cp.seed = _SEED
        index.cp.niter = 8
        index.train(np.ascontiguousarray(vectors))
        index.add(np.ascontiguousarray(vectors))
        return cls(index)

    def save(self, path: Path) -> None:
        """Write the index to ``path``."""
        import faiss

        faiss.write_index(self._index, str(path))

    @classmethod
    def load(cls, path: Path) -> InvertedIndex:
        """Open an index, memory-mapped."""
        import faiss

        return cls(faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY))

    def search(self, queries: Vectors, n: int, allowed: Mask | None = None) -> list[Ranked]:
        """Return ``(rows, scores)`` for each query: at most ``n`` allowed rows, best first, ties by row."""
        selector = None if allowed is None else _selector(allowed)
        parameters = _parameters("SearchParametersIVF", nprobe=_PROBES, sel=selector)
        return _ranked(self._index, queries, n, parameters)


def save_vectors(folder: Path, vectors: Vectors) -> None:
    """Write what :func:`load_vectors` reads, with an approximate index where one is due."""
    np.save(folder / VECTORS, vectors)
    if len(vectors) > EXACT_UP_TO:
        InvertedIndex.build(vectors).save(folder / _APPROXIMATE)


def load_vectors(folder: Path) -> tuple[Vectors, VectorIndex]:
    """Return the memory-mapped vectors by row, and the index over them."""
    vectors: Vectors = load_mapped(folder / VECTORS)
    approximate = folder / _APPROXIMATE
    if approximate.exists():
        return vectors, InvertedIndex.load(approximate)
    return vectors, HalfIndex(vectors) if len(vectors) > HALF_ABOVE else FlatIndex(vectors)


def _selector(allowed: Mask) -> Any:
    import faiss

    return faiss.IDSelectorBatch(np.flatnonzero(allowed).astype(np.int64))


def _parameters(kind: str, **values: Any) -> Any:
    """Make FAISS's search parameters; its stubs do not know their keywords."""
    import faiss

    return getattr(faiss, kind)(**values)


def _ranked(index: Any, queries: Vectors, n: int, parameters: Any) -> list[Ranked]:
    n = min(n, index.ntotal)
    if n == 0 or len(queries) == 0:
        return [(np.zeros(0, np.int64), np.zeros(0, np.float32)) for _ in queries]
    scores, rows = index.search(np.ascontiguousarray(queries, np.float32), n, params=parameters)
    found = []
    for row, score in zip(rows, scores, strict=True):
        kept = row >= 0
        order = np.lexsort((row[kept], -score[kept]))
        found.append((row[kept][order], score[kept][order]))
    return found
