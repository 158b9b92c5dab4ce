from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.testing import HashEmbedder

Make = Callable[..., Path]


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write files, given by relative path, into a library folder, and return the folder."""

    def write(files: dict[str, str | bytes], name: str = "library") -> Path:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        for where, content in files.items():
            path = root / where
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def data() -> Path:
    """The folder of public question sets, or a skip that says how to name it."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("PNK_ASK_DATA", beside))
    if not (folder / "2wikimultihopqa").is_dir():
        pytest.skip("needs the question sets; name their folder in PNK_ASK_DATA")
    return folder
