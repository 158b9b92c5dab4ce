"""The sentences of the evidence that are worth quoting for a question, whether or not it is answered.

Each sentence is weighed by a fitted model of a few signals: where it stands, what it shares with the
question, which passages it links, and how likely the answers are that it holds. The best are taken,
with some preference for passages that are not quoted yet: a hard question needs several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pinakes_ask.models.extractive.fitted import shipped
from pinakes_ask.models.extractive.pages import page_signals, share_of, shared_weights
from pinakes_ask.models.extractive.think import Option, Thought
from pinakes_ask.tasks import Cite

#: Only these first passages are quoted beside the route to the answer.
QUOTED = 6


def weighed(thought: Thought) -> list[tuple[Cite, dict[str, float]]]:
    """Return the sentences of the first :data:`QUOTED` passages with their signals."""
    weights = shared_weights(thought.asked.means, thought.pages)
    steps, whole = _held(thought.options, "by_steps"), _held(thought.options, "as_whole")
    top = max(thought.options, key=lambda one: one.by_steps, default=None)
    found = []
    for page in thought.pages[:QUOTED]:
        common = page_signals(thought.asked, page, thought.pages, weights)
        others = [one.key for one in thought.pages[:QUOTED] if one is not page and one.key]
        for position, sentence in enumerate(page.sentences):
            key = sentence.key
            signals = dict(common)
            signals["opening"] = float(position == 0)
            signals["early"] = 1.0 / (1 + position)
            signals["overlap"] = share_of(thought.asked.means & sentence.means, weights)
            signals["named"] = float(any(f" {name} " in key for name in thought.asked.keys))
            signals["links"] = float(sum(f" {one} " in key for one in others) > 0)
            signals["steps"] = steps.get(sentence.cite, 0.0)
            signals["whole"] = whole.get(sentence.cite, 0.0)
            signals["route"] = float(top is not None and sentence.cite in top.cites)
            signals["length"] = math.log(1 + len(sentence.text.split()))
            signals["headed"] = share_of(thought.asked.means & sentence.above, weights)
            found.append((sentence.cite, signals))
    return found


def speaks_of(thought: Thought) -> bool:
    """Whether anything that was read has a word or a name of the question; True where it could not be parsed."""
    asked = thought.asked
    return not thought.parsed or any(
        asked.means & sentence.means or any(f" {key} " in f"{sentence.key} {page.key} " for key in asked.keys)
        for page in thought.pages
        for sentence in page.sentences
    )


def _held(options: Sequence[Option], share: str) -> dict[Cite, float]:
    """The shares of the answers that each sentence bears."""
    held: dict[Cite, float] = {}
    for option in options:
        if option.cites:
            held[option.cites[-1]] = held.get(option.cites[-1], 0.0) + getattr(option, share)
    return held


def trimmed(route: Sequence[Cite], max_statements: int, max_words: int, length: Mapping[Cite, int]) -> list[Cite]:
    """Return ``route`` within both limits; too long, it loses what stands before its last sentence, the answer."""
    kept = list(dict.fromkeys(route))
    while len(kept) > 1 and (len(kept) > max_statements or sum(length[cite] for cite in kept) > max_words):
        del kept[-2]
    return kept


def digest(
    thought: Thought, route: Sequence[Cite], max_statements: int, max_words: int, length: Mapping[Cite, int]
) -> list[Cite]:
    """Return ``route`` and then the best other sentences, best first, within both limits.

    :param length: words of each sentence.
    """
    fitted = shipped()
    scores = {cite: fitted.digest(signals) for cite, signals in weighed(thought)}
    chosen = trimmed(route, max_statements, max_words, length)
    words = sum(length[cite] for cite in chosen)
    while len(chosen) < max_statements:
        quoted = {cite.passage for cite in chosen}
        left = [cite for cite in scores if cite not in chosen and words + length[cite] <= max_words]
        if not left:
            break
        best = max(left, key=lambda cite: scores[cite] + fitted.fresh * (cite.passage not in quoted))
        chosen.append(best)
        words += length[best]
    return chosen
