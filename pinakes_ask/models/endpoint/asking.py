"""One task on its way: what was sent for it so far, what that took, and what may be sent still."""

from __future__ import annotations

from typing import Any

from pinakes_ask.errors import BudgetSpent, ModelError, ReplyUnusable
from pinakes_ask.models.endpoint.completion import Completion
from pinakes_ask.models.endpoint.draft import Draft
from pinakes_ask.models.endpoint.refusals import ReplyTooLong, TooLong
from pinakes_ask.models.endpoint.transport import Endpoint, FateUnknown, Transport
from pinakes_ask.models.endpoint.usage import actual_usage
from pinakes_ask.seams import Account, Usage
from pinakes_ask.tasks import Cite, Task

#: So much of an unusable reply is shown to the model again, in characters.
_SHOWN = 4000
_THINKS = (
    "The model's thinking left too little room for its reply, so that it was asked again: "
    "raise thinking_tokens under [model]."
)


class Asking:
    """Asks one task. Each of the three reasons to ask again is good for one more request."""

    def __init__(self, endpoint: Endpoint, task: Task[Any], account: Account | None) -> None:
        self._endpoint = endpoint
        self._kind = task.kind
        self._account = account
        self._draft = Draft(endpoint, task)
        self._used: set[str] = set()
        self._booked: list[Usage] = []
        self._taken: Usage | None = None
        self._noted: tuple[str, ...] = ()

    @property
    def worst(self) -> Usage:
        """The most that the next request can take."""
        return self._draft.worst

    @property
    def shown(self) -> frozenset[Cite] | None:
        """The sentences that the model was shown, None for a task that offers none."""
        return self._draft.fitted.prompt.shown

    @property
    def notes(self) -> tuple[str, ...]:
        """What the run's reader should know of how the task was asked."""
        return (*self._draft.fitted.notes, *self._noted)

    async def send(self, transport: Transport) -> Completion:
        """Send the task as it now stands; once more where the first request's fate is unknown.

        What the server finds too long it is sent again with less evidence; it took nothing for that.

        :raises ModelError: when there is no completion to be had.
        """
        while True:
            draft, worst = self._draft, self._draft.worst
            tokens = worst.prompt_tokens + worst.completion_tokens
            try:
                completion = await transport.send(draft.messages, draft.schema, draft.limit, tokens=tokens)
            except TooLong as error:
                draft.shrink(error)
            except ReplyTooLong as error:
                draft.cap(error)
            except FateUnknown as silent:
                # The server may have worked for it all the same, so it counts in full.
                self._take(worst)
                what = f"The server at {self._endpoint.base_url} did not answer"
                self._again(
                    "silence", ModelError(what, f"{silent}, twice", "Try again later, or raise the timeout")
                )
            else:
                self._take(actual_usage(self._endpoint, draft.messages, completion))
                return completion

    def lengthen(self, *, thinks: bool) -> None:
        """Prepare to ask for a longer reply; ``thinks`` where thinking took of its room.

        :raises ReplyUnusable: when that was done before.
        """
        limit = self._draft.limit
        self._draft.lengthen(thinks=thinks)
        if thinks:
            self._noted = (_THINKS,)
        self._again("length", self.unusable(f"the reply was cut off at {limit} tokens, also when given more room"))

    def explain(self, text: str, why: str) -> None:
        """Prepare to tell the model why its reply cannot be used.

        :raises ReplyUnusable: when that was done before.
        """
        said = [{"role": "assistant", "content": text[:_SHOWN]}] if text.strip() else []
        self._draft.add(
            *said,
            {
                "role": "user",
                "content": f"That reply cannot be used: {why}. Reply again, with one JSON object of the form "
                "described above and nothing else.",
            },
        )
        self._again("reading", self.unusable(f"its reply could not be read, also when asked again: {why}"))

    def settled(self) -> Usage:
        """Return what all requests took; what was booked for the later ones is given back."""
        for one in self._booked:
            if self._account is not None:
                self._account.settle(one, Usage())
        return self._taken or Usage()

    def unusable(self, why: str) -> ReplyUnusable:
        """Return the error for a reply that cannot be used."""
        return ReplyUnusable(
            f"The model {self._endpoint.model!r} gave no usable reply to the task {self._kind!r}",
            why,
            "Ask again, or name another model",
        )

    def _take(self, usage: Usage) -> None:
        self._taken = usage if self._taken is None else self._taken + usage

    def _again(self, reason: str, last: ModelError) -> None:
        """Book one more request; raise ``last`` when this reason was used up."""
        if reason in self._used:
            raise last from None
        self._used.add(reason)
        if self._account is None:
            return
        try:
            self._booked.append(self._account.reserve(self.worst))
        except BudgetSpent as spent:
            why = f"{last.why.removesuffix(', twice').replace(', also when asked again', '')}"
            raise type(last)(last.what, f"{why}; it was not asked again, since {spent.why}", spent.do) from None
