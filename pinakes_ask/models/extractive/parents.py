"""Which of two parents in one sentence is meant."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.models.extractive.reading import Fact
from retrieval.text import words


def parent_order(asked: str, position: int, facts: Sequence[Fact]) -> float:
    """Return less than 1 where the fact at ``position`` names the parent that ``asked`` does not ask for.

    English names the father first: "the son of A and B" makes A the father and B the mother.
    """
    asks_father, asks_mother = (word in words(asked) for word in ("father", "mother"))
    if asks_father == asks_mother:
        return 1.0
    before = position > 0 and _both_parents(facts[position - 1], facts[position])
    after = position + 1 < len(facts) and _both_parents(facts[position], facts[position + 1])
    misplaced = (asks_mother and after and not before) or (asks_father and before)
    return 0.9 if misplaced else 1.0


def _both_parents(left: Fact, right: Fact) -> bool:
    """Whether two facts are one sentence's "child of A and B"."""
    said = set(words(left.relation)) & set(words(right.relation)) & {"son", "daughter", "child"}
    return bool(said) and (left.subject, left.cite) == (right.subject, right.cite)
