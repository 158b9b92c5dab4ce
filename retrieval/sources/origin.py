"""What a scan of a library yields: files that can be read later, or not at all if unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from retrieval.types import Document, FileProblem


@dataclass(frozen=True)
class Reading:
    """What came of reading one file: its documents (none where it failed) and its problems."""

    documents: tuple[Document, ...] = ()
    problems: tuple[FileProblem, ...] = ()


@dataclass(frozen=True)
class Origin:
    """One file of the library, found but not yet read.

    :param key: its path relative to the library, unique in a scan.
    :param stamp: size and modification times of the file and its sidecar; a changed file has
        another stamp, except where it was written within the file system's clock tick.
    :param newest: the latest of those times, in nanoseconds, to recognise such a case.
    :param digest: computes the hash of the bytes behind the file and its sidecar.
    :param read: reads it; never raises for a bad file, which becomes a problem of the reading.
    """

    key: str
    stamp: str
    newest: int
    digest: Callable[[], str]
    read: Callable[[], Reading]


@dataclass
class Scan:
    """All files of a library, in the order of their keys, and what could not even be looked at."""

    origins: list[Origin] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
