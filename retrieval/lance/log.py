"""The log of generations: which one is current, and how a new one becomes so.

A sync adds one row that says which row it was made on. LanceDB lets any number of processes add
rows at once and keeps all of them, in one order for everybody. A row counts if the one that it was
made on was current when it came; so of two syncs made on the same generation, the first one counts,
and the second one sees that it does not.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing
from retrieval.lance import schema
from retrieval.lance.failures import Gone, talking
from retrieval.lance.tables import Tables


@dataclass(frozen=True)
class Generation:
    """A state of the whole index.

    :param embedder: fingerprint of the model that its vectors are of.
    :param fingerprint: of everything that a search can depend on.
    :param library: name of the library that it was made from.
    :param tokens: of all passages together, for their mean length.
    :param versions: of each table.
    """

    embedder: str
    fingerprint: str
    library: str
    documents: int
    passages: int
    tokens: int
    versions: dict[str, int]


@dataclass(frozen=True)
class Log:
    """The rows that count.

    :param number: of the current generation, counted over all rows; 0 before the first.
    :param formats: of each row that counts.
    :param written: when the last row came, by the clock of whoever wrote it.
    """

    number: int
    current: Generation | None
    counted: tuple[tuple[int, Generation | None], ...]
    formats: tuple[int, ...]
    written: datetime | None

    @property
    def format(self) -> int:
        """Format of the current generation."""
        return self.formats[-1] if self.formats else schema.FORMAT


def read_log(tables: Tables) -> Log:
    """Return the log; one without rows where there is none yet.

    :raises IndexDamaged: a row of our own format cannot be understood.
    """
    try:
        table = tables.open(schema.LOG)
    except Gone:
        return Log(0, None, (), (), None)
    with talking(tables.uri):
        table.checkout(table.version)
        rows = table.search().select(["base", "format", "body"]).to_arrow().to_pylist()
        written = next((v["timestamp"] for v in table.list_versions() if v["version"] == table.version), None)
    number, counted, formats = 0, list[tuple[int, Generation | None]](), list[int]()
    for place, row in enumerate(rows, start=1):
        if row["base"] == number:
            number = place
            counted.append((place, _parsed(row, tables.uri)))
            formats.append(row["format"])
    current = counted[-1][1] if counted else None
    return Log(number, current, tuple(counted), tuple(formats), written)


def publish(tables: Tables, base: int, generation: Generation) -> bool:
    """Make ``generation`` the current one if ``base`` still is; return whether it became so."""
    import pyarrow as pa

    row = {"base": [base], "format": [schema.FORMAT], "body": [json.dumps(asdict(generation))]}
    table = tables.ensure(schema.LOG, schema.log())
    with talking(tables.uri):
        table.add(pa.table(row, schema=schema.log()))
    return any(one == generation for _, one in read_log(tables).counted)


def usable(log: Log, uri: str, embedder: str) -> Generation:
    """Return the current generation.

    :raises IndexMissing: there is none.
    :raises IndexMismatch: it is of another format or another embedder.
    """
    check_format(log, uri)
    if log.current is None:
        raise IndexMissing("The library has no index yet", f"{uri} holds none", "Run `pnk sync` first")
    if log.current.embedder != embedder:
        raise IndexMismatch(
            f"The index at {uri} cannot be used",
            f"it was built with the embedder {log.current.embedder}, not {embedder}",
            "Run `pnk sync --rebuild`, which changes it for everybody, or name another uri",
        )
    return log.current


def check_format(log: Log, uri: str) -> None:
    """Raise :class:`IndexMismatch` if the current generation is of another format."""
    if log.format != schema.FORMAT:
        raise IndexMismatch(
            f"The index at {uri} cannot be used",
            f"another version of the program wrote its tables (format {log.format}, this one has {schema.FORMAT})",
            "Use that version, name another uri, or run `pnk sync --rebuild`, which changes it for everybody",
        )


def _parsed(row: dict[str, object], uri: str) -> Generation | None:
    """Return the generation of a row, None for one of another format."""
    if row["format"] != schema.FORMAT:
        return None
    try:
        return Generation(**json.loads(str(row["body"])))
    except (ValueError, TypeError) as error:
        raise IndexDamaged(
            f"The index at {uri} is damaged", "a row of its log cannot be read", "Run `pnk sync --rebuild`"
        ) from error
