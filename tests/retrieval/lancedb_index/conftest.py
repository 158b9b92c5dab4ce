from __future__ import annotations

from pathlib import Path

import pytest

from tests.retrieval.lancedb_index.built import needs_lancedb


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """A folder for the tables, outside the library; skips where LanceDB is not installed."""
    needs_lancedb()
    return str(tmp_path / "shared")
