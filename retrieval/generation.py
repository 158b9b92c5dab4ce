"""Building one generation of the index: read, split, embed, index, publish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from retrieval.indexes.vectors import save_vectors
from retrieval.indexing import build_indexes
from retrieval.protocols import Embedder, ManyAtOnce, Vectors
from retrieval.sources import Origin
from retrieval.store.cache import Cache
from retrieval.store.pointer import begin, publish
from retrieval.store.reader import GenerationReader
from retrieval.store.writer import DATABASE, GenerationWriter
from retrieval.types import FileProblem, SyncReport

Progress = Callable[[str, int, int], None]
#: Passages embedded between two commits of the cache: what a killed sync loses at most.
BATCH = 256


def build(
    state: Path,
    plan: Sequence[tuple[Origin, bool]],
    problems: Sequence[FileProblem],
    previous: Path | None,
    embedder: Embedder,
    progress: Progress | None,
) -> SyncReport:
    """Write and publish a generation that holds the origins of ``plan``.

    :param plan: each origin, and whether it is copied from ``previous`` instead of read.
    :param problems: of the scan, kept with the generation.
    :param previous: database of the current generation.
    """
    tell = progress or _silent
    folder = begin(state)
    writer = GenerationWriter(folder, previous)
    try:
        for problem in problems:
            writer.problem("", problem)
        for done, (origin, same) in enumerate(plan):
            tell("reading", done, len(plan))
            if same:
                writer.copy(origin.key, origin.stamp)
            else:
                take_in(writer, origin)
        changes = writer.finish()
        said = writer.problems()
        tell("reading", len(plan), len(plan))
        embedded = _embed(state, folder, writer, embedder, tell)
        tell("indexing", 0, 0)
        build_indexes(writer, folder)
        passages, documents = writer.count(), writer.documents_count()
        fingerprint = writer.fingerprint(embedder.fingerprint)
    finally:
        writer.close()
    reader = GenerationReader(folder)
    try:
        said += reader.notes()
    finally:
        reader.close()
    publish(state, folder, embedder.fingerprint, fingerprint)
    return SyncReport(
        documents=documents,
        passages=passages,
        added=changes.added,
        changed=changes.changed,
        removed=changes.removed,
        unchanged=changes.unchanged,
        embedded=embedded,
        problems=tuple(said),
    )


def take_in(writer: GenerationWriter, origin: Origin) -> None:
    """Read one file; a file that failed is not recorded as taken in, so the next sync tries it again."""
    try:
        digest = origin.digest()
    except OSError as error:
        writer.problem(origin.key, FileProblem(origin.key, f"it cannot be read: {error.strerror or error}", True))
        return
    reading = origin.read()
    if reading.documents:
        writer.add(origin, digest, reading.documents)
    for problem in reading.problems:
        writer.problem(origin.key, problem)


def _embed(state: Path, folder: Path, writer: GenerationWriter, embedder: Embedder, tell: Progress) -> int:
    """Write the vectors of all passages; return how many had to be computed."""
    cache = Cache(state)
    try:
        model = embedder.fingerprint
        unknown = _unknown(cache, writer, embedder)
        total = len(unknown)
        # Texts of like length in one batch, so that little is wasted on padding.
        order = sorted(unknown.items(), key=lambda item: len(item[1]))
        at_once = embedder.at_once if isinstance(embedder, ManyAtOnce) else BATCH
        for start in range(0, total, at_once):
            tell("embedding", start, total)
            part = order[start : start + at_once]
            vectors = embedder.embed_passages([text for _, text in part])
            cache.add(model, [digest for digest, _ in part], vectors)
        if total:
            tell("embedding", total, total)
        save_vectors(folder, _gather(cache, writer, embedder))
        cache.keep_only(model, folder / DATABASE)
    finally:
        cache.close()
    return total


def _unknown(cache: Cache, writer: GenerationWriter, embedder: Embedder) -> dict[bytes, str]:
    texts = dict(writer.texts())
    known = cache.vectors(embedder.fingerprint, list(texts), embedder.dimension)
    return {digest: text for digest, text in texts.items() if digest not in known}


def _gather(cache: Cache, writer: GenerationWriter, embedder: Embedder) -> Vectors:
    vectors = np.zeros((writer.count(), embedder.dimension), np.float32)
    hashes = [digest for digest, _ in writer.texts()]
    for start in range(0, len(hashes), BATCH):
        part = hashes[start : start + BATCH]
        known = cache.vectors(embedder.fingerprint, part, embedder.dimension)
        for offset, digest in enumerate(part):
            vectors[start + offset] = known[digest]
    return vectors


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""
