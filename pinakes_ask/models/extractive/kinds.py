"""What kind of thing a question asks for, read from its question word and the noun it asks about."""

from __future__ import annotations

import re
from enum import Enum

from retrieval.text import words


class Kind(Enum):
    """Kinds of short answer."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    WORK = "work"
    DATE = "date"
    NUMBER = "number"
    YES_NO = "yes_no"
    THING = "thing"


_NOUNS: dict[Kind, str] = {
    Kind.PERSON: """actor actress artist aunt author boss brother child chairman composer cousin creator
        daughter director explorer father friend grandfather grandmother heir husband king lyricist man
        mother musician nephew niece novelist nun owner parent partner person pilot poet pope president
        priest prince princess queen relative saint sibling singer sister son spouse student teacher uncle
        widow wife winner woman victim host ceo star captain""",
    Kind.PLACE: """area bay birthplace borough capital city coast continent country county deathplace district
        hometown homeland island isle kingdom lake land location municipality mountain nation nationality
        citizenship neighborhood parish
        place port province region river seat settlement state street suburb territory town village
        residence headquarters burial cemetery prison castle airport bridge building hall harbor harbour house
        lighthouse palace park stadium tower""",
    Kind.ORGANISATION: """academy agency airline army association band board brand broadcaster business church club
        council department service
        college company corporation employer firm group institute institution label league ministry museum
        network observatory orchestra organisation organization party publisher school shipyard society
        studio team union university manufacturer""",
    Kind.WORK: """album anthem book comedy documentary episode film franchise game magazine movie musical
        newspaper novel opera painting paper play poem record series show single song soundtrack statue story
        suite symphony track""",
    Kind.DATE: "anniversary birthday century date day decade month time year birthdate",
    Kind.NUMBER: "age amount count depth height length number percentage population size total weight",
}
_KIND_OF_NOUN = {noun: kind for kind, nouns in _NOUNS.items() for noun in nouns.split()}
# Agent nouns, by their ending; the exceptions name things.
_AGENT = re.compile(r"(?:er|or|ist|ian|ess|man|woman|eur)$")
_NO_AGENT = frozenset(
    """number river order paper letter chapter newspaper tower theater theatre computer power water matter
    center centre layer border corner quarter winter summer character color colour error factor floor
    sector motor harbor harbour cancer disorder weather ladder flower gender process business access success
    illness address""".split()
)
_QUESTION_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|tall|high|deep|far|large|big|heavy|wide|often)\b", re.IGNORECASE
)
_YES_NO = re.compile(
    r"^(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may(?! \d)|might|must|shall)\b"
    r"|both\b(?!.*\b(?:who|what|which|whose|when|where|how)\b))",
    re.IGNORECASE,
)
_WH_NOUN = re.compile(r"\b(?:which|what|whose)\s+((?:[\w'-]+\s+){0,3}?[\w'-]+)", re.IGNORECASE)
_WH_BE_NOUN = re.compile(
    r"\b(?:what|which|who)(?:\s+(?:is|are|was|were)|'s)\s+(?:the\s+|an?\s+)?(?:name\s+of\s+(?:the\s+)?)?"
    r"((?:[\w-]+\s+){0,3}?[\w-]+?)(?:'s|s')?(?=\s+(?:of|in|for|that|who|which|where|when|from|by)\b|\s*\??$|')",
    re.IGNORECASE,
)
#: A day without its year: "2 March", "Thursdays".
CALENDAR = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)? )?"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"(?: \d{1,2}\b)?|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
)


def noun_kind(noun: str) -> Kind | None:
    """Return the kind of thing a common noun names, or None where it does not say."""
    word = noun.lower()
    for form in (word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)):
        if form in _KIND_OF_NOUN:
            return _KIND_OF_NOUN[form]
    if "-in-law" in word or (_AGENT.search(word) and word not in _NO_AGENT and len(word) > 4):
        return Kind.PERSON
    return None


def asked_noun(question: str) -> str:
    """Return the common noun that says what the answer is ("which *island*"), folded, or ""."""
    for pattern in (_WH_BE_NOUN, _WH_NOUN):
        match = pattern.search(question)
        if match:
            nouns = [word for word in words(match.group(1)) if noun_kind(word)]
            if nouns:
                # The head of "birth place" or "record label" comes last.
                return nouns[-1] if pattern is _WH_BE_NOUN else nouns[0]
    return ""


def without_sort(question: str) -> str:
    """Return the question without the noun that only says of what sort the answer is.

    "In which *village* was" loses it; "what is the *capital* of" keeps it, since there it is the relation.
    """
    match = None if _WH_BE_NOUN.search(question) else _WH_NOUN.search(question)
    noun = asked_noun(question)
    if match is None or not noun:
        return question
    return re.sub(
        rf"\b(?:which|what)\s+(?:[\w'-]+\s+)*?{re.escape(noun)}\b", "which", question, count=1, flags=re.IGNORECASE
    )


def question_kind(question: str) -> Kind:
    """Return the kind of answer that ``question`` asks for."""
    if _QUESTION_NUMBER.search(question):
        return Kind.NUMBER
    asked = words(question)
    if _YES_NO.match(question):
        return Kind.YES_NO
    said = noun_kind(asked_noun(question))
    if said is not None:
        return said
    if "when" in asked:
        return Kind.DATE
    if "where" in asked:
        return Kind.PLACE
    if {"who", "whom", "whose"} & set(asked):
        return Kind.PERSON
    return Kind.THING
