"""The errors that reading, indexing and searching raise.

Every error carries three sentences: *what* failed, *why*, and what to *do* about it. The command
line prints them as one line and exits with :attr:`PinakesAskError.exit_code`; the whole tree is
drawn in :mod:`pinakes_ask.errors`.
"""

from __future__ import annotations

from retrieval.text.errors import PinakesAskError


class UsageError(PinakesAskError):
    """The call itself is wrong: a bad flag, key, question or library path."""

    exit_code = 2


class LibraryError(PinakesAskError):
    """A library cannot be opened, read or written."""


class LibraryNotFound(LibraryError, UsageError):
    """There is nothing at the path that was given as the library."""

    exit_code = 2


class EmptyLibrary(LibraryError):
    """The library holds no readable document: another thing than a question without an answer."""

    exit_code = 2


class IndexMissing(LibraryError):
    """The library was never synced."""


class IndexMismatch(LibraryError):
    """The index was built with another embedding model or by another version."""


class IndexDamaged(LibraryError):
    """A file of the index is truncated or inconsistent."""


class IndexBusy(LibraryError):
    """Another process is syncing this library."""


class IndexUnreachable(LibraryError):
    """The place of a shared index cannot be reached, or refuses."""


class ModelFileError(LibraryError):
    """A file of the embedding model is missing or is not the file that was expected."""
