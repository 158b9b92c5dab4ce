"""A value in another spelling than was asked for, where there is only one way to read it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

#: A passage and a sentence, neither of them negative.
_PAIR = re.compile(
    r"[^\w-]*(?:passage[^\w-]*)?([0-9]{1,9})[^\w-]+(?:sentence[^\w-]*)?([0-9]{1,9})[^\w-]*", re.IGNORECASE
)
_PAIRS = re.compile(r"(?<![-0-9.])([0-9]{1,9})[.:]([0-9]{1,9})(?![-0-9.])")
#: The field that a thing consists of, where only its text is given.
_TEXTS = ("question", "text")


class Spelt(float):
    """A number with its digits as they were written, since 3.1 and 3.10 may name two sentences."""

    def __init__(self, text: str) -> None:
        self.text = text


def fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Bring a value into the shape of ``schema`` where there is only one way to; else leave it.

    Nothing becomes true, supported or cited by this that was not said.
    """
    if "anyOf" in schema:
        options = [one for one in schema["anyOf"] if one != {"type": "null"}]
        return None if value in (None, "null") else fitted(value, options[0])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "null" in kinds and value in (None, "null"):
        return None
    if "object" in kinds:
        return _object(value, schema["properties"])
    if "array" in kinds:
        return _array(value, schema["items"])
    if "string" in kinds:
        return _text(value, schema.get("enum"))
    if "integer" in kinds and isinstance(value, bool):
        return str(value)  # which is no number
    return value


def _object(value: Any, properties: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        found = {name: fitted(one, properties[name]) for name, one in value.items() if name in properties}
        # None for a field that knows no None means that it was left out.
        return {name: one for name, one in found.items() if one is not None or _nullable(properties[name])}
    if _is_pair(properties):
        return _pair(value, properties)
    if isinstance(value, str):
        name = next((name for name in _TEXTS if name in properties), None)
        return value if name is None else {name: _text(value, None)}
    return value


def _is_pair(properties: Mapping[str, Any]) -> bool:
    """Whether an object is two numbers, as a citation is."""
    return len(properties) == 2 and all(one == {"type": "integer"} for one in properties.values())


def _pair(value: Any, names: Mapping[str, Any]) -> Any:
    """Return a citation given as "[3:2]", "3.2", 3.2 or [3, 2]."""
    if isinstance(value, Spelt):
        value = value.text
    if isinstance(value, str) and (found := _PAIR.fullmatch(value)):
        value = [int(number) for number in found.groups()]
    if isinstance(value, list) and len(value) == 2:
        return dict(zip(names, value, strict=True))
    return value


def _array(value: Any, items: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [fitted(one, items) for one in value]
    properties = items.get("properties", {})
    if isinstance(value, dict) and value.keys() & properties.keys():
        return [_object(value, properties)]
    if isinstance(value, str) and _is_pair(properties):
        found = _PAIRS.findall(value)
        return [_pair([int(one), int(two)], properties) for one, two in found] if found else value
    plain = items.get("type")
    if (plain == "string" and isinstance(value, str)) or (plain == "integer" and type(value) is int):
        return [fitted(value, items)]
    return value


def _nullable(schema: Mapping[str, Any]) -> bool:
    return "anyOf" in schema or "null" in schema["type"]


def _text(value: Any, choices: list[str] | None) -> Any:
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value.text if isinstance(value, Spelt) else str(value)
    if isinstance(value, str):
        # A lone surrogate can be said in JSON and written nowhere.
        value = value.encode("utf-8", "replace").decode("utf-8")
        if choices and value not in choices and value.strip().lower() in choices:
            return value.strip().lower()
    return value
