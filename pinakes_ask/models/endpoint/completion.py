"""What a server sent back: the model's words, how they ended, and what they took."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pinakes_ask.errors import ReplyUnusable

_OPENS_THINKING = re.compile(r"\s*<think(?:ing)?>")


@dataclass(frozen=True)
class Completion:
    """One completion. Tokens are None where the server does not say.

    :param thought: what the server tells apart as the model's thinking; empty where it tells nothing.
    :param thinks: whether the model thinks before it replies, which takes of the reply's tokens.
    :param cut: whether the reply hit the limit on its tokens.
    :param refusal: why the model declines, empty when it does not.
    """

    text: str
    cut: bool = False
    refusal: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    thought: str = ""
    thinks: bool = False

    @property
    def reply(self) -> str:
        """The text of the reply.

        Servers that part thinking from reply take a reply without any thinking for thinking, where a schema
        held the model to it from the start.
        """
        if not self.text.strip() and self.thought.lstrip().startswith("{"):
            return self.thought
        return self.text

    @property
    def tokens(self) -> int | None:
        """What prompt and reply took together."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens

    def without(self, secret: str | None) -> Completion:
        """Return the completion without the key, in case that the server or the model repeats it."""
        if not secret:
            return self
        said = {name: getattr(self, name).replace(secret, "***") for name in ("text", "thought", "refusal")}
        return replace(self, **said)

    @classmethod
    def of(cls, body: str) -> Completion:
        """Read the body of a response.

        :raises ReplyUnusable: when it is no chat completion.
        """
        try:
            data = json.loads(body)
            choice = data["choices"][0]
            message = choice["message"]
            usage = data.get("usage")
            finish, refusal = choice.get("finish_reason"), message.get("refusal")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise ReplyUnusable(
                "The server's response cannot be read",
                "it is no chat completion",
                "See that --base-url leads to a server that speaks chat completions (often .../v1)",
            ) from None
        if finish == "content_filter" and not refusal:
            refusal = "its content filter stopped the reply"
        prompt, completion = _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens")
        text = _text(message.get("content"))
        thought = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
        details = usage.get("completion_tokens_details") if isinstance(usage, Mapping) else None
        thinks = (
            bool(thought) or bool(_tokens(details, "reasoning_tokens")) or _OPENS_THINKING.match(text) is not None
        )
        return cls(text, finish == "length", str(refusal or ""), prompt, completion, thought, thinks)


def _text(content: Any) -> str:
    """The content as text; some servers send it in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _tokens(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    # A prompt is never empty, so a count of 0 says that nobody counted.
    good = isinstance(value, int) and not isinstance(value, bool) and value >= (name == "prompt_tokens")
    return value if good else None
