"""Whether a fact's relation is the one a question asks for, and in which direction.

Words are compared by stem. English says some relations with unrelated words ("mother" and "son of",
"author" and "wrote"); those families and the inverse kinship words stand here, and nothing else.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal

from retrieval.text import content_words, words

#: ``forward``: the known name is the fact's subject and the answer its object; ``backward``: the reverse.
Direction = Literal["forward", "backward"]

_FAMILIES = (
    "die died dies death dead deceased killed deathplace assassinated murdered executed drowned",
    "born birth birthplace native nee birthdate birthday",
    "marry married marriage spouse wife husband widow widower wed",
    "write wrote written writer author novelist poet screenwriter novel poem book playwright",
    "direct directed director filmmaker",
    "compose composed composer music score",
    "sing sang sung singer perform performed performer recorded artist band",
    "found founded founder establish established establishment start started create created creator",
    "build built builder construct constructed",
    "locate located location situated lies lie lay stands country",
    "work worked employer employed",
    "study studied educated education attended alumnus graduate graduated university college school",
    "star starred starring stars cast actor actress play played plays portray portrayed",
    "produce produced producer",
    "own owned owner",
    "lead led leader head headed",
    "win won winner award awarded",
    "design designed designer architect",
    "invent invented inventor",
    "paint painted painter painting",
    "release released",
    "publish published publisher",
    "bury buried burial",
    "nationality citizenship",
    "keep kept keeper",
    "teach taught teacher",
    "light lit",
    "buy bought acquired",
    "rule ruled ruler reign reigned",
    "name named called known",
)
_PARENT = {"father", "mother", "parent"}
_CHILD = {"son", "daughter", "child"}
#: Words of a question whose relation the other side states with these words.
_INVERSE = {
    **dict.fromkeys(("father", "mother", "parent", "parents"), _CHILD),
    **dict.fromkeys(("son", "daughter", "child", "children"), _PARENT),
    "grandfather": {"grandson", "granddaughter", "grandchild"},
    "grandmother": {"grandson", "granddaughter", "grandchild"},
    "uncle": {"nephew", "niece"},
    "aunt": {"nephew", "niece"},
    "sibling": {"brother", "sister"},
    "brother": {"brother", "sister"},
    "sister": {"brother", "sister"},
    "capital": {"capital"},
}
_KIN = frozenset(_INVERSE) - {"capital"}


@cache
def _family_of() -> dict[str, str]:
    return {stem(word): family.split()[0] for family in _FAMILIES for word in family.split()}


@cache
def _stemmer():  # type: ignore[no-untyped-def]
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of a folded English word."""
    stemmed: str = _stemmer().stemWord(word)
    return stemmed


@lru_cache(maxsize=8192)
def meanings(text: str) -> frozenset[str]:
    """Return the content words of ``text`` as families, or as stems where they belong to none."""
    return frozenset(_family_of().get(stem(word), stem(word)) for word in content_words(text))


def contradicts(question: str, sentence: str) -> bool:
    """Whether a small word makes what ``sentence`` tells another thing than ``question`` asks."""
    return _contradicts(set(words(question)), set(words(sentence)))


def _contradicts(asked: set[str], said: set[str]) -> bool:
    """Whether a small word makes the relation another one: a mother-in-law, the last time, before, not."""
    if any((word in asked) != (word in said) for word in _CHANGES_KIN):
        return True
    if any(word in asked and word not in said for word in _MUST_BE_SAID):
        return True
    return any(left in asked and right in said for left, right in _OPPOSITES)


# A relative by marriage or at one remove is another relative.
_CHANGES_KIN = frozenset({"law", "step", "stepfather", "stepmother", "foster", "half", "great"})
_MUST_BE_SAID = frozenset(
    {"last", "latest", "before", "after", "again", "never", "not", "refused", "refuse", "except"}
)
_OPPOSITES = tuple(
    pair
    for left, right in (("first", "last"), ("before", "after"), ("first", "again"), ("youngest", "eldest"))
    for pair in ((left, right), (right, left))
)


@lru_cache(maxsize=8192)
def agreement(asked: str, relation: str, direction: Direction) -> float:
    """Return how well a fact's ``relation`` is what the words ``asked`` ask for, in [0, 1].

    ``asked`` is the question without its names. Kinship must also point the right way: "X was the
    son of Y" names X's father, "X was the father of Y" does not.
    """
    asked_words = set(content_words(asked))
    kin = {word for word in asked_words if word in _KIN}
    said = set(content_words(relation))
    if _contradicts(set(words(asked)), set(words(relation))):
        return 0.0
    if kin:
        wanted = set().union(*(_INVERSE[word] for word in kin)) if direction == "forward" else kin
        if said & wanted:
            return 1.0
        # "whose father Y": the relation's own noun, the known name being its owner.
        return 0.9 if direction == "forward" and said & kin and "be" not in relation.split() else 0.0
    wanted_meanings, said_meanings = meanings(asked), meanings(relation)
    if not wanted_meanings or not said_meanings:
        return 0.0
    shared = wanted_meanings & said_meanings
    # A relation is the asked one when it has about half of the asked words: questions add some of their own.
    return min(1.0, 0.3 + 0.7 * len(shared) / len(wanted_meanings)) if shared else 0.0
