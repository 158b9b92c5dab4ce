"""How well each mention in the evidence is supported as the answer: a few signals, weighed by a fitted model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.candidates import fits
from pinakes_ask.models.extractive.gaps import Span, filling
from pinakes_ask.models.extractive.kinds import Kind
from pinakes_ask.models.extractive.pages import Page, bridge_to, headed_by, is_about, shared_weights
from pinakes_ask.models.extractive.possible import Possible, possible
from pinakes_ask.models.extractive.reading import Sentence
from pinakes_ask.models.extractive.signals import of_fact, of_form, of_mention, of_sentence
from pinakes_ask.tasks import Cite
from retrieval.text import name_key, parse_date, parse_number
from scoring.extract.mentions import Mention


@dataclass(frozen=True)
class Support:
    """A mention as a possible answer, and its signals."""

    answer: str
    key: str
    cite: Cite
    bridge: Cite | None
    signals: dict[str, float]


def supports(asked: Asked, pages: Sequence[Page]) -> list[Support]:
    """Return every mention in ``pages`` that can be of the asked kind, with its signals."""
    weights = shared_weights(asked.means, pages)
    about = {page.passage.number for page in pages if any(is_about(page, name) for name in asked.names)}
    names = tuple(dict.fromkeys([*asked.names, *(one.title for one in pages if one.passage.number in about)]))
    by_key: dict[str, Page] = {}
    for page in pages:
        by_key.setdefault(page.key, page)
    spread = _spread(pages)
    found: list[Support] = []
    for page in pages:
        bridge, bridge_cite = bridge_to(asked, page, pages, weights, about)
        of_page = {
            "titled": float(page.passage.number in about),
            "place": 1.0 / (1 + page.place),
            "headed_by": headed_by(asked, page),
            "bridged": float(bridge_cite is not None),
            "bridge": bridge,
        }
        for position, sentence in enumerate(page.sentences):
            common = of_page | of_sentence(asked, page, position, weights)
            spans = _filling(asked, sentence)
            for one in _possible(asked, sentence, spans):
                mention = one.mention
                key = name_key(mention.text)
                own = by_key.get(key)
                signals = common | of_fact(asked, names, key, sentence.facts)
                signals |= of_mention(asked, mention, sentence, own, weights)
                signals |= of_form(asked, one, sentence, spans)
                signals["subject"] = float(key == page.key)
                led = float(own is not None and own is not page)
                signals["own_page"] = led * asked.final
                signals["leads"] = led * (1 - asked.final)
                signals["spread"] = math.log(max(1, spread[key]))
                signals["fills*overlap"] = signals["fills"] * signals["overlap"]
                signals["fact*titled"] = signals["relation"] * signals["titled"]
                signals["fact*bridge"] = signals["relation"] * bridge
                found.append(Support(mention.text, key, sentence.cite, bridge_cite, signals))
    return found


def _filling(asked: Asked, sentence: Sentence) -> list[Span]:
    """The spans that stand in the sentence as the answer does in the question, where it speaks of the same."""
    if asked.gap is None or not asked.means & sentence.means:
        return []
    return filling(asked.gap, asked.means, asked.keys, sentence)


def _possible(asked: Asked, sentence: Sentence, spans: Sequence[Span]) -> list[Possible]:
    """The mentions that can be of the asked kind, and the filling spans that are no mention: "an attic"."""
    found = possible(asked, sentence)
    known = {(one.mention.start, one.mention.end) for one in found}
    return found + [
        Possible(Mention(sentence.text[start:end], start, end), "filled")
        for start, end in dict.fromkeys(spans)
        if (start, end) not in known and _can_be(sentence.text[start:end], asked.kind)
    ]


def _can_be(text: str, kind: Kind) -> bool:
    """Whether a phrase can be of a kind; a place need not be named, a person is."""
    if kind in (Kind.DATE, Kind.NUMBER, Kind.PERSON):
        return fits(text, kind)
    return parse_date(text) is None and (kind is Kind.THING or parse_number(text) is None)


def _spread(pages: Sequence[Page]) -> Counter[str]:
    """In how many passages each mention stands."""
    spread: Counter[str] = Counter()
    for page in pages:
        spread.update({name_key(one.text) for sentence in page.sentences for one in sentence.mentions})
    return spread
