"""How well each mention in the evidence is supported as the answer: a few signals, weighed by a fitted model.

No signal knows a relation or a wording. They ask where the mention stands: in what kind of fact, beside
which words of the question, how it is tied to what the question names, and of what kind it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.candidates import gender_fits, same_thing
from pinakes_ask.models.extractive.facts import other_names
from pinakes_ask.models.extractive.kinds import Kind, asked_noun, question_kind, without_sort
from pinakes_ask.models.extractive.parents import parent_order
from pinakes_ask.models.extractive.possible import asks_for_land, possible
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.reading import Fact, Reader, Sentence
from pinakes_ask.models.extractive.relations import agreement, meanings
from pinakes_ask.models.extractive.sorts import defined_as, is_sort, kind_of
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.text import bare_title, find_names, name_key, words
from scoring.extract.mentions import Mention
from scoring.extract.references import stands_for_title

#: Words on either side of a mention that count as near it.
_NEAR = 8


@dataclass(frozen=True)
class Asked:
    """What a question or one step of it asks.

    :param names: what it names, with the aliases that the evidence declares; :param keys: their normal forms.
    :param words: its words beside the names and the noun that says the answer's sort.
    """

    question: str
    words: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    kind: Kind
    noun: str
    means: frozenset[str]
    final: bool = True

    @classmethod
    def of(
        cls, question: str, passages: Sequence[OfferedPassage], *, final: bool = True, known: Sequence[str] = ()
    ) -> Asked:
        """Read ``question`` beside the evidence.

        :param final: unless its answer only leads on; :param known: answers of earlier steps that it names.
        """
        parsed = read_question(question, [*known, *(passage.title for passage in passages)], parse=False)
        names = [mention.text for mention in parsed.names]
        for group in other_names(passages):
            if any(same_thing(one, name) for one in group for name in names):
                names.extend(group)
        named = tuple(dict.fromkeys(names))
        asked = without_sort(parsed.without_names())
        return cls(
            question,
            asked,
            named,
            tuple(name_key(bare_title(name)) for name in named),
            question_kind(question),
            asked_noun(question),
            frozenset(meanings(asked)),
            final,
        )


@dataclass(frozen=True)
class Page:
    """A passage that was read. ``place`` is its rank, from 0; ``sort`` what it says that its subject is."""

    passage: OfferedPassage
    place: int
    title: str
    key: str
    sort: str
    sentences: tuple[Sentence, ...]
    text: str


@dataclass(frozen=True)
class Support:
    """A mention as a possible answer, and its signals."""

    answer: str
    key: str
    cite: Cite
    bridge: Cite | None
    signals: dict[str, float]


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
        for place, (one, read) in enumerate(zip(ordered, reader.read(ordered), strict=True))
    ]


def is_about(page: Page, name: str) -> bool:
    """Return whether ``name`` is what the page is about: its title, or a form of it of several words."""
    return same_thing(page.title, name) or (" " in name.strip() and stands_for_title(name, page.title))


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
        bridge, bridge_cite = _bridge(asked, page, pages, weights, about)
        for position, sentence in enumerate(page.sentences):
            common = {
                "titled": float(titled),
                "place": 1.0 / (1 + page.place),
                "opening": float(position == 0),
                "early": 1.0 / (1 + position),
                "named": _named(asked, sentence),
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


def page_signals(
    asked: Asked, page: Page, pages: Sequence[Page], weights: Mapping[str, float]
) -> dict[str, float]:
    """Return how a page is tied to the question: what it is about, its rank, and what leads to it."""
    about = {one.passage.number for one in pages if any(is_about(one, name) for name in asked.names)}
    bridge, cite = _bridge(asked, page, pages, weights, about)
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


def _spread(pages: Sequence[Page]) -> Counter[str]:
    """In how many passages each mention stands."""
    spread: Counter[str] = Counter()
    for page in pages:
        spread.update({name_key(one.text) for sentence in page.sentences for one in sentence.mentions})
    return spread


def _named(asked: Asked, sentence: Sentence) -> float:
    """The share of the question's names that stand in the sentence."""
    keys = [key for key in asked.keys if key]
    return sum(f" {key} " in sentence.key for key in keys) / len(keys) if keys else 0.0


def _bridge(
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
            if titled or _named(asked, sentence):
                share = share_of(asked.means & sentence.means, weights)
                if share > best:
                    best, cite = share, sentence.cite
    return max(best, 0.0), cite


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
        "thing_name": float(asked.kind is Kind.THING and bool(find_names(mention.text))),
        "right_sort": float(bool(asked.noun) and (is_sort(asked.noun, sort) or asked.noun in beside)),
        "wrong_sort": float(bool(asked.noun and sort) and not is_sort(asked.noun, sort)),
        "asked": float(within),
        "other_gender": float(own is not None and not gender_fits(asked.question, own.text)),
        "words": math.log(1 + len(mention.text.split())),
        "exact": float(mention.kind == "date" and len(mention.text.split()) > 1),
    }
