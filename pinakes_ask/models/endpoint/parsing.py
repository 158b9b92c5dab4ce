"""From the text of a reply to its model.

Models wrap their JSON: in thinking, in code fences, in prose, in one object more. All that is looked
through; JSON that is broken is not mended, since what a mended reply says is anybody's guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

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
    """Return the reply that ``text`` holds.

    Unknown fields are ignored. Numbers and truth values given as strings, and strings given as
    numbers, are taken as what the field wants.

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
                return model.model_validate(_fitted(found, schema))
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(part) for part in first["loc"]) or "the object"
                why = f"{place}: {first['msg']}"
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
    decoder = json.JSONDecoder(parse_constant=_no_constant)
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


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Bring a value into the shape of ``schema`` where there is only one way to; else leave it."""
    if "anyOf" in schema:
        options = [one for one in schema["anyOf"] if one != {"type": "null"}]
        return None if value in (None, "null") else _fitted(value, options[0])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "null" in kinds and value in (None, "null"):
        return None
    if "object" in kinds and isinstance(value, dict):
        properties = schema["properties"]
        fitted = {name: _fitted(one, properties[name]) for name, one in value.items() if name in properties}
        # None for a field that knows no None means that it was left out.
        return {name: one for name, one in fitted.items() if one is not None or _nullable(properties[name])}
    if "array" in kinds and isinstance(value, list):
        return [_fitted(one, schema["items"]) for one in value]
    if "string" in kinds:
        return _as_text(value, schema.get("enum"))
    return value


def _nullable(schema: Mapping[str, Any]) -> bool:
    return "anyOf" in schema or "null" in schema["type"]


def _as_text(value: Any, choices: list[str] | None) -> Any:
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        # A lone surrogate can be said in JSON and written nowhere.
        value = value.encode("utf-8", "replace").decode("utf-8")
        if choices and value not in choices and value.strip().lower() in choices:
            return value.strip().lower()
    return value
