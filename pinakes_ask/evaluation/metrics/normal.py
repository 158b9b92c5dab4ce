"""The normal form of short answers that SQuAD, HotpotQA, 2WikiMultiHopQA and MuSiQue compare."""

from __future__ import annotations

import re
import string

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normal_form(text: str) -> str:
    """Return ``text`` in lower case, without ASCII punctuation and English articles, its white space folded."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())
