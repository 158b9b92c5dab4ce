"""Whether a stored run is still what was written, and whether what it cites still stands in the library."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scoring.logicscore import score
from scoring.types import Extraction
from transcripts.errors import TranscriptError
from transcripts.path import no_path, path_json
from transcripts.record import Citation, Transcript
from transcripts.render import answer_md
from transcripts.store import load

#: What became of a cited sentence: it stands in its document, its passage has changed around it, it is
#: no longer there, or its document is gone. ``unknown`` where the document cannot be read.
State = Literal["same", "changed", "vanished", "document_gone", "unknown"]


@dataclass(frozen=True)
class CitedNow:
    """A cited sentence, and what became of it."""

    citation: Citation
    state: State


@dataclass(frozen=True)
class Verified:
    """What was found out about one run.

    :ivar faults: what is wrong with its files.
    :ivar notes: what is no fault, but should be known.
    :ivar cited: every cited sentence once, with its state; empty where no library was at hand.
    """

    folder: Path
    transcript: Transcript | None
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cited: tuple[CitedNow, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether its files are as they were written."""
        return not self.faults


def verify(folder: Path, *, version: str) -> Verified:
    """Check the files of a run against each other: hashes, quotes, ``path.json`` and ``answer.md``.

    :param version: of this program. What another version wrote may look otherwise without being wrong.
    """
    try:
        transcript = load(folder)
    except TranscriptError as error:
        return Verified(folder, None, (str(error),))
    faults = [*_passages(transcript), *_quotes(transcript)]
    notes: list[str] = []
    for name, wanted in _derived(transcript).items():
        fault = _compare(folder / name, wanted)
        if fault and transcript.program.version == version:
            faults.append(fault)
        elif fault:
            notes.append(f"{fault}; version {transcript.program.version} wrote it, and this is {version}")
    return Verified(folder, transcript, tuple(faults), tuple(notes))


def cited_now(transcript: Transcript, documents: Mapping[str, str | None]) -> tuple[CitedNow, ...]:
    """Return what became of each cited sentence.

    :param documents: the present text of every cited document that is there; None where it cannot be read.
    """
    return tuple(CitedNow(cite, _state(transcript, cite, documents)) for cite in citations(transcript))


def citations(transcript: Transcript) -> list[Citation]:
    """Return everything that the answer and the plan cite, each sentence once."""
    cites = [cite for one in transcript.answer.statements for cite in one.citations]
    cites += [cite for node in (transcript.plan.nodes if transcript.plan else ()) for cite in node.citations]
    return list({(cite.passage, cite.sentence): cite for cite in cites}.values())


def _state(transcript: Transcript, cite: Citation, documents: Mapping[str, str | None]) -> State:
    if cite.document not in documents:
        return "document_gone"
    text = documents[cite.document]
    if text is None:
        return "unknown"
    if transcript.evidence[cite.passage - 1].text in text:
        return "same"
    return "changed" if _folded(cite.quote) in _folded(text) else "vanished"


def _folded(text: str) -> str:
    """Text without regard to where its lines break."""
    return " ".join(text.split())


def _passages(transcript: Transcript) -> Iterable[str]:
    for index, passage in enumerate(transcript.evidence, start=1):
        if passage.number != index:
            yield f"passage {index} has the number {passage.number}"
        if hashlib.sha256(passage.text.encode()).hexdigest() != passage.sha256:
            yield f"the text of passage {passage.number} does not have its hash"


def _quotes(transcript: Transcript) -> Iterable[str]:
    for cite in citations(transcript):
        where = f"the citation of passage {cite.passage}, sentence {cite.sentence},"
        if not 1 <= cite.passage <= len(transcript.evidence):
            yield f"{where} names no passage of the evidence"
            continue
        passage = transcript.evidence[cite.passage - 1]
        if not 1 <= cite.sentence <= len(passage.sentences):
            yield f"{where} names no sentence of the passage"
            continue
        start, end = passage.sentences[cite.sentence - 1]
        if passage.text[start:end] != cite.quote or passage.document != cite.document:
            yield f"{where} quotes something else than that sentence"


def _derived(transcript: Transcript) -> dict[str, str]:
    """The files that follow from the record, as this program writes them."""
    path = no_path(transcript.answer.short_answer)
    if transcript.score is not None:
        extraction = Extraction.from_json(transcript.score.extraction)
        verdict = score(extraction, short_answer=transcript.answer.short_answer)
        path = path_json(verdict, extraction, transcript.answer.statements, transcript.answer.short_answer)
    text = json.dumps(path, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return {"path.json": text, "answer.md": answer_md(transcript, path)}


def _compare(file: Path, wanted: str) -> str:
    try:
        held = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return f"{file.name} is missing"
    except (OSError, UnicodeDecodeError) as error:
        return f"{file.name} cannot be read: {error}"
    return "" if held == wanted else f"{file.name} is not what follows from the record"
