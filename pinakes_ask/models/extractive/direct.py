"""A sentence that says what is asked in the question's words: "Who built the mill?", "The mill was built by X."

The sentence, with its document's title, must hold every word that the question asks by, and the answer must stand
where the question has its question word: as the subject, the object, or behind the same preposition. That is
strict, so that what it finds is mostly right; where two such sentences disagree it finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pinakes_ask.models.extractive.asking import Gap, gap_of
from pinakes_ask.models.extractive.candidates import Candidate, fits
from pinakes_ask.models.extractive.gaps import filling
from pinakes_ask.models.extractive.hedges import denies, supposes
from pinakes_ask.models.extractive.kinds import Kind, question_kind
from pinakes_ask.models.extractive.question import ParsedQuestion
from pinakes_ask.models.extractive.reading import Reader, Sentence
from pinakes_ask.models.extractive.relations import contradicts, meanings
from pinakes_ask.tasks import OfferedPassage
from retrieval.text import bare_title, name_key

_OWNER = re.compile(r"['\u2019]s?\s")


@dataclass(frozen=True)
class _Asked:
    """What a sentence must say: words by their meaning, names by their normal form, and an answer in its place."""

    question: str
    means: frozenset[str]
    names: tuple[str, ...]
    kind: Kind
    gap: Gap


def direct(parsed: ParsedQuestion, passages: Sequence[OfferedPassage], reader: Reader) -> Candidate | None:
    """Return the answer that a sentence states in the question's words; None where none does, or two disagree."""
    gap = gap_of(parsed)
    kind = question_kind(parsed.text)
    if gap is None or kind is Kind.YES_NO or denies(parsed.text):
        return None
    bare = parsed.without_names()
    means = meanings(bare) - gap.sort
    if not means:
        return None
    asked = _Asked(bare, means, tuple(name_key(one.text) for one in parsed.names), kind, gap)
    found = [
        one
        for passage, sentences in zip(passages, reader.read(passages), strict=True)
        for one in _of_passage(asked, passage, sentences)
    ]
    return found[0] if len({name_key(one.answer) for one in found}) == 1 else None


def _of_passage(asked: _Asked, passage: OfferedPassage, sentences: Sequence[Sentence]) -> Iterator[Candidate]:
    title = name_key(bare_title(passage.title))
    naming: Sentence | None = None
    for sentence in sentences:
        refers = naming is not None and sentence.refers
        missing = [one for one in asked.names if f" {one} " not in f"{sentence.key} {title} "]
        named = not missing or (refers and naming is not None and all(f" {one} " in naming.key for one in missing))
        said = asked.means <= sentence.means | sentence.above and bool(asked.means & sentence.means)
        if named and said and _tells(asked, sentence):
            # A reader needs the sentence that says who "she" is.
            before = (naming.cite,) if missing and naming is not None else ()
            yield from (replace(one, cites=(*before, *one.cites)) for one in _answers(asked, sentence))
        naming = naming if refers else sentence


def _tells(asked: _Asked, sentence: Sentence) -> bool:
    """Whether it tells of what is asked, and neither denies it nor speaks of another time of it."""
    told = not asked.gap.verb or asked.gap.verb in sentence.means
    return (
        told
        and not supposes(sentence.text, asked.question)
        and not denies(sentence.text)
        and not contradicts(asked.question, sentence.text)
    )


def _answers(asked: _Asked, sentence: Sentence) -> Iterator[Candidate]:
    spans = filling(asked.gap, asked.means, asked.names, sentence)
    texts = {name_key(sentence.text[start:end]): sentence.text[start:end] for start, end in spans}
    fresh = [key for key in texts if key and not any(f" {key} " in f" {name} " for name in asked.names)]
    if len(fresh) == 1 and (asked.kind is not Kind.PERSON or _is_name(texts[fresh[0]])):
        yield Candidate(texts[fresh[0]], (sentence.cite,), 1.0, told=True)


def _is_name(text: str) -> bool:
    """Whether a person is named, and not by somebody else ("Anna's aunt")."""
    return fits(text, Kind.PERSON) and not _OWNER.search(text)
