"""Scores of a record by the present scorer, beside those it was stored with.

They go into ``rescored.jsonl`` in the run's folder, a line for each time that they came out otherwise;
the record itself is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime

from retrieval.text import without_markup
from scoring.citations import CitedStatement, check_citations
from scoring.logicscore import score
from scoring.types import Extraction
from transcripts.errors import TranscriptError
from transcripts.lines import append_line, read_lines
from transcripts.record import Part, StatementInfo, Transcript

#: The file's name, in the folder of the run.
RESCORED = "rescored.jsonl"


class Rescored(Part):
    """What the scorer of a later version says of a record.

    :param sha256: of the record that was scored.
    :param version: of the program that scored it.
    """

    transcript: str
    sha256: str
    version: str
    time: AwareDatetime
    verdict: dict[str, Any]
    citations: dict[str, Any]

    def same_as(self, other: Rescored) -> bool:
        """Return whether both say the same, whenever and by whichever version."""
        return (self.sha256, self.verdict, self.citations) == (other.sha256, other.verdict, other.citations)

    def is_verdict_of(self, transcript: Transcript) -> bool:
        """Return whether the record itself says the same."""
        stored = transcript.score
        return stored is not None and (stored.verdict, stored.citations) == (self.verdict, self.citations)


@dataclass(frozen=True)
class AllRescored:
    """All later scores of a run, oldest first. ``problems`` name the lines that could not be read."""

    all: tuple[Rescored, ...] = ()
    problems: tuple[str, ...] = ()


def rescore(transcript: Transcript, *, version: str, time: datetime) -> Rescored | None:
    """Score the stored facts of a record anew, without model and library; None where it was not scored.

    The facts are those that were extracted then, and the citations those of the answer.

    :param version: of this program.
    """
    if transcript.score is None:
        return None
    extraction = Extraction.from_json(transcript.score.extraction)
    verdict = score(extraction, short_answer=transcript.answer.short_answer)
    cited = [
        CitedStatement(one.text, tuple((cite.passage, cite.sentence - 1) for cite in one.citations), _title(one))
        for one in transcript.answer.statements
    ]
    texts = {p.number: [p.text[start:end] for start, end in p.sentences] for p in transcript.evidence}
    return Rescored(
        transcript=transcript.id,
        sha256=transcript.sha256,
        version=version,
        time=time,
        verdict=verdict.to_json(),
        citations=check_citations(cited, texts).to_json(),
    )


def add_rescored(folder: Path, transcript: Transcript, rescored: Rescored) -> bool:
    """Append scores to the run in ``folder``; return False, and write nothing, where they are known already.

    Known are those of the last line, or of ``transcript`` itself where nothing was scored later.

    :raises TranscriptError: when the file cannot be read or written.
    """
    file = folder / RESCORED
    before = read_rescored(folder).all
    if before[-1].same_as(rescored) if before else rescored.is_verdict_of(transcript):
        return False
    try:
        append_line(file, rescored)
    except OSError as error:
        raise TranscriptError(
            f"The scores were not saved in {file}", error.strerror or str(error), "Make the folder writable"
        ) from error
    return True


def read_rescored(folder: Path) -> AllRescored:
    """Return the later scores of the run in ``folder``.

    :raises TranscriptError: when the file is there and cannot be read.
    """
    return AllRescored(*read_lines(folder / RESCORED, Rescored))


def _title(statement: StatementInfo) -> str | None:
    """The title of the document that a statement quotes word for word, which says what "he" is."""
    if len(statement.citations) != 1:
        return None
    cite = statement.citations[0]
    return cite.title if without_markup(cite.quote) == statement.text else None
