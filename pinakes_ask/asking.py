"""One question, from an open library to a saved and committed record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.check import RuleChecker
from pinakes_ask.loop import Loop
from pinakes_ask.recording import path_of, transcribe
from pinakes_ask.seams import Clock, Ids, LanguageModel
from pinakes_ask.settings import Settings
from retrieval.protocols import Searcher
from retrieval.state import writable
from retrieval.types import Filters
from transcripts.errors import TranscriptError
from transcripts.git import commit_folder
from transcripts.record import LibraryInfo, Transcript
from transcripts.store import save


@dataclass(frozen=True)
class Outcome:
    """A finished question. ``folder`` is None where the record was not saved; ``notes`` say why."""

    transcript: Transcript
    folder: Path | None
    notes: tuple[str, ...] = ()


async def ask_and_record(
    question: str,
    *,
    searcher: Searcher,
    library_name: str,
    model: LanguageModel,
    settings: Settings,
    clock: Clock,
    ids: Ids,
    asks: Path | None,
    commit: bool = False,
    filters: Filters | None = None,
    watch: Callable[[str], None] = lambda event: None,
) -> Outcome:
    """Answer ``question`` and save its record. The answer is returned even when saving fails.

    :param asks: the folder of records, None to save none.
    :raises QuestionError: for an empty or overlong question.
    :raises BudgetRefused: when the budget cannot pay for one answer.
    """
    created = clock.now()
    loop = Loop(searcher, model, RuleChecker(), settings, clock, filters=filters, watch=watch)
    run = await loop.ask(question)
    transcript = transcribe(
        run,
        loop,
        run_id=ids.new(created),
        created=created,
        settings=settings,
        filters=filters,
        model=model.name,
        library=LibraryInfo(name=library_name, fingerprint=searcher.fingerprint),
    ).sealed()
    if asks is None:
        return Outcome(transcript, None)
    try:
        folder = save(asks, transcript, path_of(run, transcript))
    except TranscriptError as error:
        return Outcome(transcript, None, (str(error),))
    if not commit:
        return Outcome(transcript, folder)
    committed = commit_folder(folder, f"Ask: {transcript.question[:60]}")
    note = () if committed.done else (f"The transcript was not committed: {committed.note}.",)
    return Outcome(transcript, folder, note)


def asks_folder(library: Path, name: str, fallback: Path) -> Path:
    """Return where a library's records go: in it, beside a corpus file, else under ``fallback``.

    :param name: the folder's name or path; a relative one is taken from the library.
    :param fallback: used where the library's own place cannot be written.
    """
    named = Path(name).expanduser()
    if named.is_absolute():
        return named
    if library.is_dir():
        wanted = library / named
    else:
        wanted = library.parent / named.parent / f"{library.name}.{named.name}"
    existing = next(place for place in (wanted, *wanted.parents) if place.exists())
    return wanted if writable(existing) else fallback / named
