"""Pinakes sidecars: ``<file>.pnk.yaml`` with id, title, tags and links. Read, never written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from retrieval.sources.walk import SIDECAR_SUFFIX
from retrieval.text import clean
from retrieval.types import Link

_LARGEST = 2**20


@dataclass(frozen=True)
class Sidecar:
    """What a sidecar says of its document; all empty where there is none."""

    id: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()


def sidecar_of(path: Path) -> Path:
    """Return where the sidecar of a document would lie."""
    return path.with_name(path.name + SIDECAR_SUFFIX)


def read_sidecar(path: Path) -> tuple[Sidecar, str]:
    """Return the sidecar of document ``path`` and what is wrong with it (empty if nothing).

    A missing sidecar is no fault; of a broken one every usable field is kept.
    """
    file = sidecar_of(path)
    if not file.is_file():
        return Sidecar(), ""
    try:
        raw = file.read_bytes()
        loaded = yaml.safe_load(raw[:_LARGEST].decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError, yaml.YAMLError) as error:
        return Sidecar(), f"the sidecar cannot be read ({first_line(error)}); the document was taken without it"
    if loaded is None:
        return Sidecar(), ""
    if not isinstance(loaded, dict):
        return Sidecar(), "the sidecar is no mapping; the document was taken without it"
    return Sidecar(
        id=text_of(loaded.get("id")),
        title=text_of(loaded.get("title")),
        tags=texts_of(loaded.get("tags")),
        links=_links(loaded.get("links")),
    ), ""


def text_of(value: Any) -> str:
    """Return a scalar of YAML as cleaned text, empty for anything else."""
    return (
        clean(str(value)).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    )


def texts_of(value: Any) -> tuple[str, ...]:
    """Return a list of scalars, or one scalar with commas, as cleaned texts."""
    items = value if isinstance(value, list) else text_of(value).split(",")
    return tuple(text for text in (text_of(item) for item in items) if text)


def first_line(error: Exception) -> str:
    """Return what an error says, on one line and short."""
    return " ".join(str(error).split())[:160] or type(error).__name__


def _links(value: Any) -> tuple[Link, ...]:
    if not isinstance(value, list):
        return ()
    targets = (item.get("to") if isinstance(item, dict) else item for item in value)
    return tuple(Link(text_of(target), "sidecar") for target in targets if text_of(target))
