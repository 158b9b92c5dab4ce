"""Facts by their form alone, where no parser is installed or the language is not English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoring.extract.mentions import Mention
from scoring.identity import is_reference
from scoring.types import Triple

_FIRST = re.compile(r"\W*(\w+)")
_CLAUSE = re.compile(r";|\s(?:while|whereas|but)\s")
_NEGATED = re.compile(r"\b(?:not|never|no longer|isn't|wasn't|aren't|weren't|didn't|doesn't)\b", re.IGNORECASE)


def pattern_triples(text: str, mentions: Sequence[Mention]) -> list[Triple]:
    """Return one fact from the subject of each clause of ``text`` to each of its other mentions.

    The subject is a leading pronoun, else the clause's first mention. A clause ends at a semicolon,
    "while", "whereas" or "but"; where the next has one mention only, the subject stays.
    """
    triples: list[Triple] = []
    subject: str | None = None
    ends = [match.start() for match in _CLAUSE.finditer(text)] + [len(text)]
    start = 0
    for end in ends:
        inside = [one for one in mentions if start <= one.start and one.end <= end]
        first = _FIRST.match(text, start, end)
        position = start
        if first and is_reference(first.group(1)):
            subject, position = first.group(1), first.end()
        elif len(inside) > 1 or (subject is None and inside):
            subject, position = inside[0].text, inside[0].end
            inside = inside[1:]
        for one in inside:
            if subject is not None and one.text != subject:
                between = text[min(position, one.start) : one.start].strip(" ,.'’\"")
                triples.append(
                    Triple(subject, between or "is", one.text, bool(_NEGATED.search(text[start : one.start])))
                )
        start = end
    return triples
