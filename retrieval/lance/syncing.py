"""Bringing the tables of a library up to date with its files, beside anybody else who does the same."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexBusy, IndexMismatch
from retrieval.generation import Progress, take_in
from retrieval.hops.surface import hash_of
from retrieval.indexes.tokenised import Tokeniser
from retrieval.indexing import read_names
from retrieval.lance import schema
from retrieval.lance.cleaning import tidy
from retrieval.lance.draft import Draft, write_previous
from retrieval.lance.failures import Contended
from retrieval.lance.log import Generation, Log, check_format, publish, read_log, usable
from retrieval.lance.names import write_names
from retrieval.lance.settling import settle
from retrieval.lance.tables import Tables, address
from retrieval.protocols import Embedder
from retrieval.sources import Origin, scan
from retrieval.store.reader import GenerationReader
from retrieval.store.writer import DATABASE, GenerationWriter
from retrieval.syncing import Old, empty
from retrieval.types import FileProblem, SyncReport

#: Times that a sync begins again because another one was faster.
_ATTEMPTS = 10
#: Clocks of machines that share files may differ by this much (ns); closer times tell nothing.
_CLOCKS = 3600 * 1_000_000_000


def sync_lance(
    path: Path, uri: str, embedder: Embedder, *, rebuild: bool, progress: Progress | None
) -> SyncReport:
    """Index what is new or changed in the library at ``path``, and forget what is gone.

    Several processes may do this at once. Each makes its generation on the one that it found; if
    another became current meanwhile, it begins again from there, and no vector is computed twice.
    Killed at any moment, the current generation stays what it was.

    :param rebuild: read every file again, and accept an index of another embedder or format.
    :raises IndexMismatch: the index is of another embedder, format or library, and ``rebuild`` is not set.
    :raises IndexUnreachable: the place cannot be reached, or refuses.
    :raises IndexBusy: others keep being faster.
    """
    tables = Tables(address(uri, path))
    embedded = 0
    for _ in range(_ATTEMPTS):
        found = scan(path)
        log = read_log(tables)
        if not found.origins and not log.number:
            raise empty(path, found.problems)
        old = None if rebuild else _old(tables, log, path.name, embedder)
        plan = [(origin, old is not None and old.holds(origin)) for origin in found.origins]
        if old is not None and old.is_all(plan, found.problems):
            return replace(old.report, embedded=embedded)
        try:
            tables.ensure(schema.LOG, schema.log())
            with tempfile.TemporaryDirectory(prefix="pinakes-ask-") as folder:
                making = _Making(tables, Path(folder), embedder, path.name, progress or _silent)
                previous = log.current if old is not None else None
                generation, report = making.make(plan, found.problems, previous)
            embedded += report.embedded
            if publish(tables, log.number, generation):
                tidy(tables, log.number + 1)
                return replace(report, embedded=embedded)
        except Contended:
            continue
    raise IndexBusy(
        "The library is being synced already",
        f"other processes keep writing to {tables.uri}",
        "Wait for them to end",
    )


class _Making:
    def __init__(self, tables: Tables, folder: Path, embedder: Embedder, library: str, tell: Progress) -> None:
        self._tables, self._folder, self._embedder = tables, folder, embedder
        self._library, self._tell = library, tell

    def make(
        self, plan: list[tuple[Origin, bool]], problems: list[FileProblem], previous: Generation | None
    ) -> tuple[Generation, SyncReport]:
        """Write a generation that holds the origins of ``plan``, without making it the current one."""
        copied = None
        if previous is not None:
            (self._folder / "previous").mkdir()
            copied = write_previous(self._tables, previous, self._folder / "previous")
        (self._folder / "next").mkdir()
        writer = GenerationWriter(self._folder / "next", copied)
        try:
            for problem in problems:
                writer.problem("", problem)
            for done, (origin, same) in enumerate(plan):
                self._tell("reading", done, len(plan))
                if same:
                    writer.copy(origin.key, origin.stamp)
                else:
                    take_in(writer, origin)
            changes = writer.finish()
            self._tell("reading", len(plan), len(plan))
            generation, embedded = self._write(writer)
        finally:
            writer.close()
        report = SyncReport(
            documents=generation.documents,
            passages=generation.passages,
            added=changes.added,
            changed=changes.changed,
            removed=changes.removed,
            unchanged=changes.unchanged,
            embedded=embedded,
            problems=_problems(self._folder / "next"),
        )
        return generation, report

    def _write(self, writer: GenerationWriter) -> tuple[Generation, int]:
        tables, draft = self._tables, Draft(self._folder / "next")
        try:
            settled = settle(tables, draft, self._embedder, self._tell)
            self._tell("indexing", 0, 0)
            hops, tokeniser = read_names(writer)
            versions = {
                schema.PASSAGES: settled.version,
                **write_names(tables, hops, settled.places),
                schema.WORDS: _write_words(tables, tokeniser),
                schema.FILES: tables.replace(schema.FILES, draft.files()),
                schema.PROBLEMS: tables.replace(schema.PROBLEMS, draft.problems()),
                schema.DOCUMENTS: tables.replace(schema.DOCUMENTS, draft.documents()),
            }
        finally:
            draft.close()
        generation = Generation(
            embedder=self._embedder.fingerprint,
            fingerprint=writer.fingerprint(self._embedder.fingerprint),
            library=self._library,
            documents=writer.documents_count(),
            passages=writer.count(),
            tokens=sum(map(len, tokeniser.heads)) + sum(map(len, tokeniser.bodies)),
            versions=versions,
        )
        return generation, settled.embedded


def _write_words(tables: Tables, tokeniser: Tokeniser) -> int:
    """Write in how many passages each word stands; return the version of the table."""
    import pyarrow as pa

    hashes, counts = counted(tokeniser)
    return tables.replace(schema.WORDS, pa.table({"hash": hashes, "count": counts}))


def counted(tokeniser: Tokeniser) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the hash of every word, sorted, and in how many passages it stands."""
    counts = np.zeros(len(tokeniser.vocabulary), np.int32)
    for row in tokeniser.rows():
        counts[np.unique(row).astype(np.int64)] += 1
    hashes = np.asarray([hash_of(token) for token in tokeniser.vocabulary], np.int64)
    order = np.argsort(hashes)
    return hashes[order], counts[order]


def _old(tables: Tables, log: Log, library: str, embedder: Embedder) -> Old | None:
    """Return what the current generation knows of the library's files, None where there is none."""
    check_format(log, tables.uri)
    if log.current is None:
        return None
    current = usable(log, tables.uri, embedder.fingerprint)
    if current.library != library:
        raise IndexMismatch(
            f"The index at {tables.uri} cannot be used",
            f"it was made from the library {current.library!r}, not from {library!r}",
            "Name another uri, or run `pnk sync --rebuild` to replace it",
        )
    known, problems = files_of(tables, current), problems_of(tables, current)
    failed: dict[str, list[FileProblem]] = defaultdict(list)
    for file, problem in problems:
        if file not in known:
            failed[file].append(problem)
    # Without a time, every file is compared by its content.
    made = tables.times(schema.FILES).get(current.versions[schema.FILES])
    written = int(made.timestamp() * 1e9) - _CLOCKS if made is not None else 0
    said = tuple(problem for _, problem in problems)
    report = SyncReport(current.documents, current.passages, 0, 0, 0, current.documents, 0, said)
    return Old(Path(DATABASE), written, known, failed, report)


def files_of(tables: Tables, generation: Generation) -> dict[str, tuple[str, str]]:
    """Return ``{key: (stamp, digest)}`` of every file that was taken in."""
    rows = tables.read(schema.FILES, generation.versions[schema.FILES]).to_pylist()
    return {row["key"]: (row["stamp"], row["digest"]) for row in rows}


def problems_of(tables: Tables, generation: Generation) -> list[tuple[str, FileProblem]]:
    """Return ``(key of the file, problem)`` of everything that the sync complained about."""
    rows = tables.read(schema.PROBLEMS, generation.versions[schema.PROBLEMS]).sort_by("number").to_pylist()
    return [(row["file"], FileProblem(row["location"], row["problem"], bool(row["skipped"]))) for row in rows]


def _problems(folder: Path) -> tuple[FileProblem, ...]:
    reader = GenerationReader(folder)
    try:
        return reader.said()
    finally:
        reader.close()


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""
