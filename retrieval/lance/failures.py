"""What can go wrong between us and the tables, told apart by what LanceDB says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from retrieval.errors import IndexUnreachable, LibraryError

#: LanceDB raises the same few exceptions for everything, so its words must tell.
_RAISED = (ValueError, OSError, RuntimeError)
_CONTENDED = re.compile(r"conflict|contention|concurrent|preempted", re.I)
_REFUSED = re.compile(
    r"\b40[13]\b|forbidden|access.?denied|unauthori[sz]ed|invalidaccesskey|signaturedoesnotmatch|credential|"
    r"permission denied|read-only",
    re.I,
)
_ABSENT = re.compile(r"\b404\b|nosuchbucket|no such bucket", re.I)
_SILENT = re.compile(
    r"error sending request|connect|timed? ?out|dns|\b5\d\d\b|retr(y|ies)|no such file or directory", re.I
)
_GONE = re.compile(r"no longer exists|was not found|not found", re.I)

#: What an object store or the system below answered, within what LanceDB made of it.
_TELLING = (re.compile(r"<Code>(\w+)</Code>"), re.compile(r'(?:message|error): "([^"]+)"'))
#: Where in LanceDB's own source something arose.
_PLACE = re.compile(r",? ?(?:location: Location \{[^}]*\}|backtrace: \w+|/\S+\.rs:\d+:\d+)")
_LONGEST = 200


class Contended(LibraryError):
    """Another process wrote to the same table at the same moment; the caller starts again."""


class Gone(LibraryError):
    """A table, or the version of it that was wanted, is not there."""


@contextmanager
def talking(uri: str) -> Iterator[None]:
    """Turn what LanceDB raises inside into one of our errors.

    :raises Contended: another process was faster.
    :raises Gone: a table or a version is not there.
    :raises IndexUnreachable: the place cannot be reached, or refuses.
    """
    try:
        yield
    except _RAISED as error:
        said = " ".join(str(error).split())
        if _CONTENDED.search(said):
            raise Contended("The index was changed meanwhile", _short(said), "Run `pnk sync` again") from error
        if not isinstance(error, OSError) and _GONE.search(said) and not _ABSENT.search(said):
            raise Gone("A part of the index is missing", _short(said), "Run `pnk sync --rebuild`") from error
        raise unreachable(uri, said, denied=isinstance(error, PermissionError)) from error


def unreachable(uri: str, said: str, *, denied: bool = False) -> IndexUnreachable:
    """Return the error for a place that does not serve us, with the likely cause first."""
    what = f"The index at {uri} cannot be used"
    if denied or _REFUSED.search(said):
        why, do = "access is refused", "Check the credentials in the environment, and what they may read and write"
    elif _ABSENT.search(said):
        why, do = "there is no such place", "Check uri in the section [index] of pinakes-ask.toml"
    elif _SILENT.search(said):
        why, do = "the place cannot be reached", "Check uri in the section [index], and the network"
    else:
        why, do = "LanceDB failed", "Check uri in the section [index], and that nothing was deleted there by hand"
    return IndexUnreachable(what, f"{why} ({_short(said)})", do)


def _short(said: str) -> str:
    """Return what tells in a message of LanceDB, which nests what every layer below it had to say."""
    for pattern in _TELLING:
        if found := pattern.search(said):
            return found[1]
    said = _PLACE.sub("", said)
    return said if len(said) <= _LONGEST else said[:_LONGEST] + " …"
