"""All records of a folder, as rows. Ten thousand are listed within a second once they have been read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from transcripts.cache import RowCache
from transcripts.errors import TranscriptError
from transcripts.folders import RunFolder, run_folders
from transcripts.reviews import REVIEWS, read_reviews
from transcripts.store import TRANSCRIPT, read_json
from transcripts.summary import Summary, summarise


@dataclass(frozen=True)
class Listing:
    """The rows of all readable records, oldest first; ``problems`` name what else lies there."""

    runs: tuple[Summary, ...]
    problems: tuple[str, ...]


def list_runs(
    asks: Path, cache: Path | None = None, report: Callable[[int, int], None] = lambda done, total: None
) -> Listing:
    """Return the rows of the records in ``asks``; a file that is cut short or foreign is a problem, no end.

    :param cache: a database for the rows, which is made, mended and brought up to date; None reads every
        record anew. A record is read again when the time or the size of its file or of its reviews changed.
    :param report: hears how many of the records to read have been read.
    """
    kept = RowCache(cache, asks)
    known = kept.read()
    folders = run_folders(asks)
    stamps = {run.name: _stamp(f"{asks}/{run.name}") for run in folders}
    stale = [run for run in folders if known.get(run.name, ("", ""))[0] != stamps[run.name]]
    fresh: dict[str, tuple[str, str]] = {}
    for done, run in enumerate(stale, start=1):
        fresh[run.name] = (stamps[run.name], _read(asks, run))
        report(done, len(stale))
    gone = known.keys() - stamps.keys()
    if fresh or gone:
        kept.write(fresh, gone)
    texts = [(fresh.get(run.name) or known[run.name])[1] for run in folders]
    rows = json.loads(f"[{','.join(texts)}]")  # at once, since ten thousand calls take their time
    runs = [Summary.from_row(row) for row in rows if isinstance(row, list)]
    runs.sort(key=lambda run: (run.created, run.id))
    return Listing(tuple(runs), tuple(row for row in rows if isinstance(row, str)))


def _stamp(folder: str) -> str:
    """What a record's files look like from outside."""
    parts = []
    for name in (TRANSCRIPT, REVIEWS):
        try:
            seen = os.stat(f"{folder}/{name}")  # noqa: PTH116 a path object a file would double the time
        except OSError:
            parts.append("-")
        else:
            parts.append(f"{seen.st_mtime_ns}:{seen.st_size}")
    return " ".join(parts)


def _read(asks: Path, run: RunFolder) -> str:
    """Return the row of a record as JSON, or what is wrong with it as a JSON string."""
    folder = asks / run.name
    try:
        row = _with_review(summarise(read_json(folder / TRANSCRIPT), run.name), folder)
    except TranscriptError as error:
        return json.dumps(str(error))
    return json.dumps(row.to_row())  # in ASCII, since a database takes no half of a surrogate pair


def _with_review(row: Summary, folder: Path) -> Summary:

    last = read_reviews(folder).last if (folder / REVIEWS).exists() else None
    if last is None:
        return row
    return replace(row, review=last.verdict, reviewer=last.reviewer, note=last.note)
