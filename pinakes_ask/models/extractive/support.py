"""How well each mention in the evidence is supported as the answer: a few signals, weighed by a fitted model.

No signal knows a relation or a wording. They ask where the mention stands: in what kind of fact, beside
which words of the question, how it is tied to what the question names, and of what kind it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.candidates import gender_fits, same_thing
from pinakes_ask.models.extractive.contain import is_other_sort
from pinakes_ask.models.extractive.kinds import Kind
from pinakes_ask.models.extractive.pages import Page, bridge_to, is_about, named_in, share_of, shared_weights
from pinakes_ask.models.extractive.parents import parent_order
from pinakes_ask.models.extractive.possible import asks_for_land, possible
from pinakes_ask.models.extractive.reading import Fact, Sentence
from pinakes_ask.models.extractive.relations import agreement, meanings
from pinakes_ask.models.extractive.sorts import is_sort, kind_of
from pinakes_ask.tasks import Cite
from retrieval.text import find_names, name_key, words
from scoring.extract.mentions import Mention

#: Words on either side of a mention that count as near it.
_NEAR = 8


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
        titled = page.passage.number in about
        bridge, bridge_cite = bridge_to(asked, page, pages, weights, about)
        for position, sentence in enumerate(page.sentences):
            common = {
                "titled": float(titled),
                "place": 1.0 / (1 + page.place),
                "opening": float(position == 0),
                "early": 1.0 / (1 + position),
                "named": named_in(asked, sentence),
                "overlap": share_of(asked.means & sentence.means, weights),
                "bridged": float(bridge_cite is not None),
                "bridge": bridge,
            }
            for one in possible(asked, sentence):
                mention = one.mention
                key = name_key(mention.text)
                own = by_key.get(key)
                signals = dict(common)
                signals.update(_of_fact(asked, names, key, sentence.facts))
                signals.update(_of_mention(asked, mention, sentence, own, weights))
                signals["phrase"] = float(one.form == "phrase")
                signals["joined"] = float(one.form == "joined")
                signals["subject"] = float(key == page.key)
                led = float(own is not None and own is not page)
                signals["own_page"] = led * asked.final
                signals["leads"] = led * (1 - asked.final)
                signals["spread"] = math.log(max(1, spread[key]))
                signals["fact*titled"] = signals["relation"] * float(titled)
                signals["fact*bridge"] = signals["relation"] * bridge
                found.append(Support(mention.text, key, sentence.cite, bridge_cite, signals))
    return found


def _spread(pages: Sequence[Page]) -> Counter[str]:
    """In how many passages each mention stands."""
    spread: Counter[str] = Counter()
    for page in pages:
        spread.update({name_key(one.text) for sentence in page.sentences for one in sentence.mentions})
    return spread


@lru_cache(maxsize=65536)
def has_name(text: str) -> bool:
    """Return whether a name stands in ``text``."""
    return bool(find_names(text))


def _of_fact(asked: Asked, names: Sequence[str], key: str, facts: Sequence[Fact]) -> dict[str, float]:
    """How far a fact ties the mention to what is named, and how far its relation is the asked one."""
    tied, relation, order = 0.0, 0.0, 1.0
    for position, fact in enumerate(facts):
        for known, other, direction in (
            (fact.subject, fact.object, "forward"),
            (fact.object, fact.subject, "backward"),
        ):
            if name_key(other) != key:
                continue
            strength = agreement(asked.words, fact.relation, direction)
            relation = max(relation, strength)
            if any(same_thing(known, name) for name in names):
                tied = max(tied, 0.2 + 0.8 * strength)
                order = min(order, parent_order(asked.words, position, facts))
    return {"tied": tied, "relation": relation, "misplaced": float(order < 1.0)}


def _of_mention(
    asked: Asked, mention: Mention, sentence: Sentence, own: Page | None, weights: Mapping[str, float]
) -> dict[str, float]:
    key = name_key(mention.text)
    before = sentence.text[: mention.start].split()[-_NEAR:]
    after = sentence.text[mention.end :].split()[:_NEAR]
    near = meanings(" ".join(before)) | meanings(" ".join(after))
    close = meanings(" ".join(before[-3:])) | meanings(" ".join(after[:2]))
    sort = own.sort if own is not None else ""
    kind = kind_of(mention, sentence, sort)
    land = asks_for_land(asked) and sentence.labels.get(key) in ("NORP", "GPE")
    asked_key = f" {name_key(asked.question)} "
    within = f" {key} " in asked_key or any(
        key.endswith(f" {one}") or one.endswith(f" {key}") for one in asked.keys
    )
    beside = words(" ".join([*before[-3:], *after[:3]]))
    return {
        "near": share_of(asked.means & near, weights),
        "close": share_of(asked.means & close, weights),
        "right_kind": float(kind is asked.kind or land),
        "wrong_kind": float(kind not in (None, asked.kind) and asked.kind is not Kind.THING and not land),
        "thing_name": float(asked.kind is Kind.THING and has_name(mention.text)),
        "right_sort": float(bool(asked.noun) and (is_sort(asked.noun, sort) or asked.noun in beside)),
        "wrong_sort": float(asked.kind is Kind.PLACE and not land and is_other_sort(asked.noun, sort)),
        "asked": float(within),
        "other_gender": float(own is not None and not gender_fits(asked.question, own.text)),
        "words": math.log(1 + len(mention.text.split())),
        "exact": float(mention.kind == "date" and len(mention.text.split()) > 1),
    }
