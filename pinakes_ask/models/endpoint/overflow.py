"""A prompt that does not fit: how servers say so, and by how much it is too long, where they say that."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SAID = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|max(?:imum)?[ _](?:context|model|prompt|input)"
    r"|(?:prompt|input) is too long|input token count|input tokens exceed|too many tokens|longer than the model"
    r"|reduce the length|must have less than \d+ tokens|max_new_tokens. must be|exceeded model token limit"
)
#: What a refusal of another part of the request is about, whatever else it mentions.
_OTHER = re.compile(r"response_format|json_schema|json_object|temperature")
#: The window: the number after these words.
_WINDOW = re.compile(
    r"(?:context (?:length|window|size|limit)[a-z' ]*|model length|n_ctx|must be <=|must have less than"
    r"|tokens allowed)\W{0,4}(?:of |is |only )*\(?(\d+)|(\d+) maximum context|> (\d+) maximum"
)
#: What the prompt took, and what prompt and reply would take.
_PROMPT = re.compile(
    r"(\d+) (?:(?:tokens )?(?:in|from) the (?:input )?(?:messages|prompt)|input tokens|`?inputs`? tokens"
    r"|prompt tokens)|(?:n_prompt_tokens|prompt \(length|request|the input|input token count|too long|given"
    r"|contains|resulted in)\W{1,4}(\d+)"
)
_TOTAL = re.compile(r"(?:requested|total of)(?: a total of| at least)* (\d+) tokens")
_COMMA = re.compile(r"(?<=\d),(?=\d{3})")


@dataclass(frozen=True)
class Overflow:
    """A prompt that a server found too long; None for what it did not say.

    :param window: tokens that prompt and reply may take together.
    :param prompt: tokens of the prompt.
    :param total: tokens of the prompt with the longest reply.
    """

    window: int | None = None
    prompt: int | None = None
    total: int | None = None

    def counted(self, limit: int) -> int | None:
        """Return the tokens of the prompt, where the reply may take ``limit``; None where nobody said."""
        if self.prompt is not None:
            return self.prompt
        return None if self.total is None else self.total - limit

    def excess(self, limit: int) -> int | None:
        """Return how many tokens too many a request with this limit on the reply has, None where nobody said."""
        if self.window is None:
            return None
        known = [one for one in (self.total, None if self.prompt is None else self.prompt + limit) if one]
        over = max(known, default=0) - self.window
        return over if over > 0 else None


def overflow(status: int, words: str) -> Overflow | None:
    """Return by how much a prompt was too long, None where a refusal is about something else."""
    said = without_commas(words.lower())
    if status == 429 or (status != 413 and not _SAID.search(said)) or _OTHER.search(said):
        return None
    return Overflow(_number(_WINDOW, said), _number(_PROMPT, said), _number(_TOTAL, said))


def without_commas(text: str) -> str:
    """Return ``text`` without the commas inside of numbers."""
    return _COMMA.sub("", text)


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return next((int(group) for group in found.groups() if group), None) if found else None
