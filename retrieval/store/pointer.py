"""The pointer to the generation in use: one small file, replaced atomically.

A generation is a folder that is complete before the pointer names it and never changes after. So
an index is always the old one or the new one, whenever a sync is killed, and readers never wait.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.state import POINTER

#: Raised with any change of the files' meaning; an index of another format is not read.
FORMAT = 3
GENERATIONS = "generations"
_UNFINISHED = ".unfinished"


@dataclass(frozen=True)
class Pointer:
    """Which generation is current, what made it, and how long each of its files must be (bytes)."""

    generation: str
    embedder: str
    fingerprint: str
    format: int
    files: dict[str, int]


def read_pointer(state: Path) -> Pointer:
    """Return the pointer of a state folder.

    :raises IndexMissing: nothing was ever synced here.
    :raises IndexDamaged: the pointer cannot be understood.
    """
    try:
        loaded = json.loads((state / POINTER).read_bytes())
        return Pointer(**loaded)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexMissing(
            "The library has no index yet", f"{state} holds none", "Run `pnk sync` first"
        ) from error
    except (OSError, ValueError, TypeError) as error:
        raise damaged(state, f"{POINTER} cannot be read") from error


def check_files(state: Path, pointer: Pointer) -> Path:
    """Return the folder of the current generation; raises :class:`IndexDamaged` if it is incomplete."""
    folder = state / GENERATIONS / pointer.generation
    for name, size in pointer.files.items():
        try:
            actual = (folder / name).stat().st_size
        except OSError as error:
            raise damaged(state, f"{name} is missing") from error
        if actual != size:
            raise damaged(state, f"{name} has {actual} bytes instead of {size}")
    return folder


def damaged(state: Path, why: str) -> IndexDamaged:
    """Return the error for an index that cannot be used as it is."""
    return IndexDamaged(f"The index in {state} is damaged", why, "Run `pnk sync` to rebuild it")


def begin(state: Path) -> Path:
    """Create the folder of a new generation, and clear away what was left unfinished.

    The caller holds the lock of the state folder.
    """
    root = state / GENERATIONS
    root.mkdir(exist_ok=True)
    for leftover in root.glob(f"*{_UNFINISHED}"):
        shutil.rmtree(leftover, ignore_errors=True)
    numbers = [int(path.name) for path in root.iterdir() if path.name.isdigit()]
    folder = root / f"{max(numbers, default=0) + 1:06d}{_UNFINISHED}"
    folder.mkdir()
    return folder


def publish(state: Path, folder: Path, embedder: str, fingerprint: str) -> Pointer:
    """Make the finished generation in ``folder`` the current one, then delete the others."""
    final = folder.with_name(folder.name.removesuffix(_UNFINISHED))
    files = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    for path in folder.iterdir():
        _flush(path)
    _flush(folder)
    folder.rename(final)
    _flush(final.parent)
    pointer = Pointer(final.name, embedder, fingerprint, FORMAT, files)
    fresh = state / f"{POINTER}.new"
    fresh.write_text(json.dumps(asdict(pointer)), encoding="utf-8")
    _flush(fresh)
    fresh.replace(state / POINTER)
    _flush(state)
    tidy(state, pointer)
    return pointer


def tidy(state: Path, pointer: Pointer) -> None:
    """Delete every generation but the current one; the caller holds the lock.

    Whoever has an older one open keeps its files until he closes them.
    """
    for other in (state / GENERATIONS).iterdir():
        if other.name != pointer.generation:
            shutil.rmtree(other, ignore_errors=True)


def _flush(path: Path) -> None:
    """Have the file or folder written through to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        if not path.is_dir():  # some file systems do not sync folders
            raise
    finally:
        os.close(descriptor)
