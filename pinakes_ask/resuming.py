"""Taking up a run that was killed: with its model, or with what it has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pinakes_ask.asking import record_run
from pinakes_ask.budget import Parent
from pinakes_ask.keeping import Keeps, Outcome
from pinakes_ask.models.recorded import RecordedClock, RecordedModel
from pinakes_ask.recording import path_of
from pinakes_ask.replaying import LIBRARY_CHANGED, OTHER_MODEL, TAKEN_UP, mark_cut_off, run_again
from pinakes_ask.rereading import heading_of
from pinakes_ask.run import Watch
from pinakes_ask.seams import Clock, LanguageModel, Usage
from pinakes_ask.searching import RecordedSearcher
from retrieval.protocols import Searcher
from transcripts.record import Transcript


async def resume(
    checkpoint: Transcript,
    model: LanguageModel,
    *,
    searcher: Searcher,
    clock: Clock,
    asks: Path | None,
    commit: bool = False,
    watch: Watch = lambda progress: None,
    parent: Parent | None = None,
    keeper: Keeps | None = None,
) -> Outcome:
    """Run a killed run to its end, and save it under its own id.

    The loop begins again, under the settings and the time of the checkpoint. A query or a task that
    the checkpoint holds is answered from it, so that no paid call is made twice; everything else goes
    to ``searcher`` and ``model``. What was spent before counts towards the budget.

    :param checkpoint: what the run had, as :func:`transcripts.unfinished.claimed` yields it.
    :param searcher: the library. Where it has changed meanwhile, new queries see it as it is now, and
        the record says so.
    :param parent: an account that must pay for the calls that are made anew.
    :param keeper: keeps the run instead of files in ``asks``.
    :raises BudgetRefused: when the rest of the budget cannot pay for one answer.
    """
    heading = replace(heading_of(checkpoint), model=model.name)
    recorded = RecordedModel(checkpoint, model, cut_off=True)
    return await record_run(
        checkpoint.question,
        heading,
        searcher=RecordedSearcher(checkpoint, searcher),
        model=recorded,
        clock=RecordedClock(recorded, clock),
        asks=asks,
        commit=commit,
        watch=watch,
        parent=None if parent is None else _NewCalls(parent, recorded),
        warnings=_changes(checkpoint, model, searcher),
        keeper=keeper,
    )


async def finish(checkpoint: Transcript, *, clock: Clock) -> tuple[Transcript, dict[str, Any]]:
    """End a killed run with what it has, without model and library.

    Every reply that it had is put in its place again: plan, rounds and evidence are as they were, and
    a run that only lacked its local check or its record becomes whole. Any other is closed with the
    stop reason ``interrupted``.

    :return: the record, sealed, and its path as :func:`transcripts.store.save` takes it.
    """
    model = RecordedModel(checkpoint, cut_off=True)
    searcher = RecordedSearcher(checkpoint)
    again = await run_again(checkpoint, model, searcher, clock)
    if model.ended or searcher.ended:
        mark_cut_off(again.run, len(checkpoint.exchanges))
    transcript = again.transcribed().sealed()
    return transcript, path_of(again.run, transcript)


class _NewCalls:
    """Pays for the calls that are made anew: the recorded ones were paid for when they were made."""

    def __init__(self, parent: Parent, recorded: RecordedModel) -> None:
        self._parent = parent
        self._recorded = recorded
        self.hold = parent.hold
        self.settle = parent.settle

    def reserve(self, booked: Usage, *, final: bool) -> None:
        if not self._recorded.knows:
            self._parent.reserve(booked, final=final)


def _changes(checkpoint: Transcript, model: LanguageModel, searcher: Searcher) -> tuple[str, ...]:
    said = [TAKEN_UP]
    if searcher.fingerprint != checkpoint.library.fingerprint:
        said.append(LIBRARY_CHANGED)
    if model.name != checkpoint.model:
        said.append(f"{OTHER_MODEL} {checkpoint.model}.")
    return tuple(said)
