"""Evidence as the page shows it: each passage in sentences, with what cites them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transcripts.record import EvidencePassage, Reached, Transcript
from transcripts.site.citations import Numbering, sentence_id


@dataclass(frozen=True)
class Piece:
    """A stretch of a passage. ``id`` is empty between sentences; ``number`` is its citation, if it has one."""

    text: str
    id: str = ""
    number: int | None = None
    heading: bool = False


@dataclass(frozen=True)
class ShownPassage:
    """A passage on the page. ``cited`` says whether the answer, first or last, cites a sentence of it."""

    number: int
    title: str
    location: str
    pieces: tuple[Piece, ...]
    reached: tuple[str, ...]
    cited: bool


def shown_evidence(transcript: Transcript, numbering: Numbering) -> tuple[ShownPassage, ...]:
    """Return all passages: those cited first, in the order of their citations, then the rest as they came."""
    titles = {passage.id: passage.title for passage in transcript.evidence}
    first = {passage.number: numbering.first(passage) for passage in transcript.evidence}
    ordered = sorted(
        transcript.evidence,
        key=lambda passage: (first[passage.number] is None, first[passage.number] or 0, passage.number),
    )
    return tuple(
        ShownPassage(
            number=passage.number,
            title=passage.title,
            location=passage.location,
            pieces=_pieces(passage, numbering),
            reached=_reached(passage.reached_by, titles),
            cited=first[passage.number] is not None,
        )
        for passage in ordered
    )


def _pieces(passage: EvidencePassage, numbering: Numbering) -> tuple[Piece, ...]:
    """The passage's text, whole: its sentences, and what stands between them.

    Where the offsets do not fit the text, the sentence they name cannot be told, so that one is skipped.
    """
    pieces = []
    done = 0
    for count, (start, end) in enumerate(passage.sentences, start=1):
        if not done <= start <= end <= len(passage.text):
            continue
        if start > done:
            pieces.append(Piece(passage.text[done:start]))
        text = passage.text[start:end]
        number = numbering.of(passage.number, count)
        pieces.append(Piece(text, sentence_id(passage.number, count), number, text.startswith("#")))
        done = end
    if done < len(passage.text):
        pieces.append(Piece(passage.text[done:]))
    return tuple(pieces)


def _reached(ways: tuple[Reached, ...], titles: Mapping[str, str]) -> tuple[str, ...]:
    """How retrieval came to the passage, in words."""
    said = []
    for way in ways:
        source = titles.get(way.source or "", way.source or "")
        where = f" in {source}" if source else " in the question"
        if way.via == "name":
            said.append(f"its name{where}")
        elif way.via == "link":
            said.append(f"a link{where}")
        else:
            said.append({"words": "shared words", "meaning": "meaning"}.get(way.via, way.via))
    return tuple(dict.fromkeys(said))
