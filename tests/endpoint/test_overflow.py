"""What servers say of a prompt that is too long."""

from __future__ import annotations

import pytest

from pinakes_ask.models.endpoint.overflow import Overflow, overflow

#: (status, words, window, prompt, total) in the manner of widely used servers.
SAID = [
    (400, "This model's maximum context length is 4,096 tokens. However, you requested 4,124 tokens (2124 in the "
          "messages, 2000 in the completion). Please reduce the length of the messages or completion.",
     4096, 2124, 4124),
    (400, "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
     4096, 5000, None),
    (400, "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is "
          "4096 tokens and your request has 3000 input tokens (2000 > 4096 - 3000).", 4096, 3000, None),
    (400, "You passed 3217 input tokens and requested 1000 output tokens. However, the model's context length is "
          "only 4096 tokens, resulting in a maximum input length of 3096 tokens.", 4096, 3217, None),
    (400, "This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and "
          "your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
     128000, 62466, 128001),
    (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 4096, 5000, None),
    (400, '{"message": "the request exceeds the available context size, try increasing it", '
          '"type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}', 4096, 5000, None),
    (400, "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
     4096, 5000, None),
    (400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000, None),
    (400, "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total "
          "of 5000 tokens: 3000 tokens from the input messages and 2000 tokens for the completion.",
     4096, 3000, 5000),
    (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` "
          "tokens and 2000 `max_new_tokens`", 4096, 3000, None),
    (422, "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000", 4096, 5000, None),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", 200000, 210000, None),
    (400, "The input token count (5000) exceeds the maximum number of tokens allowed (4096).", 4096, 5000, None),
    (400, "Prompt contains 50000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
     32768, 50000, None),
    (400, '{"code": "context_length_exceeded", "message": "Your input exceeds the context window of this model."}',
     None, None, None),
    (400, "Please reduce the length of the messages or completion.", None, None, None),
    (413, "Request too large", None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "words", "window", "prompt", "total"), SAID)
def test_a_prompt_that_is_too_long_is_known_by_what_is_said(
    status: int, words: str, window: int | None, prompt: int | None, total: int | None
) -> None:
    assert overflow(status, words) == Overflow(window, prompt, total)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "response_format json_schema is not supported by long-context-window-8k"),
        (400, "'temperature' does not support 0 with this model"),
        (400, "Unsupported parameter: 'max_tokens', use 'max_completion_tokens' instead"),
        (429, "Limit 6000 tokens per minute; reduce the length of your prompts"),
        (404, "no such model"),
    ],
)
def test_other_refusals_are_no_matter_of_length(status: int, words: str) -> None:
    assert overflow(status, words) is None


def test_the_excess_counts_the_room_for_the_reply() -> None:
    assert Overflow(4096, 2124, 4124).excess(2000) == 28
    assert Overflow(4096, 3000, None).excess(2000) == 904
    assert Overflow(4096, None, 4124).excess(2000) == 28
    assert Overflow(4096, None, None).excess(2000) is None
    assert Overflow(None, 3000, None).excess(2000) is None
