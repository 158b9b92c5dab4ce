"""Where the records lie that a command is about, and the options that say so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pinakes_ask.cli import common
from retrieval.errors import LibraryNotFound

if TYPE_CHECKING:
    from pinakes_ask.config import Config
    from transcripts.listing import Listing

RunArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The run: its id, the beginning or end of it, its folder, or last.")
]
RunsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID]...",
        show_default=False,
        help="The runs: ids, parts of ids, folders, or last. Default: all.",
    ),
]


@dataclass(frozen=True)
class Place:
    """A library, its configuration, the folder of its records, and the database of their rows."""

    library: Path
    config: Config
    asks: Path
    cache: Path | None

    def run(self, wanted: str) -> Path:
        """Return the folder of the run that was named.

        :raises UsageError: when it is none, or more than one.
        """
        from transcripts.folders import find_run

        return find_run(self.asks, wanted)

    def runs(self, wanted: list[str] | None) -> list[Path]:
        """Return the folders of the runs that were named, of all runs where none was."""
        from transcripts.folders import run_folders

        if wanted:
            return list(dict.fromkeys(self.run(one) for one in wanted))
        return [self.asks / one.name for one in run_folders(self.asks)]

    def listing(self) -> Listing:
        """Return the rows of all records; what cannot be read is named on standard error."""
        from transcripts.listing import list_runs

        with common.progress_bar() as report:
            found = list_runs(self.asks, self.cache, lambda done, total: report("reading", done, total))
        for problem in found.problems:
            common.notice(f"warning: {problem}")
        return found


def find_place(kb: Path | None, asks: Path | None) -> Place:
    """Return where the records lie, by the flags and the configuration.

    :raises LibraryNotFound: when there is nothing at the path that was given.
    :raises ConfigError: when the configuration cannot be used.
    """
    from pinakes_ask.places import asks_folder
    from retrieval.state import prepare, state_dir
    from transcripts.cache import CACHE

    library = common.find_library(kb).expanduser()
    if not library.exists():
        raise LibraryNotFound(
            f"No library at {library}", "there is no such file or folder", "Check the path given with --kb"
        )
    flags = {"transcripts": {"folder": str(asks.absolute())}} if asks else {}
    config = common.read_config(library, flags).config
    resolved = library.resolve()
    folder = asks_folder(resolved, config.transcripts.folder, Path.cwd(), writing=False)
    cache = None
    if folder.is_dir():
        try:
            state = state_dir(resolved, writing=True)
            prepare(state)
            cache = state / CACHE
        except OSError:
            cache = None  # rows are then read from the records each time
    return Place(library, config, folder, cache)


def shown(folder: Path) -> str:
    """Return a folder as the user would type it: relative where it lies below here."""
    try:
        return str(folder.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(folder)
