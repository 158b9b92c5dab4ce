"""Vectors of new passages: known from the passages, from an unfinished sync, or computed now.

What is computed is added to a table of its own, batch by batch, so that a killed sync loses one
batch at most, and other syncs under way need not compute it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from retrieval.lance import arrow, schema
from retrieval.lance.failures import talking
from retrieval.lance.tables import Tables
from retrieval.protocols import Embedder, ManyAtOnce, Vectors

#: Passages embedded between two additions to the table.
BATCH = 512


class VectorSource:
    """Gives the vector of every text that a sync needs.

    :param passages: the passages as they are, and ``held``: where a text's vector is among them.
    """

    def __init__(self, tables: Tables, embedder: Embedder, passages: Any, held: Mapping[bytes, int]) -> None:
        self._tables, self._embedder = tables, embedder
        self._passages, self._held = passages, held
        self._kept = tables.ensure(schema.EMBEDDINGS, schema.embeddings())
        self._found: dict[bytes, int] = {}
        self._look()

    def compute(self, texts: Mapping[bytes, str], tell: Callable[[str, int, int], None]) -> int:
        """Embed what is known nowhere; return how many texts that were."""
        # Texts of like length in one batch, so that little is wasted on padding.
        order = sorted(self.unknown(texts), key=lambda digest: len(texts[digest]))
        at_once = self._embedder.at_once if isinstance(self._embedder, ManyAtOnce) else BATCH
        done = 0
        for start in range(0, len(order), at_once):
            tell("embedding", start, len(order))
            # Another sync may have been here meanwhile.
            part = self.unknown(order[start : start + at_once])
            if part:
                self._add(part, self._embedder.embed_passages([texts[digest] for digest in part]))
                done += len(part)
        if order:
            tell("embedding", len(order), len(order))
        return done

    def unknown(self, hashes: Mapping[bytes, str] | Sequence[bytes]) -> list[bytes]:
        """Return those of the hashes whose vector is known nowhere."""
        return [digest for digest in hashes if digest not in self._held and digest not in self._found]

    def vectors(self, hashes: Sequence[bytes]) -> Vectors:
        """Return the vectors of texts that are all known."""
        found = np.zeros((len(hashes), self._embedder.dimension), np.float32)
        for table, places in ((self._passages, self._held), (self._kept, self._found)):
            at = [place for place, digest in enumerate(hashes) if digest in places]
            if at:
                wanted = np.asarray([places[hashes[place]] for place in at], np.int64)
                found[at] = self._taken(table, wanted)
        return found

    def _taken(self, table: Any, places: np.ndarray) -> Vectors:
        distinct, back = np.unique(places, return_inverse=True)
        with talking(self._tables.uri):
            taken = table.take_row_ids(distinct.tolist()).select(["vector"]).with_row_id().to_arrow()
        order = np.argsort(arrow.array(taken, "_rowid"))
        if table is self._passages:
            return arrow.vectors(taken["vector"], self._embedder.dimension)[order][back]
        stored = b"".join(taken["vector"].to_pylist())
        return np.frombuffer(stored, np.float32).reshape(-1, self._embedder.dimension)[order][back]

    def _add(self, hashes: Sequence[bytes], vectors: Vectors) -> None:
        import pyarrow as pa

        stored = {
            "model": [self._embedder.fingerprint] * len(hashes),
            "hash": list(hashes),
            "vector": [vector.tobytes() for vector in vectors],
        }
        with talking(self._tables.uri):
            self._kept.checkout_latest()
            self._kept.add(pa.table(stored, schema=schema.embeddings()))
        self._look()

    def _look(self) -> None:
        """See which vectors there are by now, and stay with this version of the table."""
        from retrieval.lance.reader import quoted

        with talking(self._tables.uri):
            self._kept.checkout_latest()
            self._kept.checkout(self._kept.version)
            query = self._kept.search().where(f"model = {quoted(self._embedder.fingerprint)}")
            found = query.select(["hash"]).with_row_id(True).to_arrow()
        self._found = dict(zip(found["hash"].to_pylist(), found["_rowid"].to_pylist(), strict=True))
