"""Where the records of a library lie."""

from __future__ import annotations

from pathlib import Path

from retrieval.state import writable


def asks_folder(library: Path, name: str, fallback: Path, *, writing: bool = True) -> Path:
    """Return where a library's records go: in it, beside a corpus file, else under ``fallback``.

    :param name: the folder's name or path; a relative one is taken from the library.
    :param fallback: used where the library's own place cannot be written.
    :param writing: records are to be written; otherwise a place that can only be read will do where it exists.
    """
    named = Path(name).expanduser()
    if named.is_absolute():
        return named
    if library.is_dir():
        wanted = library / named
    else:
        wanted = library.parent / named.parent / f"{library.name}.{named.name}"
    if not writing and wanted.is_dir() and not (fallback / named).is_dir():
        return wanted
    existing = next(place for place in (wanted, *wanted.parents) if place.exists())
    return wanted if writable(existing) else fallback / named
