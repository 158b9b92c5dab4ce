"""Removing what nobody can need any more: old versions of the tables, and vectors that found their place."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from retrieval.errors import LibraryError
from retrieval.lance import schema
from retrieval.lance.failures import talking
from retrieval.lance.log import Generation, Log, read_log
from retrieval.lance.tables import Tables

#: A worker may stay with a generation for this long after another one has replaced it.
KEPT = timedelta(days=7)
#: Times are of the writers' clocks, which may differ, and cleaning itself takes time.
MARGIN = timedelta(days=1)
#: Old versions are looked for after every so many generations.
EVERY = 8
_ROWS = 1000


def tidy(tables: Tables, number: int) -> None:
    """Clean up after generation ``number`` was made; looking for old versions only now and then."""
    # What cannot be removed, for want of permission say, is no reason to call the sync a failure.
    with suppress(LibraryError):
        current = read_log(tables).current
        if current is not None:
            forget_vectors(tables, current)
        if number % EVERY == 0:
            clean(tables)


def clean(tables: Tables, kept: timedelta = KEPT, margin: timedelta = MARGIN) -> None:
    """Remove what is not needed by the current generation, or by one that was replaced less than ``kept`` ago.

    :raises LibraryError: another process is in the way, or the place refuses; some of it may be done then.
    """
    log = read_log(tables)
    if log.current is None:
        return
    times = tables.times(schema.FILES)
    needed = readable(log, times, kept)
    now = times[log.current.versions[schema.FILES]]
    for name in log.current.versions:
        dated = tables.times(name)
        oldest = dated.get(min(generation.versions[name] for generation in needed.values()), now)
        _drop(tables, name, now - min(oldest, now) + margin)
    log_table = tables.open(schema.LOG)
    with talking(tables.uri):
        log_table.delete(f"number < {min(needed)}")
    for name in (schema.LOG, schema.EMBEDDINGS):
        _drop(tables, name, max(kept, margin))


def readable(log: Log, times: Mapping[int, datetime], kept: timedelta = KEPT) -> dict[int, Generation]:
    """Return the generations that may be open somewhere: the current one, and what was replaced lately.

    :param times: when each version of the table of files was written, which every generation writes.
    """
    latest = sorted(log.generations, reverse=True)
    now = times[log.generations[latest[0]].versions[schema.FILES]]
    found = {latest[0]: log.generations[latest[0]]}
    for number, following in zip(latest[1:], latest, strict=False):
        replaced = times.get(log.generations[following].versions[schema.FILES])
        if replaced is None or now - replaced >= kept:
            break
        found[number] = log.generations[number]
    return found


def _drop(tables: Tables, name: str, older_than: timedelta) -> None:
    table = tables.open(name)
    with talking(tables.uri):
        table.optimize(cleanup_older_than=older_than)


def forget_vectors(tables: Tables, current: Generation) -> None:
    """Forget the vectors that are among the passages now; those of other syncs under way stay."""
    table = tables.open(schema.EMBEDDINGS)
    with talking(tables.uri):
        found = table.search().select(["hash"]).with_row_id(True).to_arrow()
        if found.num_rows == 0:
            return
        passages = tables.open(schema.PASSAGES, current.versions[schema.PASSAGES])
        placed = set(passages.search().select(["hash"]).to_arrow()["hash"].to_pylist())
        pairs = zip(found["hash"].to_pylist(), found["_rowid"].to_pylist(), strict=True)
        gone = sorted(place for digest, place in pairs if digest in placed)
        if len(gone) == found.num_rows:
            # What others add meanwhile has higher places.
            table.delete(f"_rowid <= {gone[-1]}")
            return
        for start in range(0, len(gone), _ROWS):
            table.delete(f"_rowid IN ({', '.join(map(str, gone[start : start + _ROWS]))})")
