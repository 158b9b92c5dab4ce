"""The JSON schema of a reply, in the few keywords that strict servers accept.

Strict structured output knows ``type``, ``properties``, ``required``, ``additionalProperties``,
``items``, ``enum`` and ``anyOf``; every object closed, every property required. What pydantic writes
beyond that (titles, defaults, bounds, references) is left out or resolved.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

#: Fields that a language model is not asked for. A number that it makes up is no calibrated probability.
UNASKED = frozenset({"probability"})


@cache
def strict_schema(model: type[BaseModel]) -> Mapping[str, Any]:
    """Return the schema of ``model``; the caller must not change it.

    :raises TypeError: for a construct that strict servers have no keyword for.
    """
    whole = model.model_json_schema()
    return _strict(whole, whole.get("$defs", {}))


def bounded(schema: Mapping[str, Any], limit: int) -> dict[str, Any]:
    """Return ``schema`` with bounds on its texts and lists, so that a reply ends within ``limit`` tokens or so.

    No right reply is near these bounds: a text may take a sixth of the tokens, a list one item for a hundred.
    """
    kept = dict(schema)
    if "properties" in kept:
        kept["properties"] = {name: bounded(one, limit) for name, one in kept["properties"].items()}
    if "anyOf" in kept:
        kept["anyOf"] = [bounded(one, limit) for one in kept["anyOf"]]
    if "items" in kept:
        kept |= {"items": bounded(kept["items"], limit), "maxItems": max(8, limit // 100)}
    if "string" in kept.get("type", ()) and "enum" not in kept:
        kept["maxLength"] = 4 * limit // 6
    return kept


def _strict(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        return _strict(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in part:
        return _union([_strict(one, definitions) for one in part["anyOf"]])
    if "const" in part:
        return {"type": "string", "enum": [part["const"]]}
    if "enum" in part:
        return {"type": "string", "enum": list(part["enum"])}
    kind = part.get("type")
    if kind == "object" and "properties" in part:
        fields = {name: one for name, one in part["properties"].items() if name not in UNASKED}
        return {
            "type": "object",
            "properties": {name: _strict(one, definitions) for name, one in fields.items()},
            "required": list(fields),
            "additionalProperties": False,
        }
    if kind == "array" and "items" in part:
        return {"type": "array", "items": _strict(part["items"], definitions)}
    if kind in ("string", "integer", "number", "boolean", "null"):
        return {"type": kind}
    raise TypeError(f"strict servers have no keyword for {dict(part)}")


def _union(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Join options: a plain type and null become one type list, which every server takes."""
    rest = [one for one in options if one != {"type": "null"}]
    if len(rest) == 1 and len(options) == 2 and set(rest[0]) == {"type"}:
        return {"type": [rest[0]["type"], "null"]}
    return {"anyOf": options}
