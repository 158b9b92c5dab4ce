"""Examining a library's index without changing it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from retrieval.confidence.calibration import OWN
from retrieval.embedding import embedder_named
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.parts import Parts
from retrieval.protocols import Embedder
from retrieval.sources import scan
from retrieval.state import state_dir
from retrieval.store.cache import NAME as CACHE
from retrieval.store.pointer import FORMAT, GENERATIONS, check_files, read_pointer
from retrieval.store.reader import GenerationReader
from retrieval.text.errors import PinakesAskError
from retrieval.types import FileProblem


@dataclass(frozen=True)
class Health:
    """What an examination found.

    :param faults: what keeps the index from being used, or from being trusted; empty if healthy.
    :param waiting: files that are new, changed or gone since the last sync.
    :param orphans: leftovers of killed syncs, which the next sync removes.
    :param problems: files that could not be taken in, or only with a reservation.
    :param disk: bytes used, by part of the state folder.
    """

    library: str
    state: str
    documents: int
    passages: int
    embedder: str
    indexed_with: str
    fingerprint: str
    calibration: str
    faults: tuple[str, ...]
    waiting: tuple[str, ...]
    orphans: tuple[str, ...]
    problems: tuple[FileProblem, ...]
    disk: dict[str, int]

    @property
    def healthy(self) -> bool:
        """Whether the index can be used as it is."""
        return not self.faults


def examine(
    path: Path, *, state: Path | None = None, embedder: Embedder | None = None, uri: str | None = None
) -> Health:
    """Examine the index of the library at ``path``.

    :param uri: where the tables of a shared index lie (see :mod:`retrieval.lance`), if it is one.
    :raises LibraryNotFound: there is no library.
    """
    path = path.expanduser().resolve()
    embedder = embedder or embedder_named()
    if uri is not None:
        from retrieval.lance.health import examine_lance

        return examine_lance(path, uri, state_dir(path, state), embedder)
    origins = scan(path).origins
    folder = state_dir(path, state)
    faults: list[str] = []
    documents = passages = 0
    indexed_with = fingerprint = current = ""
    waiting: list[str] = []
    problems: tuple[FileProblem, ...] = ()
    try:
        pointer = read_pointer(folder)
        indexed_with, fingerprint, current = pointer.embedder, pointer.fingerprint, pointer.generation
        if pointer.format != FORMAT:
            faults.append(f"the index has format {pointer.format}, this version reads {FORMAT}")
        if indexed_with != embedder.fingerprint:
            faults.append(f"the index was built with {indexed_with}, the embedder is {embedder.fingerprint}")
        generation = check_files(folder, pointer)
        reader = GenerationReader(generation)
        try:
            documents, passages = reader.documents_count(), reader.passages_count()
            problems = reader.said()
            known = reader.files()
        finally:
            reader.close()
        parts = Parts.load(generation)
        if not len(parts.vectors) == len(parts.hops.mentions) == len(parts.tokens.bodies) == passages:
            faults.append("the parts of the index disagree on the number of passages")
        found = {origin.key: origin.stamp for origin in origins}
        waiting += [f"new: {key}" for key in found if key not in known]
        waiting += [f"changed: {key}" for key in found if key in known and known[key][0] != found[key]]
        waiting += [f"gone: {key}" for key in known if key not in found]
    except (IndexMissing, IndexDamaged) as error:
        faults.append(f"{error.what}: {error.why}")
    except (OSError, ValueError, sqlite3.DatabaseError) as error:
        faults.append(f"the index cannot be opened: {error}")
    return Health(
        library=str(path),
        state=str(folder),
        documents=documents,
        passages=passages,
        embedder=embedder.fingerprint,
        indexed_with=indexed_with,
        fingerprint=fingerprint,
        calibration="own" if (folder / OWN).exists() else "shipped",
        faults=(*faults, *model_faults(embedder)),
        waiting=tuple(waiting),
        orphans=_orphans(folder, current),
        problems=problems,
        disk=_disk(folder, current),
    )


def model_faults(embedder: Embedder) -> tuple[str, ...]:
    """Return what keeps an embedder from working, nothing if it does."""
    try:
        embedder.embed_questions(["health"])
    except PinakesAskError as error:
        return (f"{error.what}: {error.why}",)
    return ()


def _orphans(folder: Path, current: str) -> tuple[str, ...]:
    root = folder / GENERATIONS
    return tuple(sorted(path.name for path in root.iterdir() if path.name != current)) if root.is_dir() else ()


def _disk(folder: Path, current: str) -> dict[str, int]:
    used = {"index": 0, "vectors": 0, "cache": 0, "leftovers": 0}
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        if path.name.startswith("vectors"):
            part = "vectors"
        elif path.name.startswith(CACHE):
            part = "cache"
        else:
            part = "index"
        if path.parent.parent.name == GENERATIONS and path.parent.name != current:
            part = "leftovers"
        used[part] += path.stat().st_size
    return used
