"""How long each task's reply may be, and what requests take, in tokens and money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinakes_ask.memory import estimate_tokens
from pinakes_ask.models.endpoint.completion import Completion
from pinakes_ask.models.endpoint.extraction import PropositionsTask
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.seams import Usage
from pinakes_ask.tasks import PlanTask, SolveTask, Task, WriteTask

#: Tokens that a server's chat template adds for each message, and a little more.
_PER_MESSAGE = 20


def reply_limit(task: Task[Any], thinking: int) -> int:
    """Return the most tokens that the reply to ``task`` may take, beside ``thinking`` for thinking first."""
    match task:
        case PlanTask():
            return thinking + 60 * task.max_nodes
        case SolveTask():
            return thinking + 2 * task.memory_tokens + 250 * len(task.sub_questions)
        case WriteTask():
            return thinking + 2 * task.max_words + 60 * task.max_statements
        case PropositionsTask():
            return thinking + 300 * max(1, len(task.request.statements))
        case _:
            return thinking


def worst_usage(endpoint: Endpoint, messages: Sequence[dict[str, str]], schema: str, limit: int) -> Usage:
    """Return the most that one request can take, ``schema`` being how the reply's shape is told."""
    return _priced(endpoint, prompt_tokens(messages, schema), limit, estimated=True)


def actual_usage(endpoint: Endpoint, messages: Sequence[dict[str, str]], completion: Completion) -> Usage:
    """Return what a completion took, estimated where the server does not say."""
    prompt, reply = completion.prompt_tokens, completion.completion_tokens
    return _priced(
        endpoint,
        prompt_tokens(messages) if prompt is None else prompt,
        estimate_tokens(completion.text) if reply is None else reply,
        estimated=prompt is None or reply is None,
    )


def prompt_tokens(messages: Sequence[dict[str, str]], schema: str = "") -> int:
    """Estimate the tokens of a prompt, rather too high.

    A third above the usual four characters a token, since names and numbers take more.
    """
    text = "".join(message["content"] for message in messages) + schema
    return estimate_tokens(text) * 4 // 3 + _PER_MESSAGE * len(messages)


def _priced(endpoint: Endpoint, prompt: int, reply: int, *, estimated: bool) -> Usage:
    cost = None
    if endpoint.prompt_price is not None and endpoint.completion_price is not None:
        cost = (prompt * endpoint.prompt_price + reply * endpoint.completion_price) / 1_000_000
    return Usage(prompt, reply, cost, estimated)
