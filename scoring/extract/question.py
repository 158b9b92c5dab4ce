"""What a question asks: its entities, its form, and which of two values wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from retrieval.text import STOPWORDS, find_dates, find_names, fold, name_key
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


def question_entities(question: str, candidates: Iterable[str] = (), texts: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the entities that the question names, in order.

    ``candidates`` are names that are known from elsewhere (titles, aliases): where one stands in the
    question as whole words, in any case, it is taken as written there, the longest first. So is the
    longest run of words that ``texts`` share with it and that begins and ends with a capital or a
    digit. What is left is read by form: capitalised names, quoted titles and dates.
    """
    found: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        if not any(start < last and first < end for first, last in found):
            found.append((start, end))

    names = find_names(question)
    # Part of a longer name is another entity: "Palme" of "Lisbeth Palme" may be anybody's.
    shared = [
        (start, end)
        for start, end in _shared_runs(question, texts)
        if not any(
            name.start <= start and end <= name.end and end - start < name.end - name.start for name in names
        )
    ]
    # A single word is a name only where the question writes it as one: "born" is no "Born".
    known = [
        (one.start, one.end)
        for one in Known(filter(_usable, candidates)).find(question)
        if " " in one.text or not one.text.islower()
    ]
    for start, end in sorted([*known, *shared], key=lambda span: (span[0] - span[1], span[0])):
        add(start, end)
    brackets = [match.span() for match in re.finditer(r"\([^()]*\)", question)]
    for name in names:
        # "(Film)" tells a title from others and names nothing.
        if not any(start < name.start < end for start, end in brackets):
            add(name.start, name.end)
    for _, start, end in find_dates(question):
        add(start, end)
    named = [question[start:end] for start, end in sorted(found)]
    return tuple(dict.fromkeys(text for text in named if name_key(text)))


def compared_entities(question: str, entities: Sequence[str]) -> tuple[str, ...]:
    """Return those of the question's entities that it sets side by side ("..., A or B?")."""
    for place in range(len(entities) - 1):
        left, right = entities[place], entities[place + 1]
        if re.search(rf"{re.escape(left)}\W+(?:\([^)]*\)\W*)?(?:or|and)\W+{re.escape(right)}", question):
            return (left, right)
    return tuple(entities)


_TOKEN = re.compile(r"\w+")


def _shared_runs(question: str, texts: Iterable[str]) -> list[tuple[int, int]]:
    """The longest runs of words, at each place, that the question shares with a text."""
    runs: set[tuple[str, ...]] = set()
    for text in texts:
        folded = [fold(word) for word in _TOKEN.findall(text)]
        for start in range(len(folded)):
            runs.update(tuple(folded[start:end]) for end in range(start + 1, min(len(folded), start + 16) + 1))
    tokens = list(_TOKEN.finditer(question))
    folded = [fold(token.group()) for token in tokens]
    named = [token.group()[0].isupper() or token.group()[0].isdigit() for token in tokens]
    found: list[tuple[int, int]] = []
    for start in range(1, len(tokens)):
        for end in range(len(tokens), start, -1):
            # A possessive's "s" ends no name.
            if (
                not named[start]
                or not named[end - 1]
                or (len(folded[end - 1]) == 1 and question[tokens[end - 1].start() - 1] in "'’")
            ):
                continue
            run = tuple(folded[start:end])
            if run in runs and any(word not in STOPWORDS and len(word) > 1 for word in run):
                found.append((tokens[start].start(), tokens[end - 1].end()))
                break
    return found


def _usable(name: str) -> bool:
    if not any(char.isupper() or char.isdigit() for char in name):
        return False
    words = name_key(name).split()
    return any(word not in STOPWORDS and (len(word) > 1 or word.isdigit()) for word in words)
