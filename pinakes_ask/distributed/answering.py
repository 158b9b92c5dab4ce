"""Bringing runs to their end on workers, while everything that lasts is written here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pinakes_ask.batch.account import QuestionAccount
from pinakes_ask.batch.errors import RunLost
from pinakes_ask.batch.ledger import Total
from pinakes_ask.distributed.fleet import Fleet
from pinakes_ask.distributed.messages import Failed, Kept, Sent
from pinakes_ask.distributed.place import Place
from pinakes_ask.keeping import Keeper, Outcome
from pinakes_ask.recording import Heading
from pinakes_ask.rereading import heading_of
from transcripts.record import Transcript


class OnWorkers:
    """Answers the questions of a batch on a fleet, see :class:`pinakes_ask.batch.asking.Answering`.

    What a run may take is booked before it is sent, and replaced by what it took when it has ended. What was
    lent to a worker that is lost stays counted in full, since nobody knows what its calls took.

    :param worst: returns the most that a question can take.
    :param least: returns the least with which it is worth asking, one write of its answer.
    :param limited: whether what is booked is a limit; otherwise it is only counted.
    """

    def __init__(
        self,
        fleet: Fleet,
        asks: Path,
        worst: Callable[[str], Total],
        least: Callable[[str], Total],
        *,
        limited: bool,
    ) -> None:
        self._fleet = fleet
        self._asks = asks
        self._worst = worst
        self._least = least
        self._limited = limited
        self._lent = 0

    async def anew(self, question: str, heading: Heading, account: QuestionAccount) -> Outcome:
        """Answer a question."""
        return await self._send(question, heading, "", account)

    async def on(self, checkpoint: Transcript, account: QuestionAccount) -> Outcome:
        """Take up a run that was cut off."""
        heading = heading_of(checkpoint)
        return await self._send(checkpoint.question, heading, checkpoint.model_dump_json(), account)

    async def _send(self, question: str, heading: Heading, checkpoint: str, account: QuestionAccount) -> Outcome:
        async with self._fleet.place() as place:
            # Near its end a budget pays for a shorter run, but not while others may still give something back.
            least = None if self._lent else self._least(question)
            lent = account.lend(self._worst(question), least)
            self._lent += 1
            keeper = Keeper(self._asks, heading.run_id)
            try:
                sent = Sent(question, heading, lent if self._limited else None, checkpoint)
                return await self._through(sent, place, keeper, account)
            finally:
                self._lent -= 1
                keeper.close()

    async def _through(self, sent: Sent, place: Place, keeper: Keeper, account: QuestionAccount) -> Outcome:
        """Bring a run to its end, and keep what it has on the way."""
        try:
            event = await place.begin(sent)
            while isinstance(event, Kept):
                await keeper.keep_sealed(event.transcript)
                if account.stopped:
                    account.repay(event.spent)
                account.check()
                event = await place.go_on(sent.run)
        except RunLost:
            raise
        except BaseException:
            place.drop(sent.run)
            raise
        account.repay(event.spent)
        if isinstance(event, Failed):
            raise event.error
        return await keeper.save(Transcript.model_validate_json(event.transcript), event.path, commit=False)
