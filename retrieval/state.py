"""Where the state of a library lies on disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs

#: The folder beside or inside a library that holds its index.
FOLDER = ".pinakes-ask"
#: The file in a state folder that names the generation in use; a state without it holds no index.
POINTER = "current.json"


def state_dir(library: Path, override: Path | None = None, *, writing: bool = False) -> Path:
    """Return the folder that holds the index of ``library``; it need not exist yet.

    In this order: ``override``; ``<library>/.pinakes-ask`` (``<file>.pinakes-ask`` for a corpus
    file) where it can be written; the user's cache folder, keyed by the library's resolved path.
    An index that lies in the first place but cannot be written there is still used for reading,
    unless the cache holds one.

    :param writing: the caller wants to write, so a place that is only readable is no use.
    """
    if override is not None:
        return override.expanduser().resolve()
    library = library.expanduser().resolve()
    beside = library / FOLDER if library.is_dir() else library.with_name(library.name + FOLDER)
    if writable(beside if beside.exists() else beside.parent):
        return beside
    key = hashlib.sha256(os.fsencode(library)).hexdigest()[:16]
    cached = Path(platformdirs.user_cache_dir("pinakes-ask", appauthor=False)) / f"{library.stem or 'root'}-{key}"
    if not writing and (beside / POINTER).is_file() and not (cached / POINTER).is_file():
        return beside
    return cached


def prepare(state: Path) -> None:
    """Create the state folder with the ``.gitignore`` by which it ignores itself."""
    state.mkdir(parents=True, exist_ok=True)
    ignore = state / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")


def writable(folder: Path) -> bool:
    """Return whether files may be created in ``folder``; one marked read-only is left alone, even by root."""
    try:
        marked_read_only = folder.stat().st_mode & 0o222 == 0
    except OSError:
        return False
    return not marked_read_only and os.access(folder, os.W_OK | os.X_OK)
