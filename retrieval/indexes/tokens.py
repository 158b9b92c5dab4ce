"""The words under which a text is indexed and searched."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrieval.text import content_words


def tokens(text: str) -> list[str]:
    """Return the folded content words of ``text``, stemmed by Snowball's English rules.

    Words of other scripts pass unchanged; scripts without spaces are cut into character pairs.
    """
    stemmed: list[str] = _stemmer().stemWords(content_words(text))
    return stemmed


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
