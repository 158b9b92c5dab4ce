"""Arrays on disk that are read as they are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def load_mapped(file: Path) -> NDArray[Any]:
    """Return the array in ``file``, mapped into memory, as a plain array.

    A plain one, since each slice of numpy's own class for mapped arrays costs many times as much.
    """
    return np.asarray(np.load(file, mmap_mode="r"))
