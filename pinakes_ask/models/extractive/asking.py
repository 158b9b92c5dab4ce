"""Where the answer stands in a question's own sentence: the gap that its question word marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pinakes_ask.models.extractive.question import WH_TAGS, ParsedQuestion
from pinakes_ask.models.extractive.relations import meanings

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Role = Literal["subject", "object", "behind", "equal", "time", "amount", "count"]
_NONE = frozenset[str]()
_EMPTY = frozenset({"be", "do", "have", "get"})
#: Prepositions that a place follows.
PLACED = frozenset("in at near to from on into inside outside above below behind beside by around".split())


@dataclass(frozen=True)
class Gap:
    """What the answer is to the question's verb.

    :param role: its ``subject`` or ``object``; ``behind`` one of ``prepositions``; ``equal`` to what the question
        describes; the ``time`` of it, an ``amount``, or a ``count`` of things.
    :param verb: the verb's meaning, empty for one that says nothing of its own.
    :param sort: the meanings of the noun that only says of what sort the answer is ("which *town*").
    """

    role: Role
    verb: str = ""
    prepositions: frozenset[str] = frozenset()
    sort: frozenset[str] = frozenset()


def gap_of(parsed: ParsedQuestion) -> Gap | None:
    """Return the gap of a question, None where its structure shows none."""
    words = [token for token in parsed.doc or () if token.tag_ in WH_TAGS and not _in_relative(token)]
    if not words or words[0].lower_ in ("why", "whose"):
        return None
    word = words[0]
    noun = _asked_noun(word)
    sort = (
        meanings(" ".join(token.text for token in noun.lefts)) | meanings(noun.text) if noun is not word else _NONE
    )
    behind = _preposition(word)
    if behind and word.lower_ != "when":
        return Gap("behind", _last_verb(word.doc), frozenset({behind}), sort)
    match word.lower_:
        case "when":
            return Gap("time", _verb(word))
        case "where":
            return Gap("behind", _verb(word) or _last_verb(word.doc), PLACED)
        case "how":
            return _how_much(word)
    return _of_noun(noun, sort)


def _asked_noun(word: Token) -> Token:
    """The noun of "which date", else the word itself; where the parser tears the two apart, the next word."""
    if word.dep_ in ("det", "poss"):
        return word.head
    following = word.doc[word.i + 1] if word.i + 1 < len(word.doc) else word
    return following if word.tag_ == "WDT" and following.pos_ == "NOUN" else word


def _preposition(word: Token) -> str:
    """The preposition that the question word belongs to: before it, or left over at the end; empty for none."""
    doc = word.doc
    before = [doc[word.i - 1]] if word.i else []
    last = [token for token in doc if not token.is_punct][-1:]
    found = [one for one in before if one.pos_ == "ADP"]
    found += [one for one in last if one.pos_ == "ADP" and not [*one.children]]
    return str(found[0].lower_) if found else ""


def _last_verb(doc: Doc) -> str:
    verbs = [
        token for token in doc if token.pos_ == "VERB" and token.lemma_ not in _EMPTY and not _in_relative(token)
    ]
    return _meaning(verbs[-1]) if verbs else ""


def _of_noun(noun: Token, sort: frozenset[str]) -> Gap | None:
    verb = _verb(noun)
    described = _described(noun)
    if described is not None:
        return described
    match noun.dep_:
        case "nsubj" if noun.head.lemma_ == "be":
            return Gap("equal", sort=sort)
        case "attr":
            return Gap("equal", sort=sort)
        case "nsubj":
            return Gap("subject", verb, sort=sort)
        case "nsubjpass" | "dobj":
            return Gap("object", verb, sort=sort)
        case "pobj" if noun.head.dep_ == "agent":
            return Gap("subject", verb, sort=sort)
        case "pobj":
            return Gap("behind", verb, frozenset({noun.head.lower_}), sort)
    return None


def _described(noun: Token) -> Gap | None:
    """The gap of "who is the man that built it": that of the clause that describes him."""
    for other in noun.head.children if noun.head.lemma_ == "be" and noun.tag_ == "WP" else ():
        for clause in other.children if other.dep_ in ("nsubj", "attr") and other is not noun else ():
            if clause.dep_ != "relcl" or clause.lemma_ in _EMPTY:
                continue
            of = {child.lower_: child.dep_ for child in clause.children}
            dep = next((of[word] for word in ("who", "that", "which", "whom") if word in of), "")
            verb = _meaning(clause)
            if dep == "nsubj":
                return Gap("subject", verb, sort=meanings(other.text))
            if dep in ("nsubjpass", "dobj"):
                return Gap("object", verb, sort=meanings(other.text))
    return None


def _how_much(word: Token) -> Gap | None:
    of = word.head
    if of.lower_ in ("many", "much") and of.head.pos_ == "NOUN":
        return Gap("count", _verb(of.head), sort=meanings(of.text))
    if of.pos_ in ("ADJ", "ADV"):
        return Gap("amount", _verb(of), sort=meanings(of.text))
    return None


def _verb(token: Token) -> str:
    """The meaning of the verb that a token hangs on."""
    above = next((one for one in token.ancestors if one.pos_ in ("VERB", "AUX")), None)
    return "" if above is None or above.lemma_ in _EMPTY else _meaning(above)


def _meaning(verb: Token) -> str:
    """Its meaning; of a verb in several parts ("co-founded") one and the same in every process."""
    return max(meanings(verb.text), default="")


def _in_relative(token: Token) -> bool:
    return any(one.dep_ in ("relcl", "acl", "advcl") for one in (token, *token.ancestors))
