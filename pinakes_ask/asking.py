"""One question, from an open library to a saved and committed record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pinakes_ask.budget import Parent
from pinakes_ask.check import SelfCheck
from pinakes_ask.keeping import Keeper, Keeps, Outcome
from pinakes_ask.loop import Loop
from pinakes_ask.metered import Exchange
from pinakes_ask.places import asks_folder
from pinakes_ask.recording import Heading, path_of, transcribe
from pinakes_ask.run import Watch
from pinakes_ask.seams import Clock, Ids, LanguageModel
from pinakes_ask.searching import NotedSearcher
from pinakes_ask.settings import Settings
from retrieval.protocols import Searcher
from retrieval.types import Filters
from transcripts.record import LibraryInfo

__all__ = ["Outcome", "ask_and_record", "asks_folder", "record_run"]


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
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Answer ``question`` and save its record. The answer is returned even when saving fails.

    After each call of the model what the run has so far is kept in ``asks``, so that a run that is
    killed can be finished with :mod:`pinakes_ask.resuming`.

    :param asks: the folder of records, None to save none.
    :raises QuestionError: for an empty or overlong question.
    :raises BudgetRefused: when the budget cannot pay for one answer.
    """
    created = clock.now()
    library = LibraryInfo(name=library_name, fingerprint=searcher.fingerprint)
    heading = Heading(ids.new(created), created, settings, filters, model.name, library)
    return await record_run(
        question, heading, searcher=searcher, model=model, clock=clock, asks=asks, commit=commit, watch=watch
    )


async def record_run(
    question: str,
    heading: Heading,
    *,
    searcher: Searcher,
    model: LanguageModel,
    clock: Clock,
    asks: Path | None,
    commit: bool = False,
    watch: Watch = lambda progress: None,
    parent: Parent | None = None,
    warnings: Sequence[str] = (),
    keeper: Keeps | None = None,
) -> Outcome:
    """Answer ``question`` under ``heading``; see :func:`ask_and_record`.

    :param parent: an account that must pay for this run as well.
    :param keeper: keeps the run instead of files in ``asks``.
    :param warnings: what the record's reader should know beforehand.
    """
    noted = NotedSearcher(searcher)
    keeper = keeper or Keeper(asks, heading.run_id)

    async def keep(exchange: Exchange) -> None:
        if loop.run is not None:
            await keeper.keep(transcribe(loop.run, loop, heading, noted.searches))

    loop = Loop(
        noted, model, SelfCheck(heading.settings.extractor), heading.settings, clock,
        filters=heading.filters, watch=watch, on_exchange=keep,
    )  # fmt: skip
    loop.budget.parent = parent
    try:
        run = await loop.ask(question)
        run.warnings[:0] = warnings
        transcript = transcribe(run, loop, heading, noted.searches).sealed()
        return await keeper.save(transcript, path_of(run, transcript), commit=commit)
    finally:
        keeper.close()
