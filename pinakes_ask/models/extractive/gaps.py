"""What fills a question's gap in a sentence that tells of the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pinakes_ask.models.extractive.asking import PLACED, Gap
from pinakes_ask.models.extractive.kinds import CALENDAR
from pinakes_ask.models.extractive.reading import Sentence
from pinakes_ask.models.extractive.relations import meanings
from retrieval.text import find_dates, name_key

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_TIMES = frozenset({"DATE", "TIME"})
_AMOUNTS = frozenset({"DATE", "TIME", "QUANTITY", "CARDINAL", "PERCENT", "MONEY", "ORDINAL"})
_OFTEN = re.compile(
    r"\b(?:once|twice|(?:\w+|\d+) times)(?: an?| every| per)? ?(?:hour|day|week|month|year)?\b"
    r"|\bevery (?:\w+ )?(?:\w+)|\b(?:hour|dai|week|month|year)ly\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"(?:the|an?|his|her|its|their)\s+", re.IGNORECASE)
#: Start and end in the text of a sentence.
Span = tuple[int, int]


def filling(gap: Gap, means: frozenset[str], names: Sequence[str], sentence: Sentence) -> list[Span]:
    """Return the spans of ``sentence`` that can fill ``gap``.

    :param means: the question's words, by their meaning; :param names: its names, by their normal form.
    """

    def known(token: Token) -> bool:
        """Whether the question speaks of the thing that ``token`` stands for."""
        if token.pos_ == "PRON" or any(_means(one) & means for one in token.subtree):
            return True
        start, end = token.left_edge.idx, token.right_edge.idx + len(token.right_edge)
        said = f" {name_key(sentence.text[start:end])} "
        return any(f" {name} " in said for name in names)

    doc = sentence.doc
    if doc is None:
        return []
    match gap.role:
        case "time":
            named = (match.span() for match in CALENDAR.finditer(sentence.text))
            dated = ((start, end) for _, start, end in find_dates(sentence.text))
            return _whole(sentence, [*_labelled(doc, _TIMES), *dated, *named])
        case "amount":
            often = [match.span() for match in _OFTEN.finditer(sentence.text)] if "often" in gap.sort else []
            return _whole(sentence, often or list(_labelled(doc, _AMOUNTS)))
        case "count":
            numbers = (one for one in doc if one.dep_ == "nummod" and _means(one.head) & means)
            return [_word_at(one, sentence.text) for one in numbers]
        case "equal":
            found = list(_equal(doc, means))
        case _:
            found = [one for verb in doc if _means(verb) & {gap.verb} for one in _beside(verb, gap, known)]
            if gap.role == "behind" and not gap.verb:
                found = [one for prep in doc if _means(prep.head) & means for one in _behind(prep, gap)]
    spans = [_phrase(one, sentence) for one in found if one.pos_ != "PRON"]
    return [
        span for span in spans if not (gap.role == "behind" and gap.prepositions == PLACED and _is_time(doc, span))
    ]


def _is_time(doc: Doc, span: Span) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in _labelled(doc, _TIMES))


def _beside(verb: Token, gap: Gap, known: Callable[[Token], bool]) -> Iterator[Token]:
    """The tokens that stand to ``verb`` as the gap does; what stands on its other side must be ``known``."""
    passive = any(child.dep_ in ("auxpass", "agent", "nsubjpass") for child in verb.children)
    agents = [two for one in verb.children if one.dep_ == "agent" for two in one.children if two.dep_ == "pobj"]
    doers = agents if passive else [one for one in verb.children if one.dep_ == "nsubj"]
    done = [one for one in verb.children if one.dep_ == ("nsubjpass" if passive else "dobj")]
    if verb.dep_ == "acl":
        done.append(verb.head)
    match gap.role:
        case "subject" if all(map(known, done)):
            yield from doers
        case "object" if doers and all(map(known, doers)):
            yield from done
        case "behind":
            near = [two for one in verb.children for two in _behind(one, gap)]
            yield from near or (
                two
                for one in verb.children
                if one.dep_ in ("dobj", "nsubjpass", "advmod")
                for preposition in one.children
                for two in _behind(preposition, gap)
            )


def _behind(preposition: Token, gap: Gap) -> Iterator[Token]:
    if preposition.dep_ in ("prep", "agent", "oprd", "dative") and preposition.lower_ in gap.prepositions:
        yield from (child for child in preposition.children if child.dep_ == "pobj")


def _equal(doc: Doc, means: frozenset[str]) -> Iterator[Token]:
    """What a sentence says something described by ``means`` is."""
    for verb in doc:
        if verb.lemma_ != "be":
            continue
        subjects = [child for child in verb.children if child.dep_ == "nsubj"]
        values = [child for child in verb.children if child.dep_ in ("attr", "acomp", "npadvmod")]
        for subject in subjects:
            for value in values:
                if _means(subject) & means and not _means(value) & means:
                    yield value
                elif _means(value) & means and not _means(subject) & means:
                    yield subject


def _labelled(doc: Doc, labels: frozenset[str]) -> Iterator[Span]:
    yield from ((one.start_char, one.end_char) for one in doc.ents if one.label_ in labels)


def _whole(sentence: Sentence, spans: list[Span]) -> list[Span]:
    """The widest of overlapping spans, without an article."""
    wide = [one for one in spans if not any(two != one and two[0] <= one[0] and one[1] <= two[1] for two in spans)]
    return [_without_article(sentence.text, one) for one in dict.fromkeys(wide)]


def _phrase(token: Token, sentence: Sentence) -> Span:
    """The name that a token belongs to, or its noun phrase without the article."""
    for mention in sentence.mentions:
        if mention.start <= token.idx < mention.end and mention.kind not in ("date", "number"):
            return mention.start, mention.end
    for chunk in token.doc.noun_chunks:
        if chunk.start <= token.i < chunk.end:
            # "release 4.2": the parser leaves the number out.
            numbers = [one.idx + len(one) for one in token.rights if one.pos_ == "NUM"]
            return _without_article(sentence.text, (chunk.start_char, max([chunk.end_char, *numbers])))
    return _word_at(token, sentence.text)


def _word_at(token: Token, text: str) -> Span:
    """The whole word that a token is part of: a parser takes "555-0199" apart."""
    start, end = token.idx, token.idx + len(token)
    while start and not text[start - 1].isspace() and text[start - 1] not in "([\"'":
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, start + len(text[start:end].rstrip(".,;:!?)]\"'"))


def _without_article(text: str, span: Span) -> Span:
    article = _LEADING.match(text, *span)
    return (article.end(), span[1]) if article else span


def _means(token: Token) -> frozenset[str]:
    return meanings(token.text)
