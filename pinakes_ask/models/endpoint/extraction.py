"""Extraction for LogicScore by any language model: scoring's two requests as tasks."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from pydantic import BaseModel

from pinakes_ask.errors import ModelRefused
from pinakes_ask.metered import MeteredModel
from pinakes_ask.tasks import Task
from scoring.extract.model import (
    PropositionsReply,
    PropositionsRequest,
    ReinferenceReply,
    ReinferenceRequest,
)

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class PropositionsTask(Task[PropositionsReply]):
    """Turn a long answer into propositions."""

    kind: ClassVar[str] = "propositions"
    reply_model: ClassVar[type[BaseModel]] = PropositionsReply

    request: PropositionsRequest


class ReinferenceTask(Task[ReinferenceReply]):
    """Infer the short answer from the question and the statements alone."""

    kind: ClassVar[str] = "reinference"
    reply_model: ClassVar[type[BaseModel]] = ReinferenceReply

    request: ReinferenceRequest


class BudgetedExtraction:
    """What scoring needs of a language model, within a budget.

    :ivar refused: why the server serves nothing at all, once it said so. Scoring carries on past the
        failure of a row, so a caller asks for this and ends the run.
    """

    def __init__(self, model: MeteredModel) -> None:
        self._model = model
        self.refused: ModelRefused | None = None

    async def propositions(self, request: PropositionsRequest) -> PropositionsReply:
        """Answer with the propositions of a long answer.

        :raises ModelError: when no usable reply can be had.
        :raises BudgetSpent: when the call does not fit the budget; nothing was asked then.
        """
        return await self._ask(PropositionsTask(request=request))

    async def reinfer(self, request: ReinferenceRequest) -> ReinferenceReply:
        """Answer with the short answer that the statements yield; errors as for propositions."""
        return await self._ask(ReinferenceTask(request=request))

    async def _ask(self, task: Task[ReplyT]) -> ReplyT:
        if self.refused is not None:
            raise self.refused
        try:
            return (await self._model.ask(task)).reply
        except ModelRefused as error:
            self.refused = error
            raise
