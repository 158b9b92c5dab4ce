"""Sentences that do not say that something is so: they deny it, or only suppose it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.text import words

if TYPE_CHECKING:
    from spacy.tokens import Doc

_DENIES = re.compile(
    r"\b(?:not|never|no|nobody|none|neither|without|cannot|refused|rejected|turned down|failed to)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
# What is planned, supposed or conditional has not happened.
_SUPPOSES = frozenset(
    """if unless whether would could might should perhaps maybe probably allegedly supposedly planned plans
    hoped hopes""".split()
)

_MODAL = frozenset({"would", "could", "might", "should"})
_CONDITION = frozenset({"if", "unless", "whether"})
#: What any of that needs, looked for first: most sentences have none of it, and a parse is slow to walk.
_HEDGES = re.compile(
    r"\b(?:not|never|no|nor|neither|would|could|might|should|if|unless|whether|plan|hop(?:e|ing)|want|intend|wish|offer"
    r"|promis|tr(?:y|ie)|threaten)|n['\u2019]t\b",
    re.IGNORECASE,
)
_INTENT = frozenset({"plan", "hope", "want", "intend", "wish", "offer", "promise", "try", "threaten"})


@lru_cache(maxsize=4096)
def _hedges(text: str) -> bool:
    return bool(_HEDGES.search(text))


def denies(text: str) -> bool:
    """Return whether ``text`` has a word of denial."""
    return bool(_DENIES.search(text))


def supposes(text: str, question: str) -> bool:
    """Return whether ``text`` only supposes something, in a way that ``question`` does not ask for."""
    return bool(_SUPPOSES & set(words(text)) - set(words(question)))


def unreal(text: str, doc: Doc, start: int, question: str) -> bool:
    """Return whether the verb over the word at ``start`` is denied, conditional or only intended.

    "Mina" in "if Mina books the tickets, we go" is one who has booked nothing. What ``question`` itself asks for
    ("who *wanted* to buy it", "who *would* pay") is real enough.

    :param doc: the parse of ``text``; :param start: an offset in it.
    """
    if not _hedges(text):
        return False
    asked = set(words(question))
    at = next((token for token in doc if token.idx <= start < token.idx + len(token)), None)
    verb = next((one for one in at.ancestors if one.pos_ in ("VERB", "AUX")), None) if at is not None else None
    if verb is None:
        return False
    of = list(verb.children)
    intended = (
        verb.dep_ == "xcomp" and verb.head.lemma_ in _INTENT and not asked & {verb.head.text, verb.head.lemma_}
    )
    return intended or any(
        (one.dep_ == "neg" and not denies(question))
        or (one.dep_ == "aux" and one.lower_ in _MODAL - asked)
        or (one.dep_ == "mark" and one.lower_ in _CONDITION - asked)
        for one in of
    )
