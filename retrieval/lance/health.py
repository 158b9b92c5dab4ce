"""Examining a shared index without changing it."""

from __future__ import annotations

from pathlib import Path

from retrieval.confidence.calibration import OWN
from retrieval.health import Health, model_faults
from retrieval.lance import schema
from retrieval.lance.failures import Gone, talking
from retrieval.lance.log import Generation, read_log
from retrieval.lance.syncing import files_of, problems_of
from retrieval.lance.tables import Tables, address
from retrieval.protocols import Embedder
from retrieval.sources import scan
from retrieval.types import FileProblem


def examine_lance(path: Path, uri: str, state: Path, embedder: Embedder) -> Health:
    """Examine the tables at ``uri``, and whether the files of the library at ``path`` are all in them.

    :raises LibraryNotFound: there is no library at ``path``.
    :raises IndexUnreachable: the place cannot be reached, or refuses.
    """
    origins = scan(path).origins
    tables = Tables(address(uri, path))
    log = read_log(tables)
    current = log.current
    faults, waiting = list[str](), list[str]()
    if log.number and log.format != schema.FORMAT:
        faults.append(f"its tables have format {log.format}, this version reads {schema.FORMAT}")
    elif current is None:
        faults.append("it holds nothing yet")
    elif current.embedder != embedder.fingerprint:
        faults.append(f"it was built with {current.embedder}, the embedder is {embedder.fingerprint}")
    problems: tuple[FileProblem, ...] = ()
    disk: dict[str, int] = {}
    if current is not None:
        try:
            disk = _disk(tables, current)
            known = files_of(tables, current)
            problems = tuple(problem for _, problem in problems_of(tables, current))
            found = {origin.key: origin.stamp for origin in origins}
            waiting += [f"new: {key}" for key in found if key not in known]
            waiting += [f"changed: {key}" for key in found if key in known and known[key][0] != found[key]]
            waiting += [f"gone: {key}" for key in known if key not in found]
        except Gone as error:
            faults.append(f"{error.what}: {error.why}")
    return Health(
        library=str(path),
        state=tables.uri,
        documents=current.documents if current else 0,
        passages=current.passages if current else 0,
        embedder=embedder.fingerprint,
        indexed_with=current.embedder if current else "",
        fingerprint=current.fingerprint if current else "",
        calibration="own" if (state / OWN).exists() else "shipped",
        faults=(*faults, *model_faults(embedder)),
        waiting=tuple(waiting),
        orphans=(),
        problems=problems,
        disk=disk,
    )


def _disk(tables: Tables, current: Generation) -> dict[str, int]:
    """Return the bytes of the current generation; versions before it are not counted."""
    used = {"passages": 0, "names": 0}
    for name, version in current.versions.items():
        table = tables.open(name, version)
        with talking(tables.uri):
            used["passages" if name == schema.PASSAGES else "names"] += int(table.stats()["total_bytes"])
    return used
