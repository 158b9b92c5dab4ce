"""Reviews of a record: ``reviews.jsonl`` beside it, which only ever grows.

The record itself is never changed. Each line says who judged which record, by its hash, and how; the
last one counts, and all of them are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, Field

from retrieval.errors import UsageError
from transcripts.errors import TranscriptError
from transcripts.lines import append_line, read_lines
from transcripts.record import Part, Transcript

#: The file's name, in the folder of the run.
REVIEWS = "reviews.jsonl"
#: Characters that a note may have.
NOTE_LIMIT = 4000

Verdict = Literal["accept", "reject"]


class Review(Part):
    """One judgement of a run.

    :param transcript: the run's id.
    :param sha256: the hash of the record that was judged, so that a review of another one shows.
    :param reviewer: who judged, as git names them: ``Name <address>``.
    """

    transcript: str
    sha256: str
    verdict: Verdict
    note: str = Field(default="", max_length=NOTE_LIMIT)
    reviewer: str
    time: AwareDatetime

    def is_of(self, transcript: Transcript) -> bool:
        """Return whether this judges just this record."""
        return self.transcript == transcript.id and self.sha256 == transcript.sha256


@dataclass(frozen=True)
class Reviews:
    """All reviews of a run, oldest first. ``problems`` name the lines that could not be read."""

    all: tuple[Review, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def last(self) -> Review | None:
        """The review that counts, None where nobody has judged."""
        return self.all[-1] if self.all else None


def add_review(
    folder: Path, transcript: Transcript, verdict: Verdict, *, reviewer: str, time: datetime, note: str = ""
) -> Review:
    """Append a review of ``transcript``, whose run lies in ``folder``, and return it.

    Several processes may append at once: a line is one write to the end of the file, so that lines
    neither mix nor get lost. It is on the disk when this returns.

    :param time: when it was judged, with its time zone.
    :raises UsageError: when the note is too long.
    :raises TranscriptError: when the file cannot be written.
    """
    if len(note) > NOTE_LIMIT:
        raise UsageError(
            "The review was not saved",
            f"its note has {len(note):,} characters, and {NOTE_LIMIT:,} is the most",
            "Shorten the note",
        )
    review = Review(
        transcript=transcript.id,
        sha256=transcript.sha256,
        verdict=verdict,
        note=note,
        reviewer=reviewer,
        time=time,
    )
    file = folder / REVIEWS
    try:
        append_line(file, review)
    except OSError as error:
        raise TranscriptError(
            f"The review was not saved in {file}", error.strerror or str(error), "Make the folder writable"
        ) from error
    return review


def read_reviews(folder: Path) -> Reviews:
    """Return the reviews of the run in ``folder``. A line that is cut short or foreign is named and skipped.

    :raises TranscriptError: when the file is there and cannot be read.
    """
    return Reviews(*read_lines(folder / REVIEWS, Review))
