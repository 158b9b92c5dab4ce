"""From the text of a reply to its model.

Models wrap their JSON: in thinking, in code fences, in prose, in one object more. All that is looked
through; JSON that is broken is not mended, since what a mended reply says is anybody's guess. Of a reply
that is right but for an item, that item is left out and the reader told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel

from pinakes_ask.models.endpoint.dropping import Unreadable, validated
from pinakes_ask.models.endpoint.leniency import Spelt, fitted
from pinakes_ask.models.endpoint.schema import strict_schema

ReplyT = TypeVar("ReplyT", bound=BaseModel)
#: A reply longer than this is no reply to any task, and would take long to look through.
MAX_CHARACTERS = 400_000
#: Openings of JSON that are tried before a text is given up.
_MAX_OPENINGS = 500
_END_OF_THINKING = re.compile(r"</think(?:ing)?>")


class Unparsable(ValueError):
    """A text is no reply of the wanted shape; the message says why, for the model to read."""


def parse_reply(text: str, model: type[ReplyT]) -> ReplyT:
    """Return the reply that ``text`` holds; see :func:`read_reply`."""
    return read_reply(text, model)[0]


def read_reply(text: str, model: type[ReplyT]) -> tuple[ReplyT, tuple[str, ...]]:
    """Return the reply that ``text`` holds, and notes on what of it could not be read and was left out.

    Unknown fields are ignored. Numbers and truth values given as strings, strings given as numbers, and
    citations in any usual spelling are taken as what the field wants.

    :raises Unparsable: where there is none.
    """
    if not text.strip():
        raise Unparsable("it was empty")
    if len(text) > MAX_CHARACTERS:
        raise Unparsable(f"it was longer than {MAX_CHARACTERS:,} characters")
    schema = strict_schema(model)
    telling = schema["properties"].keys() - {"reasoning"} or schema["properties"].keys()
    why = "it held no JSON object"
    for candidate in _without_thinking(text):
        for value in _values(candidate):
            if not isinstance(value, dict):
                why = "its JSON was a list, and one object was asked for"
                continue
            found = _unwrapped(value, telling)
            if found is None:
                why = f"its JSON object had none of the fields {', '.join(schema['required'])}"
                continue
            try:
                return validated(fitted(found, schema), model)
            except Unreadable as error:
                why = str(error)
    raise Unparsable(why)


def _without_thinking(text: str) -> Iterator[str]:
    """Yield what may be the reply proper, the likeliest first.

    Some servers drop the opening tag, and a reply may quote the closing one, so that where the thinking
    ends is tried, from the last mark to the first, and then the whole.
    """
    ends = [found.end() for found in _END_OF_THINKING.finditer(text)]
    for end in ends[:-4:-1]:
        yield text[end:]
    if not text.lstrip().startswith(("<think>", "<thinking>")):
        yield text


def _values(text: str) -> Iterator[Any]:
    """Yield each JSON object or list of objects in ``text``, outermost only."""
    decoder = json.JSONDecoder(parse_constant=_no_constant, parse_float=Spelt)
    place, tried = 0, 0
    while tried < _MAX_OPENINGS:
        opening = min((at for at in (text.find("{", place), text.find("[", place)) if at >= 0), default=-1)
        if opening < 0:
            return
        tried += 1
        try:
            value, place = decoder.raw_decode(text, opening)
        except (ValueError, RecursionError):
            place = opening + 1
            continue
        if isinstance(value, dict) or any(isinstance(one, dict) for one in value):
            yield value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _unwrapped(value: dict[str, Any], telling: frozenset[str] | set[str]) -> dict[str, Any] | None:
    """Return the object itself, or the one object in it, whichever has a telling field."""
    inner = [one for one in value.values() if isinstance(one, dict)]
    options: list[dict[str, Any]] = [value, *inner] if len(inner) == 1 else [value]
    return next((one for one in options if telling & one.keys()), None)
