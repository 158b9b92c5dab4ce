"""Answers whose scores are known, and random ones, for the property tests."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scoring.types import Branch, Extraction, Proposition, Triple

NAMES = (
    "Lothair I",
    "Lothair II",
    "Ermengarde of Tours",
    "Tours",
    "Mexico",
    "Mexico City",
    "India",
    "Indiana",
    "20 March 851",
    "World Health Organization",
    "The Hague",
    "Atlantic Ocean",
)


def fact(subject: str, relation: str, value: str, **more: Any) -> Proposition:
    """One proposition of one triple."""
    return Proposition(f"{subject} {relation} {value}.", (Triple(subject, relation, value),), **more)


def chain(names: list[str], *extra: Proposition, **more: Any) -> Extraction:
    """The facts that lead from the first name, the question's, to the last, the answer."""
    facts = [fact(a, f"leads {place} to", b) for place, (a, b) in enumerate(itertools.pairwise(names))]
    more.setdefault("form", "chain")
    return Extraction(propositions=(*facts, *extra), question_entities=(names[0],), **more)


def comparison(**more: Any) -> Extraction:
    """Two films, their directors and the directors' births: the older director is film One's."""
    facts = (
        fact("Film One", "was directed by", "Ada Abel"),
        fact("Ada Abel", "was born on", "3 May 1900"),
        fact("Film Two", "was directed by", "Bob Bohr"),
        fact("Bob Bohr", "was born on", "12 June 1950"),
    )
    branches = (Branch("Film One", "3 May 1900"), Branch("Film Two", "12 June 1950"))
    more = {"form": "comparison", "branches": branches, "operator": "least"} | more
    return Extraction(propositions=facts, question_entities=("Film One", "Film Two"), **more)


names_in_order = st.lists(st.sampled_from(NAMES), min_size=2, max_size=8, unique=True)

_triples = st.builds(Triple, st.sampled_from(NAMES), st.sampled_from(["r", "s"]), st.sampled_from(NAMES))


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    """Any answer: several triples in a proposition, loops, repetitions.

    Intersections have one triple a proposition: among equally small trees that use a proposition
    twice the choice goes by content, and E may follow it.
    """
    form = draw(st.sampled_from(["chain", "intersection"]))
    facts = draw(st.lists(st.lists(_triples, max_size=3 if form == "chain" else 1), max_size=9))
    propositions = tuple(
        Proposition(" ".join(f"{t.subject} {t.relation} {t.object}" for t in triples), tuple(triples), place)
        for place, triples in enumerate(facts)
    )
    asked = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    return Extraction(
        propositions=propositions,
        question_entities=tuple(asked),
        form=form,
        plan_hops=draw(st.none() | st.integers(1, 4)),
        reinferred=draw(st.none() | st.sampled_from(NAMES)),
    )


def rename(extraction: Extraction, mapping: dict[str, str]) -> Extraction:
    """The same answer with every name exchanged, in texts too."""

    def new(text: str) -> str:
        return mapping.get(text, text)

    propositions = tuple(
        replace(
            one,
            text=" ".join(f"{new(t.subject)} {t.relation} {new(t.object)}" for t in one.triples),
            triples=tuple(replace(t, subject=new(t.subject), object=new(t.object)) for t in one.triples),
        )
        for one in extraction.propositions
    )
    return replace(
        extraction,
        propositions=propositions,
        question_entities=tuple(map(new, extraction.question_entities)),
        reinferred=new(extraction.reinferred) if extraction.reinferred is not None else None,
        branches=tuple(Branch(new(b.entity), new(b.value or "") or None) for b in extraction.branches)
        if extraction.branches
        else extraction.branches,
    )
