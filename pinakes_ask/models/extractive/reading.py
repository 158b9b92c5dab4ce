"""Offered passages, read once: each sentence with its mentions, its facts and its parse.

Facts are found by the rules that LogicScore finds them by, so that a path which scores is a path that
was followed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pinakes_ask.models.extractive.relations import meanings
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import bare_title, name_key, without_markup
from retrieval.text.language import is_english
from retrieval.text.parser import english_parser
from scoring.extract.mentions import Known, Mention, find_mentions
from scoring.extract.parentheses import acronyms, blank, bracket_triples, bracketed
from scoring.extract.parsing import masked
from scoring.extract.patterns import pattern_triples
from scoring.extract.references import Referents
from scoring.extract.rules import dependency_triples
from scoring.types import Triple

if TYPE_CHECKING:
    from spacy.tokens import Doc

_REFERS = re.compile(r"(?:it|its|he|she|his|her|they|their|this|these)\b", re.IGNORECASE)
#: Sentences parsed together, which is about twice as fast as one by one.
_BATCH = 64


#: Passages that are remembered; a batch of questions reads many more.
KEPT = 256


@dataclass(frozen=True)
class Fact:
    """``subject relation object``, as one cited sentence states it; references are resolved."""

    subject: str
    relation: str
    object: str
    cite: Cite


@dataclass(frozen=True)
class Sentence:
    """One sentence of a passage.

    :param key: its normal form between spaces, to look for names in; :param means: its content words.
    :param labels: the parser's label (``PERSON``, ``GPE``, ...) of a mention, by its normal form.
    :param heading: whether it is a heading; :param above: the content words of the headings that it stands under,
        the document's title among them.
    :param phrases: its noun phrases without their article, and ``doc`` its parse with the same offsets, where a
        parser serves its language.
    """

    text: str
    cite: Cite
    mentions: tuple[Mention, ...]
    facts: tuple[Fact, ...]
    key: str
    means: frozenset[str]
    labels: Mapping[str, str] = field(hash=False, compare=False)
    heading: bool = False
    above: frozenset[str] = frozenset()
    phrases: tuple[Mention, ...] = ()
    doc: Doc | None = field(default=None, hash=False, compare=False, repr=False)

    @property
    def refers(self) -> bool:
        """Whether it begins with a word for something that was named before."""
        return _REFERS.match(self.text) is not None


_Key = tuple[int, str, tuple[str, ...], tuple[str, ...]]


class Reader:
    """Reads passages, each of them once beside the same titles that it names."""

    def __init__(self) -> None:
        self._known: dict[_Key, tuple[Sentence, ...]] = {}

    def read(
        self, passages: Sequence[OfferedPassage], beside: Sequence[OfferedPassage] = ()
    ) -> list[tuple[Sentence, ...]]:
        """Return the sentences of each passage, in order; titles of those ``beside`` them are names, too."""
        offered = [*passages, *beside]
        titles = list(dict.fromkeys(bare for one in offered if " " in (bare := bare_title(one.title))))
        keys = [_key(passage, titles) for passage in passages]
        fresh = {key: one for key, one in zip(keys, passages, strict=True) if key not in self._known}
        for key, sentences in zip(fresh, _read(list(fresh.items())), strict=True):
            self._known[key] = sentences
        found = [self._known[key] for key in keys]
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return found


def _key(passage: OfferedPassage, titles: Sequence[str]) -> _Key:
    """All that a reading depends on: the passage, and which of the titles at hand stand in it."""
    text = " ".join(passage.sentences).casefold()
    named = tuple(sorted(title for title in titles if title.casefold() in text))
    return passage.number, passage.title, passage.sentences, named


def _read(passages: Sequence[tuple[_Key, OfferedPassage]]) -> list[tuple[Sentence, ...]]:
    texts = [[without_markup(sentence) for sentence in passage.sentences] for _, passage in passages]
    known = [_names_of(passage, own, key[-1]) for (key, passage), own in zip(passages, texts, strict=True)]
    english = [is_english(own) for own in texts]
    parser = english_parser() if any(english) else None
    wanted = [
        masked(text, names)
        for own, names, fits in zip(texts, known, english, strict=True)
        for text in own
        if fits and parser is not None
    ]
    parses = iter(parser.pipe(wanted, batch_size=_BATCH)) if parser is not None else iter(())
    return [
        _sentences(passage, own, names, [next(parses) if fits and parser is not None else None for _ in own])
        for (_, passage), own, names, fits in zip(passages, texts, known, english, strict=True)
    ]


def _names_of(passage: OfferedPassage, texts: Sequence[str], titles: Sequence[str]) -> Known:
    """The passage's own title, the names it spells out, and the other ``titles`` that stand in it."""
    spelled = [name for text in texts for pair in acronyms(text) for name in pair]
    return Known([passage.title, bare_title(passage.title), *spelled, *titles])


def _sentences(
    passage: OfferedPassage, texts: Sequence[str], known: Known, docs: Sequence[Doc | None]
) -> tuple[Sentence, ...]:
    referents, found, persons = Referents(), [], set[str]()
    headings = {0: meanings(passage.title)}
    for number, (text, doc) in enumerate(zip(texts, docs, strict=True), start=1):
        mentions = find_mentions(text, known, doc)
        persons |= {name_key(one.text) for one in mentions if one.kind == "person"}
        triples = _triples(text, doc, mentions)
        coreferences = referents.resolve(triples, mentions, passage.title)
        referents.remember(text, triples, mentions, coreferences, persons)
        named = {one.mention: one.entity for one in coreferences}
        cite = Cite(passage=passage.number, sentence=number)
        facts = tuple(
            Fact(
                _resolved(named.get(triple.subject, triple.subject), passage.title),
                triple.relation,
                _resolved(named.get(triple.object, triple.object), passage.title),
                cite,
            )
            for triple in triples
            if not triple.negated
        )
        labels = {name_key(text[one.start_char : one.end_char]): one.label_ for one in (doc.ents if doc else ())}
        key, means = f" {name_key(text)} ", frozenset(meanings(text))
        level = heading_level(passage.sentences[number - 1])
        if level:
            headings = {depth: own for depth, own in headings.items() if depth < level} | {level: means}
        above = frozenset().union(*headings.values())
        found.append(
            Sentence(
                text, cite, tuple(mentions), facts, key, means, labels, level > 0, above, _phrases(text, doc), doc
            )
        )
    return tuple(found)


def heading_level(sentence: str) -> int:
    """Return how deep a Markdown heading is, from 1; 0 for any other sentence."""
    marks = len(sentence) - len(sentence.lstrip("#"))
    return marks if sentence[marks : marks + 1] == " " else 0


def _phrases(text: str, doc: Doc | None) -> tuple[Mention, ...]:
    found = []
    for chunk in doc.noun_chunks if doc is not None else ():
        tokens = [token for token in chunk if token.pos_ not in ("DET", "PRON", "PUNCT")]
        if tokens:
            start, end = tokens[0].idx, tokens[-1].idx + len(tokens[-1])
            found.append(Mention(text[start:end], start, end))
    return tuple(found)


def _triples(text: str, doc: Doc | None, mentions: Sequence[Mention]) -> list[Triple]:
    spans = bracketed(text)
    outside = [one for one in mentions if not any(start < one.start < end for start, end in spans)]
    triples = dependency_triples(doc, outside) if doc is not None else pattern_triples(blank(text), outside)
    return list(dict.fromkeys([*triples, *bracket_triples(text, mentions)]))


def _resolved(mention: str, title: str) -> str:
    """The title's own spelling where the mention is the title."""
    return bare_title(title) if name_key(mention) == name_key(bare_title(title)) else mention
