"""The calls of the model as the page shows them, without repeating the evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transcripts.record import ExchangeInfo, Transcript, UsageInfo
from transcripts.site.wording import TASKS, plain


@dataclass(frozen=True)
class ShownExchange:
    """One call: what was asked and what came back, as JSON text, and the passages it was shown."""

    number: int
    kind: str
    name: str
    passages: tuple[int, ...]
    request: str
    reply: str
    error: str
    notes: tuple[str, ...]
    digest: str
    usage: UsageInfo


def shown_exchanges(transcript: Transcript) -> tuple[ShownExchange, ...]:
    """Return the calls in order. Passages of the evidence are named by number: their text stands beside."""
    texts = {
        passage.number: [passage.text[start:end] for start, end in passage.sentences]
        for passage in transcript.evidence
    }
    return tuple(_shown(one, texts) for one in transcript.exchanges)


def _shown(one: ExchangeInfo, texts: Mapping[int, Sequence[str]]) -> ShownExchange:
    request = dict(one.request)
    numbers = _numbers(request.get("passages"), texts)
    if numbers:
        del request["passages"]
    return ShownExchange(
        number=one.number,
        kind=one.kind,
        name=TASKS.get(one.kind, plain(one.kind).capitalize()),
        passages=numbers,
        request=_pretty(request),
        reply=_pretty(one.reply) if one.reply is not None else "",
        error=one.error,
        notes=one.notes,
        digest=one.prompt_digest,
        usage=one.usage,
    )


def _numbers(passages: Any, texts: Mapping[int, Sequence[str]]) -> tuple[int, ...]:
    """The passages' numbers, or none where they are not just the evidence and must be shown as they were."""
    if not isinstance(passages, list):
        return ()
    numbers = []
    for passage in passages:
        if not isinstance(passage, dict) or texts.get(passage.get("number", 0)) != passage.get("sentences"):
            return ()
        numbers.append(int(passage["number"]))
    return tuple(numbers)


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
