"""Vectors by the hash of their text and the fingerprint of their model, so that none is computed twice."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.protocols import Vectors

NAME = "cache.sqlite3"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT, hash BLOB, vector BLOB, PRIMARY KEY (model, hash)
);
"""
_CHUNK = 500


class Cache:
    """The cache of one state folder. Written batch by batch, so that a killed sync loses one batch.

    It can always be deleted: a damaged one is replaced by an empty one.
    """

    def __init__(self, state: Path) -> None:
        path = state / NAME
        try:
            self._connection = _open(path)
        except sqlite3.DatabaseError:
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self._connection = _open(path)

    def vectors(self, model: str, hashes: Sequence[bytes], dimension: int) -> dict[bytes, Vectors]:
        """Return the known vectors among ``hashes``; one of another length counts as unknown."""
        known: dict[bytes, Vectors] = {}
        for start in range(0, len(hashes), _CHUNK):
            part = hashes[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(
                f"SELECT hash, vector FROM vectors WHERE model = ? AND hash IN ({marks})", (model, *part)
            )
            for digest, blob in rows:
                if len(blob) == 4 * dimension:
                    known[digest] = np.frombuffer(blob, np.float32)
        return known

    def add(self, model: str, hashes: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors, durably once this returns."""
        with self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(model, digest, vector.tobytes()) for digest, vector in zip(hashes, vectors, strict=True)],
            )

    def keep_only(self, model: str, database: Path) -> None:
        """Forget every vector that no passage of the generation in ``database`` needs."""
        self._connection.execute("ATTACH ? AS generation", (str(database),))
        with self._connection:
            self._connection.execute(
                "DELETE FROM vectors WHERE model != ? OR hash NOT IN (SELECT hash FROM generation.passages)",
                (model,),
            )
        self._connection.execute("DETACH generation")

    def close(self) -> None:
        """Close the database, folding its log into it so that no side files stay."""
        with contextlib.suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
        connection.execute("SELECT count(*) FROM vectors").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
