"""Names that outlive a power cut: what a file holds and what its folder calls it reach the disk apart."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def names_to_disk(folder: Path) -> None:
    """Return when the names in ``folder`` are on the disk, where its file system and its rights allow that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make ``folder`` where it is missing, and the folders above it, so that they last.

    :raises OSError: when that cannot be done.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        names_to_disk(one.parent)
