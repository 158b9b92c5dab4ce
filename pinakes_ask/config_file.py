"""Finding the configuration file of a library, without reading it."""

from __future__ import annotations

from pathlib import Path

FILE_NAME = "pinakes-ask.toml"


def find_file(start: Path) -> Path | None:
    """Return the nearest ``pinakes-ask.toml`` from ``start`` upward."""
    folder = start.resolve()
    for place in (folder, *folder.parents):
        if (place / FILE_NAME).is_file():
            return place / FILE_NAME
    return None
