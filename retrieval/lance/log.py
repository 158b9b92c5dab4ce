"""The log of generations: which one is current, and how a new one becomes so.

A sync claims the number after that of the generation it was made on, by inserting a row with that
number where there is none. The number is declared as the table's key, so that of two syncs which do
so at once LanceDB lets one insert its row, and the other one sees that it did not. (Creating a table,
or adding a row and looking which came first, would not do: of two processes that create one table both
succeed, and rows change their order when files are merged.)
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

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
    """The generations that there were, but for those that were forgotten.

    :param number: of the current generation, 0 before the first one.
    :param format: of its tables.
    :param generations: by number, the oldest first; those of another format are left out.
    """

    number: int
    format: int
    generations: dict[int, Generation]

    @property
    def current(self) -> Generation | None:
        """The current generation, None where there is none that this version can read."""
        return self.generations.get(self.number)


def read_log(tables: Tables) -> Log:
    """Return the log; one without rows where there is none yet.

    :raises IndexDamaged: a row of our own format cannot be understood.
    """
    try:
        table = tables.open(schema.LOG)
    except Gone:
        return Log(0, schema.FORMAT, {})
    with talking(tables.uri):
        rows = table.search().select(schema.log().names).to_arrow().to_pylist()
    rows.sort(key=lambda row: row["number"])
    if not rows:
        return Log(0, schema.FORMAT, {})
    own = {row["number"]: _parsed(row["body"], tables.uri) for row in rows if row["format"] == schema.FORMAT}
    return Log(rows[-1]["number"], rows[-1]["format"], own)


def publish(tables: Tables, base: int, generation: Generation) -> bool:
    """Make ``generation`` the current one if number ``base`` still is; return whether it became so."""
    import pyarrow as pa

    body = json.dumps(asdict(generation))
    row = pa.table({"number": [base + 1], "format": [schema.FORMAT], "body": [body]}, schema=schema.log())
    table = tables.ensure(schema.LOG, schema.log())
    with talking(tables.uri):
        table.merge_insert("number").when_not_matched_insert_all().execute(row)
    # What is there now tells, also where an answer was lost on its way and the row was sent again.
    return read_log(tables).generations.get(base + 1) == generation


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


def _parsed(body: str, uri: str) -> Generation:
    try:
        return Generation(**json.loads(body))
    except (ValueError, TypeError) as error:
        raise IndexDamaged(
            f"The index at {uri} is damaged", "a row of its log cannot be read", "Run `pnk sync --rebuild`"
        ) from error
