"""The tables of an index: opening them at a version, and writing to them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.errors import UsageError
from retrieval.lance.failures import Gone, talking

if TYPE_CHECKING:
    import pyarrow as pa

#: Schemes of places that several machines share; anything else with a scheme is refused.
_SCHEMES = ("s3", "s3+ddb", "gs", "az", "abfss", "file", "memory")
#: An object store that is down must not keep somebody waiting for minutes.
_PATIENCE = {"connect_timeout": "5s", "timeout": "60s", "client_max_retries": "3", "client_retry_timeout": "30"}
#: Old versions are removed by :mod:`retrieval.lance.cleaning` alone, which knows who may still read them.
NEVER = timedelta(days=100 * 365)


class Tables:
    """The tables under one address. Every method turns LanceDB's exceptions into our errors.

    :param uri: a folder, or an address such as ``s3://bucket/folder``.
    :raises UsageError: the extra is not installed, or the address is of no kind that can be used.
    """

    def __init__(self, uri: str) -> None:
        scheme, remote, _ = uri.partition("://")
        if remote and scheme not in _SCHEMES:
            raise UsageError(
                f"The index cannot lie at {uri}",
                f"{scheme}:// is none of {', '.join(_SCHEMES)}",
                "Correct uri in the section [index] of pinakes-ask.toml",
            )
        lancedb = import_lancedb()
        self.uri = uri
        with talking(uri):
            self._database = lancedb.connect(
                uri, storage_options=_PATIENCE if remote and scheme not in ("file", "memory") else None
            )

    def holds(self, name: str) -> bool:
        """Return whether there is a table called ``name``."""
        try:
            self.open(name)
        except Gone:
            return False
        return True

    def open(self, name: str, version: int | None = None) -> Any:
        """Return a table: as it was at ``version`` and read-only, or else as it is.

        :raises Gone: there is none, or its version was removed.
        """
        with talking(self.uri):
            table = self._database.open_table(name)
            if version is not None:
                table.checkout(version)
            return table

    def ensure(self, name: str, schema: pa.Schema) -> Any:
        """Return a table for writing, created empty where there is none; an existing one keeps its schema.

        Of two processes that create a table at once, the later one empties it. So tables are created
        before anything hangs on what they hold.
        """
        try:
            return self.open(name)
        except Gone:
            with talking(self.uri):
                return self._database.create_table(name, schema=schema, exist_ok=True)

    def replace(self, name: str, content: pa.Table) -> int:
        """Give a table another content, and another schema if need be; return the version that has it."""
        self.ensure(name, content.schema)
        with talking(self.uri):
            return int(self._database.open_table(name).add(content, mode="overwrite").version)

    def read(self, name: str, version: int, columns: list[str] | None = None) -> pa.Table:
        """Return all rows of a table at a version."""
        table = self.open(name, version)
        with talking(self.uri):
            query = table.search()
            return (query.select(columns) if columns else query).to_arrow()

    def times(self, name: str) -> dict[int, datetime]:
        """Return when each version of a table was written, by the clock of whoever wrote it."""
        table = self.open(name)
        with talking(self.uri):
            return {one["version"]: one["timestamp"] for one in table.list_versions()}


def import_lancedb() -> Any:
    """Import LanceDB, which comes with an extra.

    :raises UsageError: it is not installed.
    """
    try:
        import lancedb
    except ImportError as error:
        raise UsageError(
            "The index cannot be opened",
            f"[index] backend is lance, and the package {error.name or 'lancedb'} is not installed",
            "Run: pip install 'pinakes-ask[lance]'",
        ) from error
    return lancedb


def address(uri: str, library: Path) -> str:
    """Return where ``uri`` points: a relative path is one from the library's folder."""
    if "://" in uri:
        return uri
    folder = library if library.is_dir() else library.parent
    return str((folder / Path(uri).expanduser()).resolve())
