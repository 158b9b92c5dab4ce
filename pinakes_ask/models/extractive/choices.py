"""Questions whose answer stands in the question, or is yes or no: values compared, alternatives weighed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from pinakes_ask.models.extractive.compare import Comparison, decide
from pinakes_ask.models.extractive.question import ParsedQuestion
from pinakes_ask.models.extractive.relations import meanings
from pinakes_ask.models.extractive.routes import Follower, Route
from pinakes_ask.models.extractive.support import Asked, Page, is_about
from pinakes_ask.tasks import Cite, PlannedQuestion
from retrieval.text import Mention

#: Values of each branch that are compared.
_VALUES = 3


def compared(comparison: Comparison, follower: Follower) -> list[tuple[str, float, tuple[Cite, ...]]]:
    """Return ``(answer, share, cites)`` of what the likeliest values of the branches decide, likeliest first."""
    branches = [follower.follow(_branch(comparison, name))[:_VALUES] for name in comparison.names]
    shares: dict[str, float] = {}
    cites: dict[str, tuple[Cite, ...]] = {}
    combined = sorted(product(*branches), key=lambda values: -_share(values))
    for values in combined:
        answer = decide(comparison, [value.answer for value in values])
        if answer is not None:
            shares[answer] = shares.get(answer, 0.0) + _share(values)
            cites.setdefault(answer, tuple(dict.fromkeys(cite for value in values for cite in value.cites)))
    return [(answer, share, cites[answer]) for answer, share in sorted(shares.items(), key=lambda one: -one[1])]


def _share(values: Sequence[Route]) -> float:
    share = 1.0
    for value in values:
        share *= value.share
    return share


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
