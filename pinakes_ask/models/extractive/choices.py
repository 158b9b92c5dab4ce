"""Questions whose answer stands in the question, or is yes or no: values compared, alternatives weighed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from pinakes_ask.models.extractive.asked import Asked
from pinakes_ask.models.extractive.compare import Comparison, decide
from pinakes_ask.models.extractive.hedges import denies, supposes
from pinakes_ask.models.extractive.lands import land_key
from pinakes_ask.models.extractive.pages import Page, is_about, said_at, share_of, shared_weights
from pinakes_ask.models.extractive.question import ParsedQuestion
from pinakes_ask.models.extractive.relations import meanings
from pinakes_ask.models.extractive.routes import Follower, Route
from pinakes_ask.tasks import Cite, PlannedQuestion
from retrieval.text import Mention

#: Values of each branch that are compared.
_VALUES = 3
#: Overlap of the values at which "the same" is as likely as not.
_HALF = 0.35


def compared(comparison: Comparison, follower: Follower) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Return ``(answer, share, cites)`` of what the likeliest values of the branches decide, likeliest first."""
    routes = [follower.follow(_branch(comparison, name)) for name in comparison.names]
    if comparison.direction == "same":
        return _sameness(routes)
    branches = [own[:_VALUES] for own in routes]
    shares: dict[str, float] = {}
    cites: dict[str, tuple[Cite, ...]] = {}
    combined = sorted(product(*branches), key=lambda values: -_share(values))
    for values in combined:
        answer = decide(comparison, [value.answer for value in values])
        if answer is not None:
            shares[answer] = shares.get(answer, 0.0) + _share(values)
            cites.setdefault(answer, tuple(dict.fromkeys(cite for value in values for cite in value.cites)))
    return [(answer, share, cites[answer]) for answer, share in sorted(shares.items(), key=lambda one: -one[1])]


def _sameness(branches: Sequence[Sequence[Route]]) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Answer whether the branches agree, by how far their values overlap (the Bhattacharyya coefficient)."""
    if not all(branches):
        return []
    shares: list[dict[str, float]] = []
    for own in branches:
        of: dict[str, float] = {}
        for route in own:
            of[land_key(route.answer)] = of.get(land_key(route.answer), 0.0) + route.share
        total = sum(of.values())
        shares.append({key: share / total for key, share in of.items()})
    common = set.intersection(*(set(of) for of in shares))
    overlap = sum(prod(of[key] for of in shares) ** (1 / len(shares)) for key in common)
    best = max(common, key=lambda key: prod(of[key] for of in shares), default=None)
    shown = [next((one for one in own if land_key(one.answer) == best), own[0]) for own in branches]
    chance = overlap / (overlap + _HALF)
    if chance < 0.5:
        shown = [own[0] for own in branches]
    cites = tuple(dict.fromkeys(cite for route in shown for cite in route.cites))
    both = [("yes", chance, cites), ("no", 1.0 - chance, cites)]
    return sorted(both, key=lambda one: -one[1])


def _share(values: Sequence[Route]) -> float:
    return prod(value.share for value in values)


def _branch(comparison: Comparison, name: Mention) -> tuple[PlannedQuestion, ...]:
    return tuple(
        PlannedQuestion(question=template.replace("{name}", name.text).replace("{0}", "{1}"))
        for template in comparison.chain
    )


def alternatives(
    parsed: ParsedQuestion, names: Sequence[Mention], asked: Asked, pages: Sequence[Page]
) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Weigh the alternatives of an either-or question by how much of what is asked their documents say."""
    said = [(name.text, *_said(name.text, asked.means, pages)) for name in names]
    total = sum(share for _, share, _ in said)
    return sorted(
        ((name, share / total if total else 1.0 / len(said), cites) for name, share, cites in said),
        key=lambda one: -one[1],
    )


def holds_of_all(
    names: Sequence[Mention], asked: Asked, pages: Sequence[Page]
) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Answer whether what is asked holds of every name: by the least share that a document says of it."""
    said = [_said(name.text, asked.means, pages) for name in names]
    if not said or not asked.means:
        return []
    least = min(share for share, _ in said)
    cites = tuple(dict.fromkeys(cite for _, own in said for cite in own))
    chance = min(0.95, max(0.05, least))
    both = [("yes", chance, cites), ("no", 1.0 - chance, cites)]
    return sorted(both, key=lambda one: -one[1])


def holds(asked: Asked, pages: Sequence[Page]) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Answer whether it is as the question says, by the sentence that says most of it, and whether that denies it.

    How much of the question it says, its headings counted in, is how sure that is; nothing is 0.5.
    """
    weights = shared_weights(asked.says, pages)
    best, told, cite = 0.0, True, None
    for page in pages:
        for position, sentence in enumerate(page.sentences):
            share = share_of(asked.says & said_at(page, position), weights)
            if share > best and asked.means & sentence.means and not supposes(sentence.text, asked.question):
                best, told, cite = share, denies(sentence.text) == denies(asked.question), sentence.cite
    if cite is None:
        return []
    answers = ("yes", "no") if told else ("no", "yes")
    return [(answers[0], 0.5 + best / 2, (cite,)), (answers[1], 0.5 - best / 2, (cite,))]


def _said(name: str, means: frozenset[str], pages: Sequence[Page]) -> tuple[float, tuple[Cite, ...]]:
    """The share of the asked words in the documents about ``name``, and the sentence that says most of them."""
    best, share, cite = -1.0, 0.0, None
    for page in pages:
        if not is_about(page, name):
            continue
        share = max(share, len(means & meanings(page.text)) / max(1, len(means)))
        for sentence in page.sentences:
            here = len(means & sentence.means) / max(1, len(means))
            if here > best:
                best, cite = here, sentence.cite
    return share, (cite,) if cite is not None else ()
