"""What a question asks: its entities, its form, and which of two values wins."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.text import STOPWORDS, find_dates, find_names, name_key
from scoring.extract.mentions import Known
from scoring.types import Form, Operator

_YES_NO = re.compile(r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:which|who|what|whose)\b.*\bor\b|\bout of\b.*\band\b|\bbetween\b.*\band\b", re.IGNORECASE
)
_COMPARES = re.compile(
    r"\b(?:first|earlier|later|older|younger|more|less|fewer|larger|smaller|longer|shorter|higher|lower|bigger|taller"
    r"|most|last|recently|same|newer|oldest|youngest|before|after|whose|released|born|died)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:first|earlier|earliest|older|oldest|fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|before)\b",
    re.IGNORECASE,
)
_GREATEST = re.compile(
    r"\b(?:later|latest|last|younger|youngest|newer|more|most|larger|largest|bigger|biggest|longer|longest|higher"
    r"|highest|taller|tallest|after|recently)\b",
    re.IGNORECASE,
)


def question_form(question: str) -> Form:
    """Return the form that the question's wording shows: ``yes/no``, ``comparison``, else ``chain``.

    Intersections and counts cannot be told from the wording alone; a plan or a person says them.
    """
    if _YES_NO.match(question) and not _CHOICE.search(question):
        return "yes/no"
    if _CHOICE.search(question) and _COMPARES.search(question):
        return "comparison"
    return "chain"


def comparison_operator(question: str) -> Operator | None:
    """Return whether the least or the greatest value wins, or None where the wording says neither or both.

    "Older" and "first" ask for the least date; what is compared as an age or a length of life
    has no single value in a text, so "lived longer" yields None.
    """
    if re.search(r"\b(?:lived|live) (?:longer|shorter)\b", question, re.IGNORECASE):
        return None
    least, greatest = bool(_LEAST.search(question)), bool(_GREATEST.search(question))
    return None if least == greatest else "least" if least else "greatest"


def question_entities(question: str, candidates: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the entities that the question names, in order.

    ``candidates`` are names that are known from elsewhere (titles, the answer's own mentions): where
    one stands in the question as whole words, in any case, it is taken as written there, the longest
    first. What is left is read by form: capitalised names, quoted titles and dates.
    """
    usable = [name for name in candidates if _usable(name)]
    found = [(one.start, one.end) for one in Known(usable).find(question)]
    for name in find_names(question):
        if not any(start < name.end and name.start < end for start, end in found):
            found.append((name.start, name.end))
    for _, start, end in find_dates(question):
        if not any(first < end and start < last for first, last in found):
            found.append((start, end))
    texts = [question[start:end] for start, end in sorted(found)]
    return tuple(dict.fromkeys(text for text in texts if name_key(text)))


def _usable(name: str) -> bool:
    if not any(char.isupper() or char.isdigit() for char in name):
        return False
    words = name_key(name).split()
    return any(word not in STOPWORDS and (len(word) > 1 or word.isdigit()) for word in words)
