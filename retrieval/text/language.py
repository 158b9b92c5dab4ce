"""Which language a text is in, as far as anything here depends on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

_ENGLISH = frozenset(
    "the of and was is were are by with from for who which that he she it his as to at had has".split()
)
#: First words of a sentence that are of no other language.
_OPENING = frozenset("The He She It".split())
#: Characters that are read; a longer text is in the language of its beginning.
_READ = 4000


def is_english(texts: Sequence[str]) -> bool:
    """Whether the words between the names are English; too few of them say nothing against it."""
    every = [word for text in texts for word in re.findall(r"\w+", text)]
    found = [word.lower() for word in every if word.islower() or word in _OPENING]
    return len(found) < 4 or sum(word in _ENGLISH for word in found) >= 0.15 * len(found)


def language_of(text: str) -> str:
    """Return the ISO 639 code of the language that ``text`` is most likely in; English where it may be English."""
    begins = text[:_READ]
    return "en" if is_english([begins]) else str(_identifier().classify(begins)[0])


@cache
def _identifier() -> Any:
    # Half a second, which no English library needs.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)
