"""The forms in which a name is looked up, and where a name may begin and end."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from retrieval.text import fold, name_key

_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_WORD = re.compile(r"[^\W_]+")
# Scripts that put no spaces between words, as in retrieval.text.words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
_ARTICLES = ("the ", "a ", "an ")
#: The longest name that is looked for in a question, in words (or characters of an unspaced script).
LONGEST = 10


def titles_of(title: str) -> list[str]:
    """Return the names that a title gives: itself, and itself without a closing parenthesis."""
    bare = _PARENTHESIS.sub("", title).strip()
    return [name for name in dict.fromkeys((title.strip(), bare)) if len(name) > 1]


def plain(surface: str) -> str:
    """Return the words of a folded surface joined by single spaces, without a leading article."""
    joined = " ".join(_WORD.findall(surface))
    for article in _ARTICLES:
        if joined.startswith(article) and len(joined) > len(article):
            return joined[len(article) :]
    return joined


def key_of(surface: str) -> str:
    """Return the identity of a name: equal keys are one name."""
    return name_key(surface)


def hash_of(text: str) -> int:
    """Return 63 bits that stand for a plain name in the lookup table."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def is_whole(folded: str, start: int, end: int) -> bool:
    """Whether a match does not cut a word; in scripts without spaces every place is a boundary."""
    before = start > 0 and _joined(folded[start - 1], folded[start])
    after = end < len(folded) and _joined(folded[end - 1], folded[end])
    return not before and not after


def spans(question: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield ``(plain name, start, end, words)`` of everything in a question that could be a name.

    Offsets are into the folded question.
    """
    folded = fold(question)
    found = list(_WORD.finditer(folded))
    for first, match in enumerate(found):
        for last in range(first, min(first + LONGEST, len(found))):
            start, end = match.start(), found[last].end()
            yield plain(folded[start:end]), start, end, last - first + 1
        run = match.group()
        if _UNSPACED.search(run):
            for left in range(len(run)):
                for right in range(left + 2, min(left + LONGEST, len(run)) + 1):
                    yield run[left:right], match.start() + left, match.start() + right, 1


def _joined(left: str, right: str) -> bool:
    if not (left.isalnum() and right.isalnum()):
        return False
    return not (_UNSPACED.match(left) or _UNSPACED.match(right))
