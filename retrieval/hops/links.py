"""Resolving the links that documents state to the passages they lead to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.hops.collect import FIRST
from retrieval.hops.surface import key_of
from retrieval.types import Link


@dataclass(frozen=True)
class Linking:
    """What resolving needs of a document: where it lies, what it is called, and its rows."""

    id: str
    location: str
    title: str
    aliases: tuple[str, ...]
    external_id: str
    links: tuple[Link, ...]
    rows: tuple[int, ...]


def resolve(
    documents: Sequence[Linking], texts: Mapping[int, str]
) -> Iterator[tuple[tuple[int, int], str, list[int]]]:
    """Yield ``((row, offset), shown, target rows)`` of every link that leads to another document.

    A link stands in the passage whose text holds its target, a sidecar's in the first passage. One
    that leads nowhere, out of the library or to its own document is passed over.

    :param texts: of the rows of the documents that state links.
    """
    places = _places(documents)
    for document in documents:
        for link in document.links:
            target = _target(link, document, places)
            if target is None or target.id == document.id or not document.rows or not target.rows:
                continue
            yield _standing(link, document.rows, texts), target.title, list(target.rows[:FIRST])


def _places(documents: Iterable[Linking]) -> dict[tuple[str, str], Linking]:
    """Return the documents by what links call them; the first one keeps a name that several have."""
    places: dict[tuple[str, str], Linking] = {}
    for document in documents:
        places.setdefault(("path", document.location), document)
        stem = posixpath.splitext(document.location)[0]
        for name in (document.title, *document.aliases, posixpath.basename(stem), stem, document.location):
            places.setdefault(("name", key_of(name)), document)
        if document.external_id:
            places.setdefault(("id", document.external_id), document)
    return places


def _target(link: Link, document: Linking, places: Mapping[tuple[str, str], Linking]) -> Linking | None:
    if link.kind == "sidecar":
        return places.get(("id", link.target.rstrip("/").rsplit("/", 1)[-1]))
    if link.kind == "wiki":
        return places.get(("name", key_of(link.target)))
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document.location), link.target))
    return places.get(("path", path)) or places.get(("path", f"{path}.md"))


def _standing(link: Link, rows: Sequence[int], texts: Mapping[int, str]) -> tuple[int, int]:
    if link.kind != "sidecar":
        for row in rows:
            place = texts[row].find(link.target)
            if place >= 0:
                return row, place
    return rows[0], 0
