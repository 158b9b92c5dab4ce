"""Which runs a site shows: one page an id, newest first, and what has to be left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transcripts.listing import list_runs
from transcripts.summary import Summary

#: An id names a page, so nothing else than a ULID is taken for one.
RUN_ID = re.compile(r"[0-9A-Z]{26}")


@dataclass(frozen=True)
class Overview:
    """The runs, newest first, each id once; ``problems`` name the files that are left out."""

    runs: tuple[Summary, ...]
    problems: tuple[str, ...]


def overview(
    asks: Path, cache: Path | None, report: Callable[[int, int], None] = lambda done, total: None
) -> Overview:
    """Return the runs in ``asks``.

    :param cache: the database of rows, see :func:`transcripts.listing.list_runs`.
    :raises TranscriptError: when a folder cannot be listed.
    """
    listing = list_runs(asks, cache, report)
    runs: dict[str, Summary] = {}
    problems = list(listing.problems)
    for run in reversed(listing.runs):
        if not RUN_ID.fullmatch(run.id):
            problems.append(f"The transcript in {run.folder} is not shown: its id is no ULID.")
        elif run.id in runs:
            problems.append(f"The transcript in {run.folder} is not shown: it is a copy of {runs[run.id].folder}.")
        else:
            runs[run.id] = run
    return Overview(tuple(runs.values()), tuple(problems))
