"""Which runs lie in a folder of records, and which one a reviewer means."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UsageError
from transcripts.errors import TranscriptError
from transcripts.store import TRANSCRIPT

_ULID = re.compile(r"([0-7][0-9A-HJKMNP-TV-Z]{25})(?:-|$)")
_PART = re.compile(r"[0-9A-HJKMNP-TV-Z]+")
#: Stands for the run that began last.
LAST = "last"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder named as a run's. ``name`` is its path relative to the folder of records."""

    id: str
    name: str


def run_folders(asks: Path) -> list[RunFolder]:
    """Return every run's folder below ``asks``, oldest first. Hidden folders are passed over.

    A folder that holds a ``transcript.json`` and is not named as a run's is taken too, with an empty id,
    so that nothing is lost by renaming.
    """
    return sorted(_walk(asks, ""), key=lambda run: (run.id, run.name))


def find_run(asks: Path, wanted: str) -> Path:
    """Return the folder of the run that ``wanted`` names: an id, its beginning or end, ``last``, or a path.

    :raises UsageError: when no run or more than one is meant.
    """
    path = Path(wanted).expanduser()
    if (os.sep in wanted or wanted.endswith(".json")) and path.exists():
        return path.parent if path.is_file() else path
    runs = run_folders(asks)
    named = [run for run in runs if run.id]
    if wanted == LAST and named:
        return asks / named[-1].name
    part = wanted.rstrip("/").rsplit("/", 1)[-1].partition("-")[0].upper()
    if _PART.fullmatch(part):
        found = [run for run in named if run.id.startswith(part) or run.id.endswith(part)]
        if len(found) == 1:
            return asks / found[0].name
        if found:
            shown = ", ".join(run.id for run in found[:3])
            raise UsageError(
                f"Cannot tell which run {wanted!r} means",
                f"{len(found)} begin or end so: {shown}",
                "Give more of the id",
            )
    by_name = [run for run in runs if run.name.rsplit("/", 1)[-1] == wanted]
    if len(by_name) == 1:
        return asks / by_name[0].name
    if not runs:
        raise UsageError(
            "There is no transcript", f"{asks} holds none", "Ask with 'pnk ask --deep', or name another --kb"
        )
    raise UsageError(
        f"There is no run {wanted!r}",
        f"no id in {asks} begins or ends so",
        "Run 'pnk transcripts list' to see them",
    )


def _walk(asks: Path, name: str) -> Iterator[RunFolder]:
    try:
        with os.scandir(asks / name) as entries:
            inside = [(one.name, one.is_dir(follow_symlinks=False)) for one in entries]
    except FileNotFoundError:
        return
    except OSError as error:
        raise TranscriptError(
            f"The folder {asks / name} cannot be listed", error.strerror or str(error), "Check its permissions"
        ) from error
    if name and (TRANSCRIPT, False) in inside:
        yield RunFolder("", name)
        return
    for entry, is_folder in inside:
        if not is_folder or entry.startswith("."):
            continue
        below = f"{name}/{entry}" if name else entry
        ulid = _ULID.match(entry)
        if ulid:
            yield RunFolder(ulid.group(1), below)
        else:
            yield from _walk(asks, below)
