"""One line of a file of questions, in any of its three forms."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pinakes_ask.errors import QuestionError
from pinakes_ask.run import check_question

#: Longest id taken, in characters.
MAX_ID = 200


class Unusable(Exception):
    """The line cannot be asked; the message says why."""


@dataclass(frozen=True)
class Read:
    """An id, empty where the line gives none, and a question that can be asked."""

    id: str
    question: str


def read_line(line: bytes) -> Read:
    """Read one line.

    :raises Unusable: when it cannot be asked.
    """
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise Unusable(f"byte {error.start + 1} is no UTF-8") from None
    if not text.startswith("{"):
        return Read("", _question(text))
    row = _object(text)
    if "custom_id" in row or "body" in row:
        return Read(_id(row, "custom_id"), _question(_asked(row.get("body"))))
    question = row.get("question")
    if not isinstance(question, str):
        raise Unusable("it has no text under 'question'")
    return Read(_id(row, "id"), _question(question))


def _object(text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unusable(f"it is no JSON object: {error.msg.lower()} at character {error.pos + 1}") from None
    except (RecursionError, ValueError):
        raise Unusable("it is no JSON object that can be read") from None
    if not isinstance(row, dict):
        raise Unusable("it is no JSON object")
    return row


def _id(row: dict[str, Any], key: str) -> str:
    """The id as text; a whole number is taken as it is written."""
    given = row.get(key)
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        raise Unusable(f"{key!r} is neither a text nor a whole number")
    text = str(given)
    if not text.strip() or len(text) > MAX_ID or not text.isprintable():
        raise Unusable(f"{key!r} is empty, longer than {MAX_ID} characters, or holds control characters")
    return text


def _asked(body: Any) -> str:
    """The question of a chat-completions request: the text of its only user message."""
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list):
        raise Unusable("it has no list under 'body.messages'")
    asked = [one for one in messages if isinstance(one, dict) and one.get("role") == "user"]
    if len(asked) != 1:
        raise Unusable(f"it holds {len(asked)} user messages, and one question is needed")
    content = asked[0].get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) != len(parts) or not all(isinstance(text, str) for text in texts):
        raise Unusable("its user message is not text alone")
    return " ".join(map(str, texts))


def _question(text: str) -> str:
    """The question as a run takes it."""
    try:
        return check_question(text)
    except QuestionError as error:
        raise Unusable(f"{error.what[0].lower()}{error.what[1:]}: {error.why}") from None
