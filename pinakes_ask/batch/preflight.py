"""What must be true before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pinakes_ask.batch.ledger import Caps
from pinakes_ask.batch.price import largest_write
from pinakes_ask.batch.questions import Item
from pinakes_ask.budget import Limits
from pinakes_ask.errors import BudgetRefused
from pinakes_ask.seams import LanguageModel
from pinakes_ask.settings import Settings
from retrieval.errors import UsageError

_WHAT = "The questions were not asked"


def check_budget(items: Sequence[Item], model: LanguageModel, settings: Settings, caps: Caps) -> None:
    """Refuse a budget that cannot pay for one answer, whatever was spent before.

    :raises BudgetRefused: also where money is limited and the model has no price.
    """
    longest = max((item.question for item in items), key=len, default="")
    worst = model.worst_case(largest_write(longest, settings.loop))
    limits = {
        "a question": settings.limits,
        "the batch": caps.team,
        "a day": caps.day,
        "a month": caps.month,
    }
    if worst.cost is None and any(one.cost is not None for one in limits.values()):
        raise BudgetRefused(
            _WHAT,
            "money is limited but the model has no price in the configuration",
            "Set its price under [model], or limit calls or tokens instead",
        )
    tokens = worst.prompt_tokens + worst.completion_tokens
    for whose, one in limits.items():
        if _below(one, tokens, worst.cost or 0.0):
            cost = "" if not worst.cost else f" or {worst.cost:.4f}"
            raise BudgetRefused(
                _WHAT,
                f"the budget of {whose} is below what writing one answer can take ({tokens} tokens{cost})",
                "Raise that limit",
            )


def check_place(answers: Path, questions: Path | None) -> None:
    """Refuse a place where no answers can be written.

    :raises UsageError: when it is the file of questions, no file, or in no folder.
    """
    what = f"The answers cannot go to {answers}"
    if answers.exists() and not answers.is_file():
        raise UsageError(what, "it is no file", "Name a file, which is created where it is missing")
    if not answers.absolute().parent.is_dir():
        raise UsageError(what, "its folder does not exist", "Create the folder, or name another file")
    if questions is not None and answers.exists() and answers.samefile(questions):
        raise UsageError(what, "the questions stand there", "Name another file")


def _below(limits: Limits, tokens: int, cost: float) -> bool:
    return (limits.tokens is not None and limits.tokens < tokens) or (
        limits.cost is not None and limits.cost < cost
    )
