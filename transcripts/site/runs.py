"""Reading a run from the disk with what lies beside its record."""

from __future__ import annotations

from pathlib import Path

from transcripts.rescore import RESCORED, read_rescored
from transcripts.reviews import REVIEWS, read_reviews
from transcripts.site.path_file import PATH, read_path
from transcripts.site.run_page import RunPage, run_page
from transcripts.store import TRANSCRIPT, load


def read_run(folder: Path) -> RunPage:
    """Return the page of the run in ``folder``.

    :raises TranscriptError: when its record, its reviews or its later scores cannot be read.
    """
    record = load(folder)
    path, problem = read_path(folder)
    return run_page(record, path, problem, read_reviews(folder), read_rescored(folder))


def stamp(folder: Path) -> str:
    """Return a text that differs once a file of the run has been written again."""
    parts = []
    for name in (TRANSCRIPT, PATH, REVIEWS, RESCORED):
        try:
            found = (folder / name).stat()
        except OSError:
            parts.append("-")
        else:
            parts.append(f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}")
    return " ".join(parts)
