"""Running a recorded run again, to see whether it comes out the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.recorded import RecordedClock, RecordedModel
from pinakes_ask.recording import Heading, transcribe
from pinakes_ask.rereading import heading_of
from pinakes_ask.run import Run
from pinakes_ask.seams import Clock, LanguageModel
from pinakes_ask.searching import NotedSearcher, RecordedSearcher
from retrieval.protocols import Searcher
from transcripts.record import Transcript

#: How the failure of a run begins that was closed with what it had.
CUT_OFF = "The run was cut off: its process ended"
#: What the record of a run says first that was taken up again, and what may follow.
TAKEN_UP = "The run was killed and taken up again."
LIBRARY_CHANGED = "The library has changed since the run began."
OTHER_MODEL = "Its first calls were answered by"


@dataclass(frozen=True)
class Again:
    """A run that was made again, under the heading of the first."""

    run: Run
    loop: Loop
    heading: Heading
    searcher: NotedSearcher

    def transcribed(self) -> Transcript:
        """Return its record, without a seal."""
        return transcribe(self.run, self.loop, self.heading, self.searcher.searches)


async def replay(
    record: Transcript, *, clock: Clock, searcher: Searcher | None = None, then: LanguageModel | None = None
) -> Transcript:
    """Run ``record`` again and return the new record, with the id and the date of the first.

    Its model is asked nothing: tasks are answered from the record. The loop, the gate and the check are
    the program's own, so that a change of any of them shows.

    :param searcher: a library to search, instead of what the record says was found.
    :param then: answers what was not recorded, where the run takes another course; by default such a
        run just ends.
    """
    closed = record.failure.startswith(CUT_OFF)
    model = RecordedModel(record, then, cut_off=closed)
    recorded = RecordedSearcher(record)
    again = await run_again(record, model, searcher or recorded, clock)
    if closed and (model.ended or recorded.ended):
        mark_cut_off(again.run, len(record.exchanges))
    if record.warnings[:1] == (TAKEN_UP,):
        said = takewhile(lambda text: text.startswith((TAKEN_UP, LIBRARY_CHANGED, OTHER_MODEL)), record.warnings)
        again.run.warnings[:0] = said
    return again.transcribed().sealed()


def mark_cut_off(run: Run, calls: int) -> None:
    """Note in ``run`` that its process ended after so many calls."""
    run.stop_reason = "interrupted"
    run.failure = f"{CUT_OFF} after {calls} call{'s' if calls != 1 else ''} of the model. Ask the question again."


async def run_again(record: Transcript, model: RecordedModel, searcher: Searcher, clock: Clock) -> Again:
    """Ask the question of ``record`` again, of what was recorded.

    Its limits of calls, tokens and money are not counted again: what they refused, the record does not hold.
    """
    heading = heading_of(record)
    limits = replace(heading.settings.limits, calls=None, tokens=None, cost=None)
    noted = NotedSearcher(searcher)
    loop = Loop(
        noted,
        model,
        SelfCheck(heading.settings.extractor),
        replace(heading.settings, limits=limits),
        RecordedClock(model, clock),
        filters=heading.filters,
    )
    run = await loop.ask(record.question)
    return Again(run, loop, heading, noted)
