"""Reading a run from the disk with what lies beside its record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from transcripts.record import Transcript
from transcripts.reviews import REVIEWS, read_reviews
from transcripts.site.path_file import PATH, read_path
from transcripts.site.run_page import RunPage, run_page
from transcripts.store import TRANSCRIPT, load


@dataclass(frozen=True)
class StoredRun:
    """A run's record, and the page that shows it."""

    record: Transcript
    page: RunPage


def read_run(folder: Path) -> StoredRun:
    """Return the run in ``folder``.

    :raises TranscriptError: when its record or its reviews cannot be read.
    """
    record = load(folder)
    path, problem = read_path(folder)
    return StoredRun(record, run_page(record, path, problem, read_reviews(folder)))


def stamp(folder: Path) -> str:
    """Return a text that differs once a file of the run has been written again."""
    parts = []
    for name in (TRANSCRIPT, PATH, REVIEWS):
        try:
            found = (folder / name).stat()
        except OSError:
            parts.append("-")
        else:
            parts.append(f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}")
    return " ".join(parts)
