"""Telling the kinds of library apart."""

from __future__ import annotations

from pathlib import Path

from retrieval.errors import LibraryNotFound
from retrieval.sources.corpus import scan_corpus
from retrieval.sources.folder import scan_folder
from retrieval.sources.origin import Scan
from retrieval.sources.pinakes import MANIFEST, scan_knowledge_base

CORPUS_SUFFIXES = (".json", ".jsonl", ".ndjson")


def scan(library: Path) -> Scan:
    """List the files of a library without reading their contents.

    :raises LibraryNotFound: there is nothing at the path, or it is a file of another kind.
    :raises LibraryError: a knowledge base whose manifest cannot be used.
    """
    check(library)
    if library.is_file():
        return scan_corpus(library)
    if (library / MANIFEST).is_file():
        return scan_knowledge_base(library)
    return scan_folder(library)


def check(library: Path) -> None:
    """Raise :class:`LibraryNotFound` unless ``library`` is a folder or a corpus file."""
    if not library.exists():
        raise LibraryNotFound(
            f"No library at {library}", "there is no such file or folder", "Check the path given with --kb"
        )
    if library.is_file() and library.suffix.lower() not in CORPUS_SUFFIXES:
        raise LibraryNotFound(
            f"{library.name} is no library",
            "a file must be a corpus in JSON or JSON Lines",
            f"Give the folder that holds it, {library.parent}, or a .json or .jsonl file",
        )
