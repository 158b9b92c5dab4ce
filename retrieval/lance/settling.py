"""Making the table of passages hold exactly the passages of a draft, whoever else writes to it.

The table is compared with the draft and changed where it differs, until a look at one version of it
finds no difference. A generation then names that version. What another sync writes at the same time
either is the same, and then it is not written again, or is a difference like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexBusy
from retrieval.lance import schema
from retrieval.lance.draft import Draft
from retrieval.lance.failures import Contended, talking
from retrieval.lance.reader import quoted
from retrieval.lance.searchable import tend
from retrieval.lance.tables import Tables
from retrieval.lance.vectors import VectorSource
from retrieval.protocols import Embedder

#: Rows written at once.
BATCH = 4096
#: Looks at the table before giving up on somebody who keeps changing it.
_LOOKS = 30
_IDS = 500


@dataclass(frozen=True)
class Settled:
    """The version of the table that holds the draft, where in it each row is, and what was embedded."""

    version: int
    places: NDArray[np.int64]
    embedded: int


@dataclass(frozen=True)
class _Held:
    """One version of the table: of each passage its place, and what it is a passage of."""

    version: int
    schema_fits: bool
    places: dict[str, int]
    keys: dict[str, tuple[str, str]]
    vectors: dict[bytes, int]
    twice: frozenset[str]


def settle(tables: Tables, draft: Draft, embedder: Embedder, tell: Callable[[str, int, int], None]) -> Settled:
    """Make the table hold exactly the passages of ``draft``.

    :raises IndexBusy: others keep changing it.
    """
    wanted = draft.keys()
    model = embedder.fingerprint
    embedded = 0
    for _ in range(_LOOKS):
        try:
            table = tables.ensure(schema.PASSAGES, schema.passages(embedder.dimension))
            held = _look(tables, table, embedder)
            missing = [
                row
                for row, (identity, digest, _) in enumerate(wanted)
                if held.keys.get(identity) != (digest, model)
            ]
            surplus = held.places.keys() - {identity for identity, _, _ in wanted} | held.twice
            if not held.schema_fits or (held.places and len(missing) == len(wanted)):
                # Nothing of it is of use, so a change of everything need not go row by row.
                tables.replace(schema.PASSAGES, schema.passages(embedder.dimension).empty_table())
                table = tables.open(schema.PASSAGES)
                embedded += _write(tables, table, draft, wanted, missing, held, embedder, tell)
            elif missing or surplus:
                embedded += _write(tables, table, draft, wanted, missing, held, embedder, tell)
                _remove(tables, table, sorted(surplus))
            elif tend(tables, table, len(wanted)) and table.version == held.version:
                places = [held.places[identity] for identity, _, _ in wanted]
                return Settled(held.version, np.asarray(places, np.int64), embedded)
        except Contended:
            continue
    raise IndexBusy(
        "The library is being synced already", "other processes keep changing its index", "Wait for them to end"
    )


def _look(tables: Tables, table: Any, embedder: Embedder) -> _Held:
    columns = ["id", "digest", "model", "hash"]
    with talking(tables.uri):
        version = table.version
        table.checkout(version)
        fits = table.schema.equals(schema.passages(embedder.dimension))
        if not fits:
            return _Held(version, False, {}, {}, {}, frozenset())
        found = table.search().select(columns).with_row_id(True).to_arrow()
        table.checkout_latest()
    ids, digests, models, hashes = (found[name].to_pylist() for name in columns)
    places = found["_rowid"].to_pylist()
    keys = dict(zip(ids, zip(digests, models, strict=True), strict=True))
    twice = (identity for identity, count in Counter(ids).items() if count > 1) if len(keys) < len(ids) else ()
    ours = embedder.fingerprint
    vectors = {one: place for one, model, place in zip(hashes, models, places, strict=True) if model == ours}
    return _Held(version, True, dict(zip(ids, places, strict=True)), keys, vectors, frozenset(twice))


def _write(
    tables: Tables,
    table: Any,
    draft: Draft,
    wanted: Sequence[tuple[str, str, bytes]],
    missing: Sequence[int],
    held: _Held,
    embedder: Embedder,
    tell: Callable[[str, int, int], None],
) -> int:
    """Write the missing rows; return how many vectors had to be computed."""
    import pyarrow as pa

    if not missing:
        return 0
    known = tables.open(schema.PASSAGES, held.version)
    source = VectorSource(tables, embedder, known, held.vectors)
    unknown = set(source.unknown([wanted[row][2] for row in missing]))
    done = source.compute(draft.texts([row for row in missing if wanted[row][2] in unknown]), tell)
    for start in range(0, len(missing), BATCH):
        tell("writing", start, len(missing))
        part = missing[start : start + BATCH]
        rows = draft.passages(part)
        vectors = source.vectors([row["hash"] for row in rows])
        wanted_schema = schema.passages(embedder.dimension)
        columns = {name: [row[name] for row in rows] for name in wanted_schema.names if name in rows[0]}
        columns["model"] = [embedder.fingerprint] * len(rows)
        columns["vector"] = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), embedder.dimension)
        content = pa.table({name: columns[name] for name in wanted_schema.names}, schema=wanted_schema)
        with talking(tables.uri):
            table.checkout_latest()
            merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(content)
    tell("writing", len(missing), len(missing))
    return done


def _remove(tables: Tables, table: Any, identities: Sequence[str]) -> None:
    for start in range(0, len(identities), _IDS):
        part = ", ".join(quoted(identity) for identity in identities[start : start + _IDS])
        with talking(tables.uri):
            table.checkout_latest()
            table.delete(f"id IN ({part})")
