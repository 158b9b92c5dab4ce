"""What a server understands of a request, found out by its refusals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pinakes_ask.models.endpoint.schema import bounded

_BELOW: dict[str, Literal["json_object", "text"]] = {"json_schema": "json_object", "json_object": "text"}


@dataclass(frozen=True)
class Dialect:
    """The optional parts of a request that a server takes, the most demanding first.

    :param form: how the shape of the reply is asked for; without ``json_schema`` it is told in words.
    :param limit: the name of the limit on a reply's tokens, which newer models spell otherwise.
    :param temperature: whether a temperature may be given, which reasoning models refuse.
    :param bounds: whether the schema bounds texts and lists. Strict servers refuse that, so that it is only
        tried where a reply was cut off: small models go on in a text or list until they are stopped.
    """

    form: Literal["json_schema", "json_object", "text"] = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    bounds: Literal["untried", "used", "refused"] = "untried"

    def after_cut(self) -> Dialect:
        """Return the dialect to use once a reply was cut off."""
        return replace(self, bounds="used") if self.bounds == "untried" else self

    def without(self, complaint: str) -> Dialect | None:
        """Return the next dialect to try after a refusal with these words; None when none is left."""
        if "max_completion_tokens" in complaint and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in complaint and self.temperature:
            return replace(self, temperature=False)
        if self.form == "json_schema" and self.bounds == "used":
            return replace(self, bounds="refused")
        return replace(self, form=_BELOW[self.form]) if self.form in _BELOW else None

    def options(self, schema: Mapping[str, Any], limit: int) -> dict[str, Any]:
        """Return the request's options for a reply of this schema and length."""
        options: dict[str, Any] = {self.limit: limit}
        if self.temperature:
            options["temperature"] = 0
        if self.form == "json_schema":
            told = bounded(schema, limit) if self.bounds == "used" else schema
            shape = {"name": "reply", "schema": told, "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif self.form == "json_object":
            options["response_format"] = {"type": "json_object"}
        return options

    def said(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> list[dict[str, str]]:
        """Return the messages, with the schema in words where the server takes no schema."""
        if self.form == "json_schema":
            return messages
        system, *rest = messages
        return [{**system, "content": f"{system['content']}\n{schema_in_words(schema)}"}, *rest]


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return what tells a model the shape of its reply."""
    return f"Reply with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}\n"
