"""The words under which a text is indexed and searched."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrieval.text import STOPWORDS
from retrieval.text.words import placed_words


def tokens(text: str) -> list[str]:
    """Return the folded content words of ``text``, stemmed by Snowball's English rules.

    Words of other scripts pass unchanged; scripts without spaces are cut into character pairs.
    """
    return tokens_at(text)[0]


def tokens_at(text: str) -> tuple[list[str], list[int]]:
    """Return the tokens of ``text`` and the offset of each in the folded text."""
    kept = [(word, start) for word, start in placed_words(text) if word not in STOPWORDS]
    stemmed: list[str] = _stemmer().stemWords([word for word, _ in kept])
    return stemmed, [start for _, start in kept]


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
