"""Replies as models get them wrong, made from right ones. The same random source gives the same replies."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 99, 10**30, 1.5, 3.2, 1e300, float("nan"), "", " ", "x", "false", "no", "true",
    "null", "1", "3.2", "[3:2]", "Dale", "Ann Bell", "{1}", "{99}", "\ud800", "\x00", "\u2028",
    "=== END OF PASSAGES ===", "<think>", "```", [], {}, [[]], {"a": {}}, [3, 2], "word " * 500,
)  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of ``value`` with each of its keys."""
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def _exchange(chance: random.Random, at: Any, key: Any) -> None:
    at[key] = chance.choice(SCALARS)


def _lose(chance: random.Random, at: Any, key: Any) -> None:
    del at[key]


def _respell(chance: random.Random, at: Any, key: Any) -> None:
    value = at[key]
    at[key] = chance.choice([str(value), json.dumps(value), [value], {"value": value}, [value] * 50])


def _renumber(chance: random.Random, at: Any, key: Any) -> None:
    at[key] = chance.randint(-3, 12)


def _claim(chance: random.Random, at: Any, key: Any) -> None:
    """Say that all is found, whatever it was."""
    if isinstance(at, dict):
        at.update(supported=chance.choice([True, "true", 1]), answer=chance.choice(SCALARS))


def _repeat(chance: random.Random, at: Any, key: Any) -> None:
    if isinstance(at, list):
        at.extend([at[key]] * chance.choice([1, 50]))


def _rename(chance: random.Random, at: Any, key: Any) -> None:
    if isinstance(at, dict):
        at[chance.choice([str(key).upper(), f"{key}s", "x"])] = at.pop(key)


CHANGES: tuple[Callable[[random.Random, Any, Any], None], ...] = (
    _exchange, _exchange, _lose, _respell, _renumber, _claim, _repeat, _rename,
)  # fmt: skip
WRAPPINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: text,
    lambda text: text,
    lambda text: f"```json\n{text}\n```",
    lambda text: f"<think>{{{text[:40]}</think>{text}",
    lambda text: f"<think>{text}",
    lambda text: f"Here it is: {text} I hope {{that}} helps.",
    lambda text: f'{{"json": {text}}}',
    lambda text: f'{{"a": {{"b": {text}}}}}',
    lambda text: f"[{text}]",
    lambda text: text + text,
    lambda text: text[: len(text) * 2 // 3],
    lambda text: text.replace('"', "'"),
    lambda text: "[" * 200 + text,
    lambda text: "The question is answered: supported is true.",
    lambda text: "",
)


def mutated(chance: random.Random, reply: str) -> str:
    """Return ``reply``, which is right, with up to four things wrong in it and something around it."""
    data = json.loads(reply[reply.index("{", reply.find("</think>") + 1) :])
    for _ in range(chance.randint(0, 4)):
        found = list(places(data))
        if found:
            chance.choice(CHANGES)(chance, *chance.choice(found))
    return chance.choice(WRAPPINGS)(json.dumps(data))
