"""The two indexes over LanceDB, built from what the conformance suite gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

Passages = list[list[str]]


def needs_lancedb() -> None:
    """Skip the test where the extra is missing."""
    pytest.importorskip("lancedb", reason="needs the extra [lance], which make test-all installs")


def lance_words(passages: Passages, folder: Path) -> Any:
    """Return the index of words over passages given as token lists."""
    from retrieval.indexes.tokenised import Tokeniser
    from retrieval.lance.syncing import counted
    from retrieval.lance.words import Counts, LanceWords

    tokeniser = Tokeniser()
    for passage in passages:
        tokeniser.heads.append([])
        tokeniser.bodies.append(
            [tokeniser.vocabulary.setdefault(token, len(tokeniser.vocabulary)) for token in passage]
        )
    hashes, counts = counted(tokeniser)
    mean = float(np.mean([len(passage) for passage in passages])) if passages else 0.0
    table = lance_passages(
        [" ".join(passage) for passage in passages], np.zeros((len(passages), 4), np.float32), folder
    )
    return LanceWords(table, Counts(hashes, counts, len(passages), mean))


def lance_nearest(vectors: np.ndarray, folder: Path, *, approximate: bool) -> Any:
    """Return the index of vectors."""
    from retrieval.lance.nearest import LanceNearest

    passages = lance_passages([""] * len(vectors), vectors, folder)
    if approximate:
        from lancedb.index import IvfSq

        passages.table.checkout_latest()
        passages.table.create_index("vector", config=IvfSq(distance_type="dot", num_partitions=40))
    return LanceNearest(passages, approximate=approximate)


def lance_passages(words: list[str], vectors: np.ndarray, folder: Path, room: int = 4096) -> Any:
    """Return the passages with these words and vectors."""
    import pyarrow as pa

    from retrieval.lance import arrow, schema
    from retrieval.lance.page import Passages as Rows
    from retrieval.lance.searchable import tend
    from retrieval.lance.tables import Tables

    count, dimension = vectors.shape
    wanted = schema.passages(dimension)
    content = {name: pa.nulls(count, wanted.field(name).type) for name in wanted.names}
    content["id"] = pa.array([f"document#{row}" for row in range(count)], pa.string())
    content["words"] = pa.array(words, pa.string())
    content["head"] = pa.array([0] * count, pa.int32())
    content["vector"] = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel(), pa.float32()), dimension)
    tables = Tables(str(folder))
    tables.replace(schema.PASSAGES, pa.table(content, schema=wanted))
    table = tables.open(schema.PASSAGES)
    tend(tables, table, count)
    found = table.search().select(["id"]).with_row_id(True).to_arrow()
    rows = [int(identity.split("#")[1]) for identity in found["id"].to_pylist()]
    places = np.zeros(count, np.int64)
    places[rows] = arrow.array(found, "_rowid")
    return Rows(table, places, dimension, tables.uri, room)
