"""The names and links of a generation, in tables of their own.

A worker reads them once: they take a tenth of what texts and vectors take. ``names`` says of each
name what it leads to, ``spellings`` by what it is looked up, ``rows`` which names stand in each
passage and where that passage lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.hops.index import HopIndex
from retrieval.lance import arrow, schema
from retrieval.lance.tables import Tables

if TYPE_CHECKING:
    import pyarrow as pa

_OF_A_NAME = ("owners", "rarity", "length", "is_link", "common")
_LISTS_OF_A_NAME = ("called", "holders", "places")
_LISTS_OF_A_ROW = ("mentions", "owned")


def write_names(tables: Tables, hops: HopIndex, places: NDArray[np.int64]) -> dict[str, int]:
    """Write the hop index; return the version of each table.

    :param places: for each row, LanceDB's id of it among the passages.
    """
    import pyarrow as pa

    names: dict[str, Any] = {"number": np.arange(len(hops.owners), dtype=np.int32)}
    names["shown"] = pa.array([hops.shown(number) for number in range(len(hops.owners))], pa.string())
    names |= {name: np.asarray(getattr(hops, name)) for name in _OF_A_NAME}
    names |= {name: arrow.lists(getattr(hops, name)) for name in _LISTS_OF_A_NAME}
    rows: dict[str, Any] = {"number": np.arange(len(places), dtype=np.int64), "place": places}
    rows["ordinal"] = np.asarray(hops.ordinal)
    rows |= {name: arrow.lists(getattr(hops, name)) for name in _LISTS_OF_A_ROW}
    spellings = {"hash": np.asarray(hops.hashes), "name": np.asarray(hops.hashed)}
    return {
        schema.NAMES: tables.replace(schema.NAMES, pa.table(names)),
        schema.SPELLINGS: tables.replace(schema.SPELLINGS, pa.table(spellings)),
        schema.ROWS: tables.replace(schema.ROWS, pa.table(rows)),
    }


def read_names(tables: Tables, versions: dict[str, int]) -> tuple[HopIndex, NDArray[np.int64]]:
    """Return the hop index, and for each row LanceDB's id of it among the passages."""
    names = _ordered(tables.read(schema.NAMES, versions[schema.NAMES]), "number")
    rows = _ordered(tables.read(schema.ROWS, versions[schema.ROWS]), "number")
    spellings = _ordered(tables.read(schema.SPELLINGS, versions[schema.SPELLINGS]), "hash")
    shown = [text.encode("utf-8") for text in names["shown"].to_pylist()]
    parts: dict[str, Any] = {name: arrow.array(names, name) for name in _OF_A_NAME}
    parts |= {name: arrow.ragged(names, name) for name in _LISTS_OF_A_NAME}
    parts |= {name: arrow.ragged(rows, name) for name in _LISTS_OF_A_ROW}
    hops = HopIndex(
        **parts,
        ordinal=arrow.array(rows, "ordinal"),
        hashes=arrow.array(spellings, "hash"),
        hashed=arrow.array(spellings, "name"),
        spelling=np.frombuffer(b"".join(shown), np.uint8),
        spelled=np.cumsum([0, *map(len, shown)]).astype(np.int64),
    )
    return hops, arrow.array(rows, "place").astype(np.int64)


def _ordered(table: pa.Table, by: str) -> pa.Table:
    """Return the rows in the order in which they were written."""
    numbers = arrow.array(table, by)
    return table if (np.diff(numbers) > 0).all() else table.sort_by(by)
