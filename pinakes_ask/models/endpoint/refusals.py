"""What a server says when it does not answer: in its words, how long to wait, and whether to ask again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from pinakes_ask.errors import ModelError, ModelRefused
from pinakes_ask.models.endpoint.overflow import Overflow, overflow, without_commas

if TYPE_CHECKING:
    from openai import APIStatusError

#: So much of a server's words is read, and so much is shown, in characters.
_READ, _SHOWN = 4000, 300
#: What a refusal of the form of a request is about.
_FORM = re.compile(r"response_format|json_schema|json_object|grammar|guided_json|structured output", re.IGNORECASE)
#: How servers say what their longest reply is.
_LONGEST_REPLY = re.compile(
    r"at most (\d+) (?:completion|output) tokens|maximum output tokens \W*(\d+)"
    r"|max(?:_completion)?_tokens\W* must be less than or equal to \W*(\d+)"
    r"|> (\d+), which is the maximum allowed number of output tokens"
)


class TooLong(ModelError):
    """The prompt does not fit the model's window, by so much as ``overflow`` says."""

    def __init__(self, words: str, overflow: Overflow) -> None:
        super().__init__(
            "The model was not asked",
            f"the prompt does not fit its context window: {words[:_SHOWN]}",
            "Use a model with a larger window",
        )
        self.overflow = overflow


class ReplyTooLong(ModelError):
    """The model gives no reply as long as was allowed; ``most`` is the longest that it can give."""

    def __init__(self, words: str, most: int) -> None:
        super().__init__(
            "The model was not asked",
            f"its replies cannot be so long: {words[:_SHOWN]}",
            "Lower thinking_tokens under [model]",
        )
        self.most = most


def words_of(error: APIStatusError, secret: str | None) -> str:
    """Return the server's own words on one line, without the key, which some servers repeat."""
    try:
        body = json.dumps(error.body, ensure_ascii=False) if error.body else error.response.text
    except (TypeError, ValueError):
        body = error.response.text
    return " ".join((body.replace(secret, "***") if secret else body).split())[:_READ]


def is_of_form(status: int, words: str) -> bool:
    """Return whether the same request may be taken in another form."""
    # Some servers answer what they do not know of a form as if it were their own fault.
    of_form = status in (400, 422) or (status in (500, 501) and _FORM.search(words) is not None)
    return of_form and overflow(status, words) is None and longest_reply(words) is None


def longest_reply(words: str) -> int | None:
    """Return the longest reply that the model can give, where a refusal says that less was allowed."""
    found = _LONGEST_REPLY.search(without_commas(words.lower()))
    return None if found is None else next(int(group) for group in found.groups() if group)


def is_passing(status: int, words: str) -> bool:
    """Return whether the same request may be taken later."""
    passing = status in (408, 429) or status >= 500
    return passing and "insufficient_quota" not in words and overflow(status, words) is None


def refusal(status: int, words: str, base_url: str, model: str) -> ModelError:
    """Return the error for a request that the server will not take, however often it is asked."""
    longest = longest_reply(words) if status in (400, 422) else None
    if longest is not None:
        return ReplyTooLong(words, longest)
    too_long = overflow(status, words)
    if too_long is not None:
        return TooLong(words, too_long)
    what = f"The server at {base_url} refused"
    match status:
        case 401 | 403:
            return ModelRefused(what, "the key was rejected", "Set PNK_ASK_API_KEY to a key of this server")
        case 404:
            return ModelRefused(
                what, f"the model {model!r} was not found there", "Correct --model, or --base-url (often .../v1)"
            )
        case 429:
            return ModelRefused(what, "the quota of the key is used up", "Raise it, or use another key")
    return ModelError(what, f"it answered {status}: {words[:_SHOWN]}", "Correct the model's settings, or ask less")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait; a date counts from the reply's own date."""
    text = headers.get("retry-after", "").strip()
    if text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return None
