"""What an answer took: calls, tokens, money, seconds."""

from __future__ import annotations

from collections.abc import Callable

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.metric import Metric, Missing, Value


def _tokens(case: Case) -> Value:
    prompt, reply = _taken("prompt_tokens")(case), _taken("completion_tokens")(case)
    return prompt if isinstance(prompt, Missing) else reply if isinstance(reply, Missing) else prompt + reply


def _taken(name: str) -> Callable[[Case], Value]:
    def of(case: Case) -> Value:
        value = case.answer.usage.get(name)
        return Missing(f"the answers do not say the {name.replace('_', ' ')}") if value is None else float(value)

    return of


_SOURCE = "as the engine reports it"
CALLS = Metric("calls", "model calls a question", "amount", "lower", _SOURCE, _taken("calls"), False)
TOKENS = Metric("tokens", "tokens a question, sent and received", "amount", "lower", _SOURCE, _tokens, False)
COST = Metric("cost", "cost a question", "amount", "lower", _SOURCE, _taken("cost"), False)
SECONDS = Metric("seconds", "seconds a question", "amount", "lower", _SOURCE, _taken("seconds"), False)
