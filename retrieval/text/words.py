"""Words for searching and comparing: folded, and usable in every script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

#: Words that carry grammar rather than content, in English. Question words are among them.
STOPWORDS = frozenset(
    """a about above after again against all also am an and any are aren as at be because been
    before being below between both but by can could did do does doing don down during each few
    for from further had has have having he her here hers herself him himself his how i if in
    into is isn it its itself just me more most my myself no nor not now of off on once only or
    other our ours out over own s same she should so some such t than that the their theirs them
    themselves then there these they this those through to too under until up very was wasn we
    were what when where which while who whom whose why will with would you your yours""".split()
)

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
# Scripts that put no spaces between words: Han, kana, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002fa1f]+"
)
_COMBINING = re.compile("[\u0300-\u036f]")
# Letters that do not decompose, but that people type without their stroke.
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


def fold(text: str) -> str:
    """Return ``text`` in NFKC, case-folded and without accents on Latin, Greek and Cyrillic letters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    decomposed = unicodedata.normalize("NFD", folded)
    return unicodedata.normalize("NFC", _COMBINING.sub("", decomposed)).translate(_STROKES)


def words(text: str) -> list[str]:
    """Return the folded words of ``text`` in order.

    A run of a script without spaces yields its overlapping character pairs (a single character
    yields itself), so that any part of it can be found. A possessive ``'s`` is dropped.
    """
    return [word for word, _ in placed_words(text)]


def placed_words(text: str) -> Iterator[tuple[str, int]]:
    """Yield the folded words of ``text`` in order, each with its offset in the folded text."""
    for match in _WORD.finditer(fold(text).replace("\u2019", "'")):
        word = match.group().removesuffix("'s")
        if word.isascii():
            yield word, match.start()
        else:
            for part in _split_unspaced(word):
                yield part, match.start()


def content_words(text: str) -> list[str]:
    """Return the words of ``text`` that are no :data:`STOPWORDS`, in order."""
    return [word for word in words(text) if word not in STOPWORDS]


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Return the Jaccard similarity of two bags of words, 1.0 when both are empty."""
    a, b = set(left), set(right)
    return len(a & b) / len(a | b) if a | b else 1.0


def _split_unspaced(word: str) -> list[str]:
    parts: list[str] = []
    position = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > position:
            parts.append(word[position : run.start()])
        chars = run.group()
        parts.extend([chars] if len(chars) == 1 else [chars[i : i + 2] for i in range(len(chars) - 1)])
        position = run.end()
    if position < len(word):
        parts.append(word[position:])
    return parts
