"""The passages that were read, and how each is tied to what is asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.candidates import same_thing
from pinakes_ask.models.extractive.reading import Reader, Sentence
from pinakes_ask.models.extractive.sorts import defined_as
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import bare_title, name_key
from scoring.extract.references import stands_for_title


@dataclass(frozen=True)
class Page:
    """A passage that was read, without its headings: they are no sentences, and a note's title is no name.

    ``place`` is its rank, from 0; ``sort`` what it says that its subject is.
    """

    passage: OfferedPassage
    place: int
    title: str
    key: str
    sort: str
    sentences: tuple[Sentence, ...]
    text: str


def pages_of(passages: Sequence[OfferedPassage], reader: Reader) -> list[Page]:
    """Read ``passages``; their rank is the order of their numbers."""
    ordered = sorted(passages, key=lambda passage: passage.number)
    return [
        Page(
            one,
            place,
            bare_title(one.title),
            name_key(bare_title(one.title)),
            defined_as(read),
            read,
            " ".join(sentence.text for sentence in read),
        )
        for place, (one, read) in enumerate(zip(ordered, map(_told, reader.read(ordered)), strict=True))
    ]


def _told(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    return tuple(one for one in sentences if not one.heading)


def is_about(page: Page, name: str) -> bool:
    """Return whether ``name`` is what the page is about: its title, or a form of it of several words."""
    return same_thing(page.title, name) or (" " in name.strip() and stands_for_title(name, page.title))


def page_signals(
    asked: Asked, page: Page, pages: Sequence[Page], weights: Mapping[str, float]
) -> dict[str, float]:
    """Return how a page is tied to the question: what it is about, its rank, and what leads to it."""
    about = {one.passage.number for one in pages if any(is_about(one, name) for name in asked.names)}
    bridge, cite = bridge_to(asked, page, pages, weights, about)
    return {
        "titled": float(page.passage.number in about),
        "place": 1.0 / (1 + page.place),
        "bridged": float(cite is not None),
        "bridge": bridge,
    }


def shared_weights(means: frozenset[str], pages: Sequence[Page]) -> dict[str, float]:
    """Weigh each asked word by how rare it is among the sentences."""
    counts: Counter[str] = Counter()
    total = 0
    for page in pages:
        for sentence in page.sentences:
            total += 1
            counts.update(means & sentence.means)
    return {word: math.log((1 + total) / (0.5 + counts[word])) for word in means}


def share_of(shared: frozenset[str] | set[str], weights: Mapping[str, float]) -> float:
    """Return the weight of the ``shared`` words among all asked words, 0 where nothing is asked."""
    total = sum(weights.values())
    return sum(weights[word] for word in shared) / total if total > 0 else 0.0


def said_at(page: Page, position: int) -> frozenset[str]:
    """The words that a sentence says with its headings, and with the one before it where it refers to that."""
    sentence = page.sentences[position]
    before = page.sentences[position - 1].means if position and sentence.refers else frozenset[str]()
    return sentence.means | sentence.above | before


def named_in(asked: Asked, sentence: Sentence) -> float:
    """The share of the question's names that stand in the sentence."""
    keys = [key for key in asked.keys if key]
    return sum(f" {key} " in sentence.key for key in keys) / len(keys) if keys else 0.0


def headed_by(asked: Asked, page: Page) -> float:
    """The share of the question's names that stand in the title of a page, be it about them or not."""
    keys = [key for key in asked.keys if key]
    return sum(f" {key} " in f" {page.key} " for key in keys) / len(keys) if keys else 0.0


def bridge_to(
    asked: Asked, page: Page, pages: Sequence[Page], weights: Mapping[str, float], about: set[int]
) -> tuple[float, Cite | None]:
    """The sentence elsewhere that names this page's subject and is tied to the question, and what it shares."""
    best, cite = -1.0, None
    if not page.key:
        return 0.0, None
    for other in pages:
        if other is page or other.key == page.key:
            continue
        titled = other.passage.number in about
        for sentence in other.sentences:
            if f" {page.key} " not in sentence.key:
                continue
            if titled or named_in(asked, sentence):
                share = share_of(asked.means & sentence.means, weights)
                if share > best:
                    best, cite = share, sentence.cite
    return max(best, 0.0), cite
