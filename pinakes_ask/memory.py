"""The rolling summary: folded anew each round and bounded, never appended to."""

from __future__ import annotations

import re

from retrieval.text import sentence_spans

#: Characters of English in one token, on average; used where no tokenizer can be asked.
CHARACTERS_PER_TOKEN = 4
# From the first of the scripts that are written without spaces.
_WIDE = re.compile("[\u2e80-\U0010ffff]")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of ``text``, rounding up; scripts without spaces count a character each."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // CHARACTERS_PER_TOKEN)


def bound(memory: str, limit: int) -> tuple[str, bool]:
    """Return ``memory`` cut to at most ``limit`` estimated tokens, and whether it was cut.

    Whole sentences are kept from the front; a single sentence above the limit is cut inside.
    """
    if estimate_tokens(memory) <= limit:
        return memory, False
    kept = ""
    for start, end in sentence_spans(memory):
        longer = f"{kept} {memory[start:end]}".strip()
        if estimate_tokens(longer) > limit:
            break
        kept = longer
    if not kept:
        kept = memory
        while estimate_tokens(kept) > limit:
            kept = kept[: max(1, len(kept) * limit // (estimate_tokens(kept) + 1))]
            if len(kept) == 1:
                break
    return kept, True
