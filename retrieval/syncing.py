"""Bringing the index of a library up to date with its files."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from retrieval.embedding import embedder_named
from retrieval.errors import EmptyLibrary, IndexBusy, IndexDamaged, IndexMismatch, IndexMissing, LibraryError
from retrieval.generation import build
from retrieval.protocols import Embedder
from retrieval.sources import Origin, scan
from retrieval.state import POINTER, prepare, state_dir
from retrieval.store.pointer import FORMAT, GENERATIONS, Pointer, check_files, read_pointer, tidy
from retrieval.store.reader import GenerationReader
from retrieval.store.writer import DATABASE
from retrieval.types import FileProblem, SyncReport

#: Told ``(stage, done, total)``; total is 0 where it is not known.
Progress = Callable[[str, int, int], None]
#: A file written this close (ns) before the last sync may have changed since without a new time.
_CLOCK_TICK = 2_000_000_000


def sync(
    path: Path | str,
    *,
    state: Path | str | None = None,
    embedder: Embedder | None = None,
    rebuild: bool = False,
    progress: Progress | None = None,
    uri: str | None = None,
) -> SyncReport:
    """Index what is new or changed in the library at ``path``, and forget what is gone.

    A killed sync leaves the old index in use; the vectors it had computed are not computed again.
    Files that could not be read are in the report, and are tried again by every sync.

    :param state: where the index lies, instead of the usual place.
    :param rebuild: read every file again, and accept another embedder or a damaged index.
    :param uri: where the tables of a shared index lie (see :mod:`retrieval.lance`); the local one is
        left alone then.
    :raises LibraryNotFound: there is no library at ``path``.
    :raises EmptyLibrary: it holds no readable document; an earlier index is emptied.
    :raises IndexMismatch: the index was built with another embedder, and ``rebuild`` is not set.
    :raises IndexBusy: another process is syncing this library.
    """
    path = Path(path).expanduser().resolve()
    embedder = embedder or embedder_named()
    if uri is not None:
        from retrieval.lance.syncing import sync_lance

        report = sync_lance(path, uri, embedder, rebuild=rebuild, progress=progress)
        if report.documents == 0:
            raise empty(path, report.problems)
        return report
    found = scan(path)
    folder = state_dir(path, None if state is None else Path(state), writing=True)
    if not found.origins and not (folder / GENERATIONS).exists():
        raise empty(path, found.problems)
    with _locked(folder):
        previous = _previous(folder, embedder, rebuild)
        if previous is not None:
            tidy(folder, previous)
        try:
            old = None if previous is None or rebuild else _old(folder, previous)
        except sqlite3.DatabaseError:
            old = None  # damaged; everything is read again, and the vectors come from the cache
        plan = [(origin, old is not None and old.holds(origin)) for origin in found.origins]
        if old is not None and old.is_all(plan, found.problems):
            report = old.report
        else:
            report = build(folder, plan, found.problems, old.database if old else None, embedder, progress)
    if report.documents == 0:
        raise empty(path, report.problems)
    return report


def empty(path: Path, problems: list[FileProblem] | tuple[FileProblem, ...]) -> EmptyLibrary:
    """Return the error for a library without a readable document; it names the first bad file."""
    why = f"there is no document that can be read in {path}"
    if problems:
        more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
        why += f" ({problems[0].location}: {problems[0].problem}{more})"
    return EmptyLibrary("The library is empty", why, "Add Markdown, text or PDF files and run `pnk sync`")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        prepare(folder)
        lock = FileLock(folder / "lock", timeout=0)
        lock.acquire()
    except Timeout as error:
        raise IndexBusy(
            "The library is being synced already", f"another process holds {folder / 'lock'}", "Wait for it to end"
        ) from error
    except OSError as error:
        raise LibraryError(
            "The index cannot be written",
            f"{error.strerror or error}: {error.filename or folder}",
            "Name a folder that can be written with --state DIR",
        ) from error
    try:
        yield
    finally:
        lock.release()


def _previous(folder: Path, embedder: Embedder, rebuild: bool) -> Pointer | None:
    """Return the pointer of a usable earlier generation, None where everything must be read.

    An index of another version is built anew without asking: its vectors are in the cache, so that
    costs seconds. One of another embedder costs a pass over the whole library, so that is refused.
    """
    try:
        pointer = read_pointer(folder)
        if not rebuild and pointer.embedder != embedder.fingerprint:
            raise mismatch(pointer, embedder.fingerprint)
        if pointer.format != FORMAT:
            return None
        check_files(folder, pointer)
    except (IndexMissing, IndexDamaged):
        return None
    return pointer


def check_usable(pointer: Pointer, fingerprint: str) -> None:
    """Raise :class:`IndexMismatch` unless the index belongs to this embedder and this version."""
    if pointer.embedder != fingerprint:
        raise mismatch(pointer, fingerprint)
    if pointer.format != FORMAT:
        why = f"another version built it (format {pointer.format}, this one reads {FORMAT})"
        raise IndexMismatch("The index cannot be used", why, "Run `pnk sync`")


def mismatch(pointer: Pointer, fingerprint: str) -> IndexMismatch:
    """Return the error for an index of another embedder."""
    return IndexMismatch(
        "The index cannot be used",
        f"it was built with the embedder {pointer.embedder}, not {fingerprint}",
        "Run `pnk sync --rebuild`",
    )


def _old(folder: Path, pointer: Pointer) -> Old:
    generation = folder / GENERATIONS / pointer.generation
    reader = GenerationReader(generation)
    try:
        files, problems, documents = reader.files(), reader.problems(), reader.documents_count()
        said = (*(problem for _, problem in problems), *reader.notes())
        report = SyncReport(documents, reader.passages_count(), 0, 0, 0, documents, 0, said)
    finally:
        reader.close()
    failed: dict[str, list[FileProblem]] = defaultdict(list)
    for key, problem in problems:
        if key not in files:
            failed[key].append(problem)
    return Old(generation / DATABASE, (folder / POINTER).stat().st_mtime_ns, files, failed, report)


@dataclass(frozen=True)
class Old:
    """What the current generation knows of the library's files.

    :param written: when it was published, in nanoseconds of the file system's clock.
    :param files: stamp and digest of every file that was taken in.
    :param failed: problems of every file that was not, and under "" those of the scan.
    """

    database: Path
    written: int
    files: dict[str, tuple[str, str]]
    failed: dict[str, list[FileProblem]]
    report: SyncReport

    def holds(self, origin: Origin) -> bool:
        """Whether a file is as it was, by its times where they are conclusive, else by its content.

        A file that failed is tried again, and is as it was if it fails in the same way.
        """
        if origin.key not in self.files:
            if origin.key not in self.failed:
                return False
            reading = origin.read()
            return not reading.documents and list(reading.problems) == self.failed[origin.key]
        stamp, digest = self.files[origin.key]
        if stamp != origin.stamp:
            return False
        if origin.newest < self.written - _CLOCK_TICK:
            return True
        try:
            return origin.digest() == digest
        except OSError:
            return False

    def is_all(self, plan: list[tuple[Origin, bool]], problems: list[FileProblem]) -> bool:
        """Whether nothing is new, changed or gone."""
        known = {*self.files, *self.failed} - {""}
        if not all(same for _, same in plan) or known != {origin.key for origin, _ in plan}:
            return False
        return self.failed.get("", []) == problems
