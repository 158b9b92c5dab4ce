"""Sentences that do not say that something is so: they deny it, or only suppose it."""

from __future__ import annotations

import re
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
_INTENT = frozenset({"plan", "hope", "want", "intend", "wish", "offer", "promise", "try", "threaten"})


def denies(text: str) -> bool:
    """Return whether ``text`` has a word of denial."""
    return bool(_DENIES.search(text))


def supposes(text: str, question: str) -> bool:
    """Return whether ``text`` only supposes something, in a way that ``question`` does not ask for."""
    return bool(_SUPPOSES & set(words(text)) - set(words(question)))


def unreal(doc: Doc, start: int, question: str) -> bool:
    """Return whether the verb over the word at ``start`` is denied, conditional or only intended.

    "Mina" in "if Mina books the tickets, we go" is one who has booked nothing. What ``question`` itself asks for
    ("who *wanted* to buy it", "who *would* pay") is real enough.
    """
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
