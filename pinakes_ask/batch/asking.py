"""One question of a batch: found again where it was asked before, taken up where it was cut off, else asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pinakes_ask.asking import Outcome, record_run
from pinakes_ask.batch.account import QuestionAccount
from pinakes_ask.batch.answers import Answers
from pinakes_ask.batch.errors import RunLost
from pinakes_ask.batch.journal import Begun, Journal
from pinakes_ask.batch.questions import Item
from pinakes_ask.batch.rows import Format, Key, answered_row, as_written
from pinakes_ask.batch.runner import Row
from pinakes_ask.errors import ModelRefused
from pinakes_ask.models.recorded import parts_of
from pinakes_ask.recording import Heading
from pinakes_ask.result import result_json
from pinakes_ask.resuming import resume
from pinakes_ask.seams import Clock, Ids, LanguageModel
from pinakes_ask.settings import Settings
from retrieval.protocols import Searcher
from retrieval.types import Filters
from transcripts.errors import TranscriptError
from transcripts.record import LibraryInfo, Transcript
from transcripts.store import load
from transcripts.unfinished import claimed, forget

#: Times that a question is taken up again when the worker that it was on is lost.
_TIMES = 3


@dataclass(frozen=True)
class Setup:
    """What all questions of a batch share.

    :param hash: of the settings, see :func:`pinakes_ask.batch.rows.settings_hash`.
    :param until: the moment of the clock at which the batch must be done; None for no such moment.
    :param shown: turns the folder of a transcript into what a row says of it.
    """

    searcher: Searcher
    library_name: str
    model: LanguageModel
    settings: Settings
    filters: Filters
    hash: str
    asks: Path
    clock: Clock
    ids: Ids
    until: float | None = None
    shown: Callable[[Path], Path] = lambda folder: folder


class Answering(Protocol):
    """Brings a run to its end, and keeps its record in the folder of the batch."""

    async def anew(self, question: str, heading: Heading, account: QuestionAccount) -> Outcome:
        """Answer a question under ``heading``."""

    async def on(self, checkpoint: Transcript, account: QuestionAccount) -> Outcome:
        """Take up a run that was cut off."""


class Here:
    """Brings runs to their end in this process."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    async def anew(self, question: str, heading: Heading, account: QuestionAccount) -> Outcome:
        """Answer a question under ``heading``."""
        setup = self._setup
        return await record_run(
            question,
            heading,
            searcher=setup.searcher,
            model=setup.model,
            clock=setup.clock,
            asks=setup.asks,
            parent=account,
        )

    async def on(self, checkpoint: Transcript, account: QuestionAccount) -> Outcome:
        """Take up a run that was cut off."""
        setup = self._setup
        return await resume(
            checkpoint,
            setup.model,
            searcher=setup.searcher,
            clock=setup.clock,
            asks=setup.asks,
            parent=account,
        )


class Asker:
    """Answers questions, and remembers which run belongs to which until its row is written."""

    def __init__(
        self, setup: Setup, journal: Journal, answers: Answers, form: Format, answering: Answering | None = None
    ) -> None:
        """Find what was begun before.

        :param answering: where runs are brought to their end; in this process where none is given.
        """
        self._setup = setup
        self._answering = answering or Here(setup)
        self._journal = journal
        self._answers = answers
        self._form = form
        self._begun = journal.begun()
        self._saved = _saved_runs(setup.asks, self._begun.values())

    async def ask(self, item: Item, account: QuestionAccount) -> Row:
        """Return the row of ``item``.

        :raises ModelRefused: when the server serves nothing to this key or by this name.
        :raises PinakesAskError: when there is no run to make a row of.
        """
        for _ in range(_TIMES):
            try:
                return await self._ask(item, account)
            except RunLost:
                # Its checkpoint is taken up, as that of a batch that was killed.
                continue
        return await self._ask(item, account)

    async def _ask(self, item: Item, account: QuestionAccount) -> Row:
        before = self._begun.get(self._key(item).text())
        saved = self._saved_run(before) if before is not None else None
        if before is not None and saved is not None and _refusal(saved.transcript) is None:
            _tidy(self._setup.asks, before)
            return self._row(item, saved)
        checkpoint = _cut_off(self._setup.asks, before) if before is not None and saved is None else None
        if checkpoint is not None:
            return self._row(item, await self._on(checkpoint, account))
        return self._row(item, await self._anew(item, account))

    def append(self, row: Row) -> None:
        """Write a row to the disk.

        :raises AnswersUnwritable: when it cannot be written.
        """
        setup = self._setup
        self._answers.append(as_written(row, self._form, setup.model.name, setup.clock.now()))

    def written(self, item: Item) -> None:
        """Forget the run of a question that has its row."""
        self._journal.end(self._key(item))
        self._begun.pop(self._key(item).text(), None)

    async def _on(self, checkpoint: Transcript, account: QuestionAccount) -> Outcome:
        limits = {**checkpoint.settings["limits"], "seconds": self._seconds(checkpoint.usage.seconds)}
        bounded = checkpoint.model_copy(update={"settings": {**checkpoint.settings, "limits": limits}})
        return await self._answering.on(bounded, account)

    async def _anew(self, item: Item, account: QuestionAccount) -> Outcome:
        setup = self._setup
        created = setup.clock.now()
        run = Begun(setup.ids.new(created), created)
        self._journal.begin(self._key(item), run)
        self._begun[self._key(item).text()] = run
        limits = replace(setup.settings.limits, seconds=self._seconds(0.0))
        settings = replace(setup.settings, limits=limits)
        library = LibraryInfo(name=setup.library_name, fingerprint=setup.searcher.fingerprint)
        heading = Heading(run.run, created, settings, setup.filters, setup.model.name, library)
        return await self._answering.anew(item.question, heading, account)

    def _seconds(self, taken: float) -> float | None:
        """How long a run may take in all: within its own limit, and until the batch must be done."""
        setup = self._setup
        own = setup.settings.limits.seconds
        if setup.until is None:
            return own
        left = taken + max(0.0, setup.until - setup.clock.monotonic())
        return left if own is None else min(own, left)

    def _key(self, item: Item) -> Key:
        return Key(item.id, item.question, self._setup.hash)

    def _row(self, item: Item, outcome: Outcome) -> Row:
        transcript = outcome.transcript
        refusal = _refusal(transcript)
        if refusal is not None:
            raise refusal
        folder = None if outcome.folder is None else self._setup.shown(outcome.folder)
        result = result_json(transcript, folder, outcome.notes)
        return answered_row(item, self._setup.hash, result, transcript.failure)

    def _saved_run(self, begun: Begun) -> Outcome | None:
        folder = self._saved.get(begun.run)
        if folder is None:
            return None
        try:
            return Outcome(load(folder), folder)
        except TranscriptError:
            return None


def _saved_runs(asks: Path, begun: Iterable[Begun]) -> dict[str, Path]:
    """The folders of those runs that were saved before their rows were written."""
    wanted = {one.run for one in begun}
    folders = asks.glob("[0-9]*/[0-9]*/*-*") if wanted else ()
    return {run: folder for folder in folders if (run := folder.name.partition("-")[0]) in wanted}


def _cut_off(asks: Path, begun: Begun) -> Transcript | None:
    """What a run had when its process ended, None where it left nothing that can be used."""
    with claimed(asks, begun.run) as found:
        return None if found is None else found.transcript


def _tidy(asks: Path, begun: Begun) -> None:
    """Remove the checkpoint that a run left beside its record, being killed between the two."""
    with claimed(asks, begun.run) as found:
        if found is not None:
            forget(asks, begun.run)


def _refusal(transcript: Transcript) -> ModelRefused | None:
    """Why the server refused to serve the run at all: then the question was not at fault."""
    if transcript.status != "failed":
        return None
    refused = next((one for one in transcript.exchanges if one.error_kind == ModelRefused.__name__), None)
    return None if refused is None else ModelRefused(*parts_of(refused.error))
