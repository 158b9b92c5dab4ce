"""Which propositions are conclusions or talk, and no part of the reasoning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scoring.identity import Names
from scoring.types import Extraction, Form, Proposition

_ANSWER_LINE = re.compile(
    r"^\W*(?:so|thus|hence|therefore|in conclusion|overall)?\W*(?:the\s+)?(?:final\s+|short\s+)?answer\s*(?:is|:)"
    r"|^\W*(?:so|thus|hence|therefore|in short|in conclusion|overall|finally)\b.*"
    r"\bthe\s+(?:\w+\s)?answer\s+(?:is|was)\b",
    re.IGNORECASE,
)
_META = re.compile(
    r"^\W*(?:(?:i|we)\s(?-i:[a-z])|sorry|unfortunately|based on|according to) ?.*"
    r"\b(?:not|no|cannot|can't|could|unable|unknown)\b"
    r"|^\W*(?:the|these|those|this) (?:provided |given |available |retrieved )?"
    r"(?:documents?|passages?|sources?|contexts?|"
    r"evidence|texts?|information)\b.*\b(?:not|no|nothing|insufficient)\b"
    r"|^\W*(?:no|there is no|not enough) (?:relevant )?(?:information|evidence|document|passage|source)",
    re.IGNORECASE,
)


def is_answer_line(text: str) -> bool:
    """Return whether a sentence is only the answer's announcement ("So the answer is: X.")."""
    return bool(_ANSWER_LINE.match(text))


def is_meta(text: str) -> bool:
    """Return whether a sentence talks about the sources or the answering instead of the matter."""
    return bool(_META.match(text))


def mark_heads(
    propositions: Sequence[Proposition],
    question_entities: Sequence[str],
    short_answer: str | None,
    *,
    form: Form | None,
    plan_hops: int | None,
    aliases: Sequence[Sequence[str]] = (),
) -> tuple[Proposition, ...]:
    """Return the propositions with conclusions marked ``head``.

    A body proposition is a conclusion where the form or the plan needs at least two hops and a
    single one of its triples links a question entity to the short answer, with no other entity in
    that proposition. Without the rule every missing hop would be papered over by the last sentence.
    Roles other than ``body`` are left alone.
    """
    two_hops = form in {"comparison", "intersection", "yes/no", "count"} or (plan_hops or 0) >= 2
    if not two_hops or not short_answer:
        return tuple(propositions)
    names = Names(Extraction(aliases=tuple(tuple(group) for group in aliases)))
    answer = names.key(short_answer)
    asked = {names.key(entity) for entity in question_entities}
    return tuple(
        replace(one, role="head") if one.role == "body" and _concludes(one, names, asked, answer) else one
        for one in propositions
    )


def _concludes(one: Proposition, names: Names, asked: set[str], answer: str) -> bool:
    pairs = [
        {names.key_in(triple.subject, one, one.text), names.key_in(triple.object, one, one.text)}
        for triple in one.triples
    ]
    linked = any(answer in pair and (pair - {answer}) & asked for pair in pairs)
    return linked and set().union(*pairs) <= asked | {answer}
