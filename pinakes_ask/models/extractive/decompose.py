"""From a question to sub-questions, innermost described thing first, by sentence structure alone.

"Where was the director of the film that X produced born?" describes its subject twice over. Walking
up the parse from a name, every common noun that describes a thing of its own becomes a
sub-question, and its whole phrase a slot in the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinakes_ask.models.extractive.kinds import Kind, noun_kind
from pinakes_ask.models.extractive.question import WH_TAGS, ParsedQuestion
from pinakes_ask.tasks import PlannedQuestion

if TYPE_CHECKING:
    from spacy.tokens import Token

#: Nouns that stand for what follows them, not for a thing of their own.
_LIGHT = frozenset(
    {"border", "kind", "lot", "lyric", "member", "music", "name", "number", "part", "role", "sort", "type", "way"}
)


def chain(parsed: ParsedQuestion) -> tuple[PlannedQuestion, ...]:
    """Return the sub-questions of a question about one thing, each needing the one before.

    A question whose structure shows no described thing is its own only sub-question.
    """
    bridges = _bridges(parsed)
    steps: list[PlannedQuestion] = []
    inner: tuple[int, int] | None = None
    for number, noun in enumerate(bridges, start=1):
        start, end = phrase(noun)
        phrase_text = _with_slot(parsed, start, end, inner, number - 1)
        ask = "Who" if noun_kind(noun.lemma_) is Kind.PERSON else "What"
        steps.append(PlannedQuestion(question=f"{ask} is {phrase_text.strip(' ?')}?", needs=_previous(number)))
        inner = (start, end)
    length = len(parsed.doc.text) if parsed.doc is not None else len(parsed.text)
    last = _with_slot(parsed, 0, length, inner, len(steps))
    if not (steps and _asks_only_the_name(last)):
        steps.append(PlannedQuestion(question=last, needs=_previous(len(steps) + 1)))
    return tuple(steps)


def phrase(noun: Token) -> tuple[int, int]:
    """Return the character span of a noun's whole phrase.

    A bare verb at the very end of the question ("was the author of X *born*?") belongs to the
    question, whatever the parser hung it on.
    """
    tokens = [token for token in noun.subtree if token.text not in "?.!"]
    words_of_question = [token for token in noun.doc if not token.is_punct]
    while len(tokens) > 1 and tokens[-1] == words_of_question[-1] and _is_bare_verb(tokens[-1]):
        tokens.pop()
    return tokens[0].idx, tokens[-1].idx + len(tokens[-1])


def _is_bare_verb(token: Token) -> bool:
    """Whether it is a verb without a relative pronoun of its own; with one it is part of the phrase."""
    return token.tag_.startswith("VB") and not any(
        child.tag_ in WH_TAGS or child.lower_ == "that" for child in token.children
    )


def _bridges(parsed: ParsedQuestion) -> list[Token]:
    """The nouns that describe a thing by a name in the question, innermost first."""
    chains = [_described(parsed, token) for token in parsed.name_tokens()]
    return max(chains, key=len, default=[])


def _described(parsed: ParsedQuestion, name: Token) -> list[Token]:
    found: list[Token] = []
    for above in name.ancestors:
        if above.pos_ == "NOUN" and _is_described(above) and not (_is_asked(above) or _holds_wh(above)):
            found.append(above)
    return found


def _is_described(noun: Token) -> bool:
    """Whether the phrase describes a thing of its own, rather than a part, a kind or an abstraction."""
    determined = any(child.dep_ in ("det", "poss") for child in noun.children)
    return noun.lemma_ not in _LIGHT and not _is_bare(noun) and (determined or noun_kind(noun.lemma_) is not None)


def _is_bare(noun: Token) -> bool:
    """Whether it is an abstract noun that belongs to the noun before it: "the place of birth"."""
    of = noun.head
    determined = any(child.dep_ in ("det", "poss", "relcl") for child in noun.children)
    return (
        noun.dep_ == "pobj"
        and of.lower_ == "of"
        and of.head.pos_ == "NOUN"
        and not determined
        and (noun.tag_ == "NN" and noun_kind(noun.lemma_) is not Kind.PERSON)
    )


def _is_asked(noun: Token) -> bool:
    """Whether the question asks for the noun itself: "which town", "what is the capital"."""
    if any(child.tag_ in WH_TAGS and child.dep_ in ("det", "poss", "attr") for child in noun.children):
        return True
    verb = noun.head
    return (
        noun.dep_ in ("nsubj", "attr", "nsubjpass", "csubj")
        and verb.lemma_ == "be"
        and verb.dep_ == "ROOT"
        and any(
            (other.tag_ == "WP" and other.dep_ in ("attr", "nsubj"))
            or (other.tag_ == "WRB" and noun_kind(noun.lemma_) in (Kind.PLACE, Kind.DATE))
            for other in verb.children
        )
    )


def _holds_wh(noun: Token) -> bool:
    """Whether the question word itself stands in the phrase, as in "in the film by which director"."""
    relative = {token for child in noun.subtree if child.dep_ == "relcl" for token in child.subtree}
    return any(token.tag_ in WH_TAGS and token not in relative for token in noun.subtree)


def _with_slot(parsed: ParsedQuestion, start: int, end: int, inner: tuple[int, int] | None, number: int) -> str:
    if inner is None:
        return parsed.original(start, end).strip()
    before, after = parsed.original(start, inner[0]), parsed.original(inner[1], end)
    return f"{before}{{{number}}}{after}".strip()


def _previous(number: int) -> tuple[int, ...]:
    return (number - 1,) if number > 1 else ()


def _asks_only_the_name(question: str) -> bool:
    """Whether the last step asks for no more than what the step before found."""
    bare = question.lower().strip(" ?")
    opening = bare.partition("{")[0].split()
    return bare.endswith("}") and set(opening) <= {
        "who",
        "what",
        "which",
        "is",
        "was",
        "are",
        "were",
        "the",
        "name",
        "of",
    }
