"""Ragged arrays: a list of integer lists as one flat array and its offsets, memory-mapped from disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from retrieval.mapped import load_mapped

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Ragged:
    """``row i`` is ``values[offsets[i]:offsets[i + 1]]``."""

    offsets: Ints
    values: NDArray[np.int32]

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> Self:
        """Pack lists of integers."""
        offsets, values = [0], list[int]()
        for row in rows:
            values.extend(row)
            offsets.append(len(values))
        return cls(np.asarray(offsets, np.int64), np.asarray(values, np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def lengths(self, rows: Ints) -> Ints:
        """Return the length of each of these rows."""
        lengths: Ints = self.offsets[rows + 1] - self.offsets[rows]
        return lengths

    def gather(self, rows: Ints) -> tuple[Ints, NDArray[np.int32]]:
        """Return ``(places, values)`` of these rows end to end; places index into ``rows``."""
        lengths = self.lengths(rows)
        places = np.repeat(np.arange(len(rows)), lengths)
        starts = np.repeat(self.offsets[rows] - np.cumsum(lengths) + lengths, lengths)
        return places, self.values[starts + np.arange(len(places))]

    def save(self, folder: Path, name: str) -> None:
        """Write two files called after ``name``."""
        np.save(folder / f"{name}.offsets.npy", self.offsets)
        np.save(folder / f"{name}.values.npy", self.values)

    @classmethod
    def load(cls, folder: Path, name: str) -> Self:
        """Open what :meth:`save` wrote; the offsets are read, the values mapped."""
        return cls(np.load(folder / f"{name}.offsets.npy"), load_mapped(folder / f"{name}.values.npy"))
