"""A model that replies what a record holds, so that a run can be repeated or taken up again."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from pinakes_ask.errors import BudgetSpent, ModelError, ModelRefused, ReplayDiverged, ReplyUnusable
from pinakes_ask.seams import Account, Clock, LanguageModel, Replied, SharedModel, Usage
from pinakes_ask.tasks import Cite, Task
from transcripts.record import ExchangeInfo, Transcript
from transcripts.replies import Replies

ReplyT = TypeVar("ReplyT", bound=BaseModel)
_KINDS: dict[str, type[ModelError]] = {one.__name__: one for one in (ReplyUnusable, ModelRefused)}
_REFUSED = "A call was not made"


class RecordedModel:
    """Replies to a task as the recorded run was replied to, its failures included; for one run.

    A task that was not recorded goes to ``then``. Without one it is a call that the recorded run had no
    budget for where the record goes on, and otherwise where the record ends.

    :param cut_off: the record is that of a run which was cut off, so that its end is no refusal.
    :ivar beyond: the first task that was not recorded, None as long as there was none.
    :ivar ended: whether the record ended before the run did.
    :ivar moments: seconds into the recorded run: now, and at the next look at the clock.
    :ivar knows: whether the task last asked about is recorded, and so was paid for before.
    """

    def __init__(self, record: Transcript, then: LanguageModel | None = None, *, cut_off: bool = False) -> None:
        self._record = record
        self._cut_off = cut_off
        self._replies = Replies(record.exchanges)
        self._then = then
        self._digest = ""
        self._said = next((text for text in (*record.warnings, record.failure) if text.startswith(_REFUSED)), "")
        self.beyond: Task[Any] | None = None
        self.ended = False
        self.moments = (0.0, 0.0)
        self.knows = False

    @property
    def name(self) -> str:
        """The model's own name; the recorded one where there is no other."""
        return self._record.model if self._then is None else self._then.name

    @property
    def left(self) -> list[ExchangeInfo]:
        """The recorded exchanges that were not asked for."""
        return self._replies.left

    def paid_by(self, account: Account) -> RecordedRun:
        """Return the model for the run; the one behind it pays from ``account``."""
        if isinstance(self._then, SharedModel):
            self._then = self._then.paid_by(account)
        return RecordedRun(self)

    def prompt_digest(self, task: Task[ReplyT]) -> str:
        """Return the version of the prompt that the last task was asked with."""
        return self._digest

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        """Return what the recorded call took, which is known."""
        known = self._replies.peek(task.kind, task.model_dump(mode="json"))
        self.knows = known is not None
        if known is not None:
            self.moments = (known.started, known.started)
            return _usage(known)
        return Usage() if self._then is None else self._then.worst_case(task)

    async def reply(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        """Reply as recorded.

        :raises ModelError: where the recorded call failed, with the same words.
        """
        known = self._replies.take(task.kind, task.model_dump(mode="json"))
        if known is None:
            self.require(task)
            return await self._beyond_record(task)
        self._digest = known.prompt_digest
        self.moments = (known.started + known.usage.seconds, self._after(known))
        if known.reply is None:
            what, why, do = parts_of(known.error)
            raise _KINDS.get(known.error_kind, ModelError)(what, why, do)
        try:
            reply = task.reply_model.model_validate(known.reply)
        except ValidationError as error:
            raise ReplayDiverged(
                f"The recorded reply to {task.kind!r} cannot be used", str(error.errors()[0]["msg"]), "Ask anew"
            ) from error
        shown = None if known.shown is None else frozenset(Cite(passage=p, sentence=s) for p, s in known.shown)
        return Replied(cast("ReplyT", reply), _usage(known), shown, known.notes)

    def require(self, task: Task[Any]) -> None:
        """Make sure that ``task`` can be answered.

        :raises BudgetSpent: where the recorded run could not pay for it.
        :raises ReplayDiverged: where the record ends.
        """
        if self._then is not None or self._replies.peek(task.kind, task.model_dump(mode="json")) is not None:
            return
        self.beyond = self.beyond or task
        if self._replies.left or (self._said and not self._cut_off):
            raise BudgetSpent(*parts_of(self._said or f"{_REFUSED}: it was not recorded. Ask the question anew."))
        self.ended = True
        raise ReplayDiverged(
            "The run was cut off", f"it ended before the model answered the task {task.kind!r}", "Ask it again"
        )

    async def _beyond_record(self, task: Task[ReplyT]) -> Replied[ReplyT]:
        self.beyond = self.beyond or task
        replied = await cast("LanguageModel", self._then).reply(task)
        self._digest = cast("LanguageModel", self._then).prompt_digest(task)
        return replied

    def _after(self, known: ExchangeInfo) -> float:
        """When the next step began, as far as is known.

        A write is what follows a deadline that has passed, so before one its own start is the time.
        """
        end = known.started + known.usage.seconds
        following = next((one for one in self._record.exchanges if one.number == known.number + 1), None)
        if following is None:
            return max(end, self._record.usage.seconds)
        return following.started if following.kind == "write" else end


class RecordedRun:
    """A recorded model for one run. What it cannot answer it refuses beforehand, so that no call is counted."""

    def __init__(self, model: RecordedModel) -> None:
        self._model = model
        self.name = model.name
        self.prompt_digest = model.prompt_digest
        self.reply = model.reply

    def worst_case(self, task: Task[ReplyT]) -> Usage:
        """Return what the call took, or could take.

        :raises BudgetSpent: where the recorded run could not pay for ``task``.
        :raises ReplayDiverged: where the record ends.
        """
        self._model.require(task)
        return self._model.worst_case(task)


class RecordedClock:
    """The time as it was in the recorded run; beyond the record it goes on by ``then``.

    The first look after a call tells when it ended, the next one when the run went on.
    """

    def __init__(self, model: RecordedModel, then: Clock) -> None:
        self._model = model
        self._then = then
        self._since: float | None = None
        self.now = then.now

    def monotonic(self) -> float:
        """Seconds since the recorded run began."""
        moment, following = self._model.moments
        self._model.moments = (following, following)
        if self._model.beyond is None:
            return moment
        now = self._then.monotonic()
        if self._since is None:
            self._since = now
        return moment + now - self._since


def _usage(known: ExchangeInfo) -> Usage:
    used = known.usage
    return Usage(used.prompt_tokens, used.completion_tokens, used.cost, used.estimated)


def parts_of(text: str) -> tuple[str, str, str]:
    """Split what an error said into its three parts, so that it says the same again."""
    what, _, rest = text.partition(": ")
    why, _, do = rest.rpartition(". ")
    return what, why, do.removesuffix(".")
