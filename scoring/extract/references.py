"""What pronouns and short forms stand for: declared once here, so that scoring never guesses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text import bare_title, name_key
from scoring.extract.mentions import DATE, NUMBER, PERSON, Mention
from scoring.identity import is_reference
from scoring.types import Coreference, Triple

_PERSONAL = {"he", "him", "his", "himself", "she", "her", "hers", "herself"}
_THING = {"it", "its", "itself", "this", "that"}
_PLURAL = {"they", "them", "their", "theirs", "we", "our", "us", "i", "you", "your", "here", "there"}
_DEFINITE = re.compile(
    r"^(?:the|this|that)\s(?:\w+\s){0,2}(?:film|movie|song|album|single|band|group|series|show|novel|book|play|opera|game"
    r"|company|city|town|village|river|island|school|university|college|station|actor|actress|director|singer|writer"
    r"|king|queen|duke|poet|composer|author|politician|player|district|county|country|magazine|newspaper|work)$",
    re.IGNORECASE,
)


def stands_for_title(mention: str, title: str) -> bool:
    """Return whether a subject is a shorter or longer form of its document's title.

    A shorter form holds only words of the title, from its start or its end ("Lothair" for "Lothair
    II"); another form has the same last word, and a first that begins alike ("Francis Albert Sinatra"
    for "Frank Sinatra"). "Lothair I" stands for no "Lothair II".
    """
    short, full = name_key(mention).split(), name_key(bare_title(title)).split()
    if not short or not full or short == full:
        return False
    if full[: len(short)] == short or full[-len(short) :] == short:
        return True
    return short[-1] == full[-1] and short[-1].isalpha() and _begin_alike(short[0], full[0])


def _begin_alike(left: str, right: str) -> bool:
    """Whether two first names may be one: the same, an initial, or alike in their first three letters."""
    return left[0] == right[0] if 1 in (len(left), len(right)) else left[:3] == right[:3]


class Referents:
    """The antecedents that are at hand while the statements are read in order."""

    def __init__(self) -> None:
        self._person: str | None = None
        self._thing: str | None = None

    def resolve(
        self, triples: Sequence[Triple], mentions: Sequence[Mention], title: str | None
    ) -> list[Coreference]:
        """Return the coreferences of one sentence's triples.

        In a quotation, singular pronouns, definite phrases ("the film") and forms of the title stand
        for the title, where they are a fact's subject. Elsewhere a personal pronoun stands for the
        person last told about, and another for the last subject.
        """
        titled = title is not None and any(name_key(one.text) == name_key(bare_title(title)) for one in mentions)
        found: dict[str, str] = {}
        for subject in dict.fromkeys(triple.subject for triple in triples):
            if is_reference(subject):
                antecedent = title if title is not None else self._antecedent(subject)
                if antecedent and subject.casefold() not in _PLURAL:
                    found[subject] = antecedent
            elif _DEFINITE.match(subject):
                antecedent = title or self._thing
                if antecedent:
                    found[subject] = antecedent
            elif title is not None and not titled and stands_for_title(subject, title):
                found[subject] = title
        return [Coreference(mention, entity) for mention, entity in found.items()]

    def remember(
        self,
        text: str,
        triples: Sequence[Triple],
        mentions: Sequence[Mention],
        coreferences: Sequence[Coreference],
        persons: set[str],
    ) -> None:
        """Take in what a sentence was about, for the pronouns of the next.

        That is its subject; but where a name only says whose ("A's mother is B", "the mother of A is
        B"), or for a person where the subject is none, it is what was said last.
        """
        if not triples:
            return
        declared = {one.mention: one.entity for one in coreferences}
        named = [one for one in mentions if one.kind not in {DATE, NUMBER}]
        subject = declared.get(triples[0].subject, triples[0].subject)
        if named and _only_whose(text, triples[0].subject):
            subject = named[-1].text
        if is_reference(subject):
            return
        self._thing = subject
        agents = [triple.object for triple in triples if triple.relation.endswith(" by")]
        if agents and any(name_key(one.text) == name_key(agents[0]) for one in named):
            # "A was directed by B. She ...": somebody did something to a thing.
            self._person = agents[0]
            return
        people = [one.text for one in named if one.kind == PERSON or name_key(one.text) in persons]
        if subject in people or name_key(subject) in persons or not named:
            self._person = subject
        else:
            self._person = people[-1] if people else named[-1].text

    def _antecedent(self, pronoun: str) -> str | None:
        folded = pronoun.casefold()
        if folded in _PERSONAL:
            return self._person or self._thing
        return self._thing if folded in _THING else None


def _only_whose(text: str, subject: str) -> bool:
    name = re.escape(subject)
    return bool(
        re.search(
            rf"^\W*{name}['’]|^\W*the\s+[\w\s-]{{2,40}}\sof\s+(?:[\w-]+\s){{0,3}}?\W?{name}", text, re.IGNORECASE
        )
    )
