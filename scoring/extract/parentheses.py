"""Facts in brackets: ``Ermengarde of Tours (d. 20 March 851)``, ``World Health Organization (WHO)``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text import find_dates
from scoring.extract.mentions import DATE, Mention
from scoring.types import Triple

_BRACKETS = re.compile(r"\(([^()]*)\)")
# A dash between two dates; one inside a word ("Jean-Luc") has no space beside it.
_RANGE = re.compile(r"\s[-\u2013\u2014]|[-\u2013\u2014]\s|[\u2013\u2014]|(?<=\d)-(?=\d)")
_DIED = re.compile(r"\b(?:d\.|died|deceased)|\u2020", re.IGNORECASE)

# What may stand between a name and its bracket: other brackets, and words that belong to the name.
_NAME_GOES_ON = re.compile(r"""[\s"”,]*(?:(?:of|the|de|von|[^\W\d_a-z]\w*)[\s"”,]*){0,4}""")


def bracketed(text: str) -> list[tuple[int, int]]:
    """Return the spans of the brackets in ``text``, with the brackets."""
    return [match.span() for match in _BRACKETS.finditer(text)]


def blank(text: str) -> str:
    """Return ``text`` with everything in brackets replaced by spaces, so that offsets stay."""
    return _BRACKETS.sub(lambda match: " " * len(match.group()), text)


def bracket_triples(text: str, mentions: Sequence[Mention]) -> list[Triple]:
    """Return the facts that brackets state about the mention directly before them.

    Two dates with a dash between them are those of birth and death, or of a beginning and an end.
    """
    triples: list[Triple] = []
    plain = blank(text)
    for match in _BRACKETS.finditer(text):
        before = [
            one
            for one in mentions
            if one.end <= match.start()
            and _NAME_GOES_ON.fullmatch(plain, one.end, match.start())
            and plain[one.start : one.end].strip()
        ]
        if not before:
            continue
        holder = before[-1]
        inside = [one for one in mentions if match.start() < one.start and one.end < match.end()]
        for one in inside:
            triples.append(Triple(holder.text, _relation(match.group(1), one, match.start(1)), one.text))
    return triples


def _relation(content: str, one: Mention, offset: int) -> str:
    if one.kind != DATE:
        lead = content[: one.start - offset].strip(" ,;:")
        if find_dates(content) and not re.search(r"[^\W\d_]{4,}", _without(content[: one.start - offset])):
            # A place beside the dates of a life: "(3 May 1901, Dale - 1960, Orm)".
            if _RANGE.search(content[: one.start - offset]):
                return "died in"
            if _RANGE.search(content, one.end - offset):
                return "born in"
        return lead.rsplit(";", 1)[-1].strip() or "also"
    before = content[: one.start - offset]
    if _DIED.search(before.rsplit(";", 1)[-1]) or _RANGE.search(before):
        return "died"
    after = content[one.end - offset :]
    if re.search(r"\b(?:b\.|born)", before) or (_RANGE.search(after) and find_dates(after)) or _RANGE.match(after):
        return "born"
    return "dated"


def _without(lead: str) -> str:
    """What stands before a mention in its bracket, without dates and names."""
    for _, start, end in reversed(find_dates(lead)):
        lead = lead[:start] + " " * (end - start) + lead[end:]
    return re.sub(r"\b[A-Z\u00c0-\u00de][\w'’.-]*", " ", lead)


_ACRONYM = re.compile(r"\(([A-Z][A-Z.]{1,9})\)")


def acronyms(text: str) -> list[tuple[str, str]]:
    """Return ``(name, acronym)`` for every acronym in brackets that its preceding words spell."""
    found: list[tuple[str, str]] = []
    for match in _ACRONYM.finditer(text):
        letters = match.group(1).replace(".", "").lower()
        words = re.findall(r"[\w'’-]+", text[: match.start()])
        for count in range(len(letters), min(len(words), len(letters) + 3) + 1):
            name = words[-count:]
            initials = "".join(word[0].lower() for word in name if word[0].isupper())
            if initials == letters and name[0][0].isupper():
                start = text.rindex(name[0], 0, match.start())
                found.append((text[start : match.start()].strip(), match.group(1)))
                break
    return found
