"""What the commands share: options, where the library is, and the two output streams.

Results go to standard output, and everything said about them (progress, notices, warnings,
errors) to standard error.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from retrieval.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from pinakes_ask.config import Loaded
    from retrieval.types import Filters

KbOption = Annotated[
    Path | None,
    typer.Option(
        "--kb",
        envvar="PNK_ASK_KB",
        show_default=False,
        help="The library: a folder, a Pinakes knowledge base, or a JSON or JSONL corpus. "
        "Default: the nearest one, from this folder upward.",
    ),
]
StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state", show_default=False, help="Where the index lies, instead of .pinakes-ask in the library."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
KOption = Annotated[int, typer.Option("-k", min=1, max=100, help="Passages for each query.")]
TagOption = Annotated[
    list[str] | None, typer.Option("--tag", help="Only documents with this tag (repeat for more).")
]
PathPrefixOption = Annotated[
    str, typer.Option("--path-prefix", help="Only documents whose location starts with exactly this.")
]
SourceTypeOption = Annotated[
    str, typer.Option("--source-type", help="Only markdown, text, code, pdf or record documents.")
]
ModifiedAfterOption = Annotated[
    str, typer.Option("--modified-after", metavar="DATE", help="Only files modified after this (YYYY-MM-DD).")
]
ModifiedBeforeOption = Annotated[
    str, typer.Option("--modified-before", metavar="DATE", help="Only files modified before this (YYYY-MM-DD).")
]

SOURCE_TYPES = ("markdown", "text", "code", "pdf", "record")
_LIBRARY_MARKS = ("pinakes.toml", "pinakes-ask.toml", ".pinakes-ask")


def find_library(given: Path | None) -> Path:
    """Return the library that was given, else the nearest folder upward that is one, else this folder."""
    if given is not None:
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if any((folder / mark).exists() for mark in _LIBRARY_MARKS):
            return folder
    return here


def read_filters(
    tags: list[str] | None, path_prefix: str, source_type: str, modified_after: str, modified_before: str
) -> Filters:
    """Return the filters that the flags state.

    :raises UsageError: for an unknown source type or an unreadable date.
    """
    from retrieval.types import Filters

    if source_type and source_type not in SOURCE_TYPES:
        raise UsageError(
            "Cannot filter by --source-type",
            f"{source_type!r} is none of {', '.join(SOURCE_TYPES)}",
            "Name one of them",
        )
    return Filters(
        tags=tuple(tags or ()),
        path_prefix=path_prefix,
        source_type=source_type,
        modified_after=read_date("--modified-after", modified_after),
        modified_before=read_date("--modified-before", modified_before),
    )


def read_config(library: Path, flags: Mapping[str, Mapping[str, Any]] | None = None) -> Loaded:
    """Return the configuration in force for ``library``.

    :raises ConfigError: for an unknown key or a value that cannot be used.
    """
    from platformdirs import user_config_path

    from pinakes_ask.config import load_config

    return load_config(
        library,
        environment=os.environ,
        user_file=user_config_path("pinakes-ask") / "config.toml",
        flags=flags,
    )


def shared_index(library: Path) -> str | None:
    """Return where the shared index of ``library`` lies, None where its index is local.

    :raises ConfigError: the configuration cannot be used.
    """
    import tomllib

    from platformdirs import user_config_path

    from pinakes_ask.config_file import find_file

    # A search without a word about its index must not wait for the whole configuration to be checked.
    said = any(f"PNK_ASK_{key}" in os.environ for key in ("BACKEND", "URI"))
    for file in (find_file(library), user_config_path("pinakes-ask") / "config.toml"):
        try:
            said = said or (file is not None and "index" in tomllib.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            continue
        except (OSError, ValueError):
            said = True
    uri = read_config(library).config.index.shared if said else None
    if uri is not None:
        quiet_native_libraries()
    return uri


def print_json(value: Mapping[str, Any] | list[Any]) -> None:
    """Print one JSON value on standard output, readable and in UTF-8."""
    print_result(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def print_result(text: str) -> None:
    """Print part of the result on standard output."""
    sys.stdout.write(text + "\n")


def notice(text: str) -> None:
    """Say something about the run on standard error, on one line that cannot act on the terminal."""
    from transcripts.escape import one_line

    sys.stderr.write(one_line(text) + "\n")
    sys.stderr.flush()


def console(*, stderr: bool = False) -> Console:
    """Return a rich console; colours follow the terminal, ``NO_COLOR`` and ``FORCE_COLOR``.

    Into a file or a pipe, lines go without the spaces that fill a terminal's width.
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    file = None if stream.isatty() else cast("TextIO", _Trimmed(stream))
    return Console(file=file, stderr=stderr, highlight=False, emoji=False)


class _Trimmed(io.TextIOBase):
    """Writes whole lines on to another stream, without spaces at their end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ""

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        self._stream.write("".join(f"{line.rstrip(' ')}\n" for line in lines))
        return len(text)

    def flush(self) -> None:
        """Pass on what is there; the end of a line may still be missing."""
        self._stream.write(self._line)
        self._line = ""
        self._stream.flush()


@contextmanager
def progress_bar(*, enabled: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """Yield ``report(stage, done, total)``, drawn on standard error where that is a terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield report


def quiet_native_libraries() -> None:
    """Keep model libraries off the network and their chatter off the terminal.

    They read the environment when they are imported, so a command calls this first.
    """
    for name, value in {
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "TRANSFORMERS_VERBOSITY": "error",
        "LANCE_LOG": "error",
    }.items():
        os.environ.setdefault(name, value)


def read_date(flag: str, text: str) -> datetime | None:
    """Return the date that a flag states, in UTC; None where it is empty.

    :raises UsageError: when it is no date.
    """
    if not text:
        return None
    for pattern in ("%Y-%m-%d", "%Y%m%d", "%Y-%m-%dT%H:%M:%S"):
        try:
            return datetime.strptime(text, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise UsageError(f"Cannot read {flag}", f"{text!r} is no date", "Write it as YYYY-MM-DD")
