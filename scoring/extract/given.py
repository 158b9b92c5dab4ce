"""An extraction from facts that somebody already has: gold data, a knowledge graph, another program."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.extract.heads import mark_heads
from scoring.extract.parentheses import acronyms
from scoring.extract.question import comparison_operator, question_entities, question_form
from scoring.types import Branch, Extraction, Form, Operator, Proposition, Triple


def from_propositions(
    question: str,
    propositions: Sequence[Proposition],
    short_answer: str | None,
    *,
    with_role: Sequence[bool] | None = None,
    entities: Sequence[str] | None = None,
    form: Form | None = None,
    plan_hops: int | None = None,
    aliases: Sequence[Sequence[str]] = (),
    branches: Sequence[Branch] | None = None,
    operator: Operator | None = None,
    reinferred: str | None = None,
) -> Extraction:
    """Return the extraction that given propositions make; their triples are believed as they are.

    :param with_role: for each proposition, whether its role was given. A given role wins; the
        others may be found to be conclusions (see :func:`scoring.extract.heads.mark_heads`).
    :param entities: the question's entities; None to find them in its wording.
    """
    groups = [tuple(group) for group in aliases]
    groups += [pair for one in propositions for pair in acronyms(one.text)]
    form = form or question_form(question)
    names = [name for one in propositions for t in one.triples for name in (t.subject, t.object)]
    asked = tuple(entities) if entities is not None else question_entities(question, names)
    marked = mark_heads(propositions, asked, short_answer, form=form, plan_hops=plan_hops, aliases=groups)
    given = with_role or [False] * len(propositions)
    return Extraction(
        propositions=tuple(
            one if keeps else found for one, found, keeps in zip(propositions, marked, given, strict=True)
        ),
        question_entities=asked,
        form=form,
        plan_hops=plan_hops,
        aliases=tuple(groups),
        branches=tuple(branches) if branches is not None else None,
        operator=operator or (comparison_operator(question) if form == "comparison" else None),
        reinferred=reinferred,
        method="given",
    )


def from_triples(question: str, triples: Sequence[Triple], short_answer: str | None) -> Extraction:
    """Return the extraction in which each triple is a proposition of its own."""
    return from_propositions(
        question,
        [Proposition(f"{t.subject} {t.relation} {t.object}", (t,), place) for place, t in enumerate(triples)],
        short_answer,
    )
