"""The signals of one possible answer. None of them knows a relation or a wording.

They ask where the mention stands: in what kind of fact, beside which words of the question, in which place of its
sentence, under which headings, and of what kind it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.candidates import gender_fits, same_thing
from pinakes_ask.models.extractive.contain import WIDE, is_other_sort
from pinakes_ask.models.extractive.gaps import Span
from pinakes_ask.models.extractive.hedges import unreal
from pinakes_ask.models.extractive.kinds import Kind
from pinakes_ask.models.extractive.pages import Page, named_in, said_at, share_of
from pinakes_ask.models.extractive.parents import parent_order
from pinakes_ask.models.extractive.possible import Possible, asks_for_land
from pinakes_ask.models.extractive.reading import Fact, Sentence
from pinakes_ask.models.extractive.relations import agreement, meanings
from pinakes_ask.models.extractive.sorts import is_sort, kind_of
from retrieval.text import find_names, name_key, words
from scoring.extract.mentions import Mention

#: Words on either side of a mention that count as near it.
_NEAR = 8


def of_sentence(asked: Asked, page: Page, position: int, weights: Mapping[str, float]) -> dict[str, float]:
    """What the sentence shares with the question: by itself, by the one before it, and by its headings."""
    sentence = page.sentences[position]
    before = page.sentences[position - 1] if position else None
    return {
        "opening": float(position == 0),
        "early": 1.0 / (1 + position),
        "named": named_in(asked, sentence),
        "overlap": share_of(asked.means & sentence.means, weights),
        "covered": len(asked.says & said_at(page, position)) / len(asked.says) if asked.says else 0.0,
        "headed": share_of(asked.means & sentence.above, weights),
        "before": share_of(asked.means & before.means, weights) if before else 0.0,
        "named_before": named_in(asked, before) if before else 0.0,
    }


@lru_cache(maxsize=65536)
def has_name(text: str) -> bool:
    """Return whether a name stands in ``text``."""
    return bool(find_names(text))


def of_fact(asked: Asked, names: Sequence[str], key: str, facts: Sequence[Fact]) -> dict[str, float]:
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


def of_mention(
    asked: Asked, mention: Mention, sentence: Sentence, own: Page | None, weights: Mapping[str, float]
) -> dict[str, float]:
    """What stands around the mention, and whether it is of the asked kind; ``own`` is the page about it."""
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
    right_sort = bool(asked.noun) and (is_sort(asked.noun, sort) or asked.noun in beside)
    return {
        "near": share_of(asked.means & near, weights),
        "close": share_of(asked.means & close, weights),
        "right_kind": float(kind is asked.kind or land),
        "wrong_kind": float(kind not in (None, asked.kind) and asked.kind is not Kind.THING and not land),
        "thing_person": float(asked.kind is Kind.THING and kind is Kind.PERSON),
        "thing_place": float(asked.kind is Kind.THING and kind is Kind.PLACE),
        "thing_value": float(asked.kind is Kind.THING and kind in (Kind.DATE, Kind.NUMBER)),
        "thing_name": float(asked.kind is Kind.THING and has_name(mention.text)),
        "right_sort": float(right_sort),
        # Texts mostly name the town, so that what nothing calls an island hardly is one.
        "unsorted": float(asked.kind is Kind.PLACE and asked.noun in WIDE and not (land or right_sort)),
        "wrong_sort": float(asked.kind is Kind.PLACE and not land and is_other_sort(asked.noun, sort)),
        "asked": float(within),
        "other_gender": float(own is not None and not gender_fits(asked.question, own.text)),
        "words": math.log(1 + len(mention.text.split())),
        "exact": float(mention.kind == "date" and len(mention.text.split()) > 1),
    }


def of_form(asked: Asked, one: Possible, sentence: Sentence, spans: Sequence[Span]) -> dict[str, float]:
    """How the span was found, and how it lies to those that fill the question's gap."""
    here = one.mention.start, one.mention.end
    return {
        "phrase": float(one.form == "phrase"),
        "joined": float(one.form == "joined"),
        "filled": float(one.form == "filled"),
        "fills": float(any(start < here[1] and here[0] < end for start, end in spans)),
        "partial": float(any(span != here and span[0] <= here[0] and here[1] <= span[1] for span in spans)),
        "unreal": float(sentence.doc is not None and unreal(sentence.text, sentence.doc, here[0], asked.question)),
        "sorted": _of_sort(asked, one.mention, sentence),
    }


def _of_sort(asked: Asked, mention: Mention, sentence: Sentence) -> float:
    """Whether the noun of "which *hotel*" is part of the mention, or stands beside it."""
    if asked.gap is None or not asked.gap.sort:
        return 0.0
    before, after = sentence.text[: mention.start].split()[-2:], sentence.text[mention.end :].split()[:1]
    beside = meanings(mention.text) | meanings(" ".join(before)) | meanings(" ".join(after))
    return float(bool(asked.gap.sort & beside))
