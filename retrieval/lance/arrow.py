"""Between Arrow's columns and the arrays that the ranking reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.hops.csr import Ragged

if TYPE_CHECKING:
    import pyarrow as pa


def array(table: pa.Table, name: str) -> NDArray[Any]:
    """Return a column of numbers or truth values."""
    found: NDArray[Any] = table[name].combine_chunks().to_numpy(zero_copy_only=False)
    return found


def ragged(table: pa.Table, name: str) -> Ragged:
    """Return a column of lists of integers."""
    import pyarrow.compute as pc

    lengths = pc.list_value_length(table[name]).to_numpy()
    values = pc.list_flatten(table[name]).combine_chunks().to_numpy(zero_copy_only=False)
    return Ragged(np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]), values.astype(np.int32, copy=False))


def lists(ragged: Ragged) -> pa.Array:
    """Return a column of lists of integers; the reverse of :func:`ragged`."""
    import pyarrow as pa

    if len(ragged.values) >= 2**31:
        # More than one array of 32-bit offsets can point at.
        half = len(ragged) // 2
        return pa.chunked_array([*_chunks(ragged, 0, half), *_chunks(ragged, half, len(ragged))])
    return pa.chunked_array(_chunks(ragged, 0, len(ragged)), pa.list_(pa.int32()))


def vectors(column: pa.ChunkedArray, dimension: int) -> NDArray[np.float32]:
    """Return a column of vectors as one array, of shape ``(rows, dimension)``."""
    import pyarrow.compute as pc

    flat = pc.list_flatten(column).combine_chunks().to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(flat, np.float32).reshape(-1, dimension)


def _chunks(ragged: Ragged, first: int, last: int) -> list[pa.Array]:
    import pyarrow as pa

    offsets = ragged.offsets[first : last + 1]
    values = ragged.values[offsets[0] : offsets[-1]]
    return [pa.ListArray.from_arrays(pa.array((offsets - offsets[0]).astype(np.int32)), pa.array(values))]
