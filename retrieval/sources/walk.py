"""Walking a folder without leaving it, looping, or eating our own output."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from retrieval.text import clean
from retrieval.types import FileProblem

#: Folders at the top of a library that hold what this program and Pinakes write.
OWN_FOLDERS = ("asks",)
#: Files that mark a folder as one of ours: a run's, or that of a review site with its scripts.
MARKS = frozenset({"transcript.json", "pinakes-ask-site.json"})
SIDECAR_SUFFIX = ".pnk.yaml"


def walk(root: Path, library: Path, problems: list[FileProblem]) -> Iterator[Path]:
    """Yield the regular files under ``root`` in the order of their paths.

    Hidden files and folders, ``asks/`` at the top of the library, folders of runs and of review
    sites (see :data:`MARKS`), folders of another index and sidecars are passed over. Folders that cannot
    be listed, links to folders and files whose link leaves the library are added to ``problems``.
    """
    real_library = library.resolve()

    def failed(error: OSError) -> None:
        where = Path(error.filename) if error.filename else root
        problems.append(
            FileProblem(relative(where, library), f"the folder cannot be listed: {error.strerror}", True)
        )

    for folder, folders, files in os.walk(root, onerror=failed, followlinks=False):
        here = Path(folder)
        if not MARKS.isdisjoint(files):
            folders.clear()
            continue
        kept = []
        for name in sorted(folders):
            path = here / name
            if name.startswith(".") or name.endswith(".pinakes-ask") or (here == library and name in OWN_FOLDERS):
                continue
            if path.is_symlink():
                problems.append(
                    FileProblem(relative(path, library), "it is a link to a folder; not followed", True)
                )
                continue
            kept.append(name)
        folders[:] = kept
        for name in sorted(files):
            path = here / name
            if name.startswith(".") or name.endswith(SIDECAR_SUFFIX):
                continue
            if path.is_symlink() and not _usable_link(path, library, real_library, problems):
                continue
            if path.is_file():
                yield path


def relative(path: Path, library: Path) -> str:
    """Return ``path`` relative to the library, as POSIX and as text that any store can hold."""
    try:
        name = path.relative_to(library).as_posix()
    except ValueError:
        name = path.as_posix()
    return unicodedata.normalize("NFC", clean(name))


def _usable_link(path: Path, library: Path, real_library: Path, problems: list[FileProblem]) -> bool:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        problems.append(FileProblem(relative(path, library), "it is a link to nothing, or to itself", True))
        return False
    if not target.is_relative_to(real_library):
        problems.append(FileProblem(relative(path, library), "its link leaves the library", True))
        return False
    return True
