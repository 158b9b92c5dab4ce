"""A Pinakes knowledge base: the roots and patterns of its ``pinakes.toml``, which is only read."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from retrieval.errors import LibraryError
from retrieval.sources.folder import origins
from retrieval.sources.origin import Scan
from retrieval.sources.walk import relative, walk
from retrieval.types import FileProblem

MANIFEST = "pinakes.toml"
_DEFAULTS = {"roots": ["docs/"], "include": ["**/*.md", "**/*.txt"], "exclude": []}


@dataclass(frozen=True)
class Manifest:
    """What the manifest says of the knowledge base and its sources."""

    id: str
    roots: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]


def scan_knowledge_base(library: Path) -> Scan:
    """List the files that the manifest includes.

    :raises LibraryError: the manifest is no TOML, or a root or pattern leaves the knowledge base.
    """
    manifest = read_manifest(library)
    found = Scan()
    paths: dict[Path, None] = {}
    for root in manifest.roots:
        folder = library / root
        if not folder.resolve().is_relative_to(library.resolve()):
            raise _refuse(library, f"the root {root!r} leaves the knowledge base by a link")
        if not folder.is_dir():
            found.problems.append(FileProblem(root, "this root of pinakes.toml is no folder", True))
            continue
        for path in walk(folder, library, found.problems):
            name = relative(path, folder)
            if _matches(name, manifest.include) and not _matches(name, manifest.exclude):
                paths[path] = None
    found.origins = origins(paths, library, found.problems)
    return found


def read_manifest(library: Path) -> Manifest:
    """Read ``pinakes.toml``; raises :class:`LibraryError` naming the key that cannot be used."""
    try:
        loaded = tomllib.loads((library / MANIFEST).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise _refuse(library, f"it cannot be read ({error})") from error
    sources = loaded.get("sources", {})
    kb = loaded.get("kb", {})
    if not isinstance(sources, dict) or not isinstance(kb, dict):
        raise _refuse(library, "[sources] and [kb] must be tables")
    values = {key: _texts(library, sources, key) for key in _DEFAULTS}
    for key in ("roots", "include"):
        for value in values[key]:
            path = PurePosixPath(value.replace("\\", "/"))
            if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", value):
                raise _refuse(library, f"{value!r} in sources.{key} leaves the knowledge base")
    return Manifest(str(kb.get("id", "")), values["roots"], values["include"], values["exclude"])


def _texts(library: Path, sources: dict[str, Any], key: str) -> tuple[str, ...]:
    value = sources.get(key, _DEFAULTS[key])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _refuse(library, f"sources.{key} must be a list of strings")
    return tuple(value)


def _refuse(library: Path, why: str) -> LibraryError:
    return LibraryError(f"{library / MANIFEST} cannot be used", why, "Correct the manifest and sync again")


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(_regex(pattern).fullmatch(name) for pattern in patterns)


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    """Translate a glob: ``**`` spans folders, ``*`` and ``?`` stay inside one, ``[...]`` is a set."""
    out, rest = "", pattern.removeprefix("./")
    while rest:
        if rest.startswith("**/"):
            out, rest = out + "(?:[^/]+/)*", rest[3:]
        elif rest.startswith("**"):
            out, rest = out + ".*", rest[2:]
        elif rest[0] == "*":
            out, rest = out + "[^/]*", rest[1:]
        elif rest[0] == "?":
            out, rest = out + "[^/]", rest[1:]
        elif rest[0] == "[" and "]" in rest[2:]:
            stop = rest.index("]", 2)
            inner = rest[1:stop].replace("\\", r"\\")
            out, rest = out + "[" + ("^" + inner[1:] if inner[0] == "!" else inner) + "]", rest[stop + 1 :]
        else:
            out, rest = out + re.escape(rest[0]), rest[1:]
    return re.compile(out)
