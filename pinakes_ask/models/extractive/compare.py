"""Comparison and yes/no questions: their branches, and what is compared.

"Which film was released first, A or B?" asks one thing of A and of B, and then compares. The
branches come from the coordinated names; what is asked of each comes from the comparing word and
the verb or noun it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pinakes_ask.models.extractive.kinds import Kind, noun_kind, question_kind
from pinakes_ask.models.extractive.question import ParsedQuestion
from pinakes_ask.tasks import PlannedQuestion
from retrieval.text import Mention, find_dates, find_numbers, name_key

if TYPE_CHECKING:
    from spacy.tokens import Token

Direction = Literal["least", "most", "same"]

_LEAST = (
    "first earlier earliest older oldest sooner less fewer smaller shorter lower smallest shortest lowest least"
)
_MOST = (
    "last later latest younger youngest newer newest recently longer longest more most bigger larger largest "
    "taller tallest higher highest greater heavier wider deeper"
)
_DIRECTIONS: dict[str, Direction] = {
    **dict.fromkeys(_LEAST.split(), "least"),
    **dict.fromkeys(_MOST.split(), "most"),
    **dict.fromkeys(("same", "share", "shared", "common"), "same"),
}
_BY_DATE = frozenset(
    "first earlier earliest older oldest sooner last later latest younger youngest newer newest recently".split()
)


@dataclass(frozen=True)
class Comparison:
    """What is asked of each branch, and how the values decide.

    :param names: the compared things, in the question's order.
    :param direction: the branch with the least or most value wins; ``same`` answers yes or no.
    :param kind: the kind of value, a date or number where order decides.
    :param chain: questions for one branch with ``{name}`` for it; each needs the one before as ``{0}``.
    """

    names: tuple[Mention, ...]
    direction: Direction
    kind: Kind
    chain: tuple[str, ...]

    def plan(self, question: str) -> tuple[PlannedQuestion, ...]:
        """Return a chain of sub-questions for each branch, then the comparing node."""
        steps: list[PlannedQuestion] = []
        ends: list[int] = []
        for name in self.names:
            for position, template in enumerate(self.chain):
                before = len(steps)
                text = template.replace("{name}", name.text).replace("{0}", f"{{{before}}}")
                steps.append(PlannedQuestion(question=text, needs=(before,) if position else ()))
            ends.append(len(steps))
        steps.append(PlannedQuestion(question=question, needs=tuple(ends), kind="compare"))
        return tuple(steps)


def comparison(parsed: ParsedQuestion) -> Comparison | None:
    """Return how the question compares, or None where it does not."""
    if parsed.doc is None:
        return None
    names = coordinated(parsed)
    if len(names) < 2:
        return None
    named = {token.i for token in parsed.name_tokens()}
    cue = next(
        (
            token
            for token in parsed.doc
            if token.lower_ in _DIRECTIONS and token.i not in named and not _is_owned(token)
        ),
        None,
    )
    if cue is None:
        return None
    direction = _DIRECTIONS[cue.lower_]
    if direction == "same":
        return _sameness(parsed, names, cue)
    if not re.search(r"\bor\b", parsed.text):
        return None
    kind = Kind.DATE if cue.lower_ in _BY_DATE else Kind.NUMBER
    owner = _owner(parsed, names)
    asked = _asked_value(cue, kind)
    chain = (f"Who is the {owner} of {{name}}?", asked.replace("{name}", "{0}")) if owner else (asked,)
    return Comparison(names, direction, kind, chain)


def decide(comparison: Comparison, values: Sequence[str | None]) -> str | None:
    """Return the winning name, "yes" or "no".

    None where a value is missing, they tie, their units differ, or one is too vague to tell: a year
    against a day in that year, a town against the same town with its county.
    """
    if len(values) != len(comparison.names) or not all(values):
        return None
    if comparison.direction == "same":
        return _same(values)
    measured = [_measure(value or "", comparison.kind) for value in values]
    if any(value is None for value in measured):
        return None
    known = [value for value in measured if value is not None]
    if comparison.kind is Kind.DATE and _vague(known):
        return None
    if comparison.kind is Kind.NUMBER and len({_unit(value or "") for value in values}) > 1:
        return None
    best = min(known) if comparison.direction == "least" else max(known)
    winners = [name for name, value in zip(comparison.names, known, strict=True) if value == best]
    return winners[0].text if len(winners) == 1 else None


def _same(values: Sequence[str | None]) -> str | None:
    keys = sorted({name_key(value or "") for value in values}, key=len)
    if len(keys) == 1:
        return "yes"
    nested = any(f" {short} " in f" {long} " for short in keys for long in keys if short != long)
    return None if nested else "no"


def _vague(dates: Sequence[tuple[float, ...]]) -> bool:
    """Whether a date is only the beginning of another, so that which came first is open."""
    stated = [tuple(part for part in date if part) for date in dates]
    return any(left != right and right[: len(left)] == left for left in stated for right in stated)


def _unit(value: str) -> str:
    """What stands after the number, folded."""
    found = find_numbers(value)
    return name_key(value[found[0][2] :]) if found else ""


def _measure(value: str, kind: Kind) -> tuple[float, ...] | None:
    if kind is Kind.DATE:
        dates = find_dates(value)
        return (dates[0][0].year, dates[0][0].month, dates[0][0].day) if dates else None
    numbers = find_numbers(value)
    return (float(numbers[0][0]),) if numbers else None


_AND_OR = re.compile(
    r"(?:,\s*)?(?:or|and|&)\s+(?:the\s+|(?:the\s+)?[a-z]+\s+(?:of\s+)?(?:the\s+)?(?:[a-z]+\s+)?)?", re.IGNORECASE
)
_COMMA = re.compile(r",\s*(?:the\s+)?(?:[a-z]+\s+)?")


def coordinated(parsed: ParsedQuestion) -> tuple[Mention, ...]:
    """Return the longest run of names joined by "or", "and" or commas, the last joint being no comma.

    Where the question says "or", only a run that it joins counts.
    """
    best: list[Mention] = []
    run: list[Mention] = []
    joints: list[str] = []
    choice = bool(re.search(r"\bor\b", parsed.text))
    for position, name in enumerate(parsed.names):
        between = parsed.text[parsed.wide[position - 1][1] : parsed.wide[position][0]] if run else ""
        if run and (_AND_OR.fullmatch(between.strip() + " ") or _COMMA.fullmatch(between)):
            run.append(name)
            joints.append(between)
        else:
            best = _longer(best, _closed(parsed, run, joints, choice))
            run, joints = [name], []
    return tuple(_longer(best, _closed(parsed, run, joints, choice)))


def _closed(parsed: ParsedQuestion, run: list[Mention], joints: list[str], choice: bool) -> list[Mention]:
    """The run where its last joint is a conjunction, without what only stands before the comma of a list."""
    while joints and _COMMA.fullmatch(joints[-1]):
        run, joints = run[:-1], joints[:-1]
    if not joints or (choice and not re.search(r"\bor\b", joints[-1])):
        return []
    if len(run) > 2 and "," not in joints[-1] and not _OPENS_LIST.search(parsed.text[: run[0].start]):
        return run[1:]
    return run


#: What a list stands behind: nothing, a comma, a verb of being or doing, a preposition.
_OPENS_LIST = re.compile(
    r"(?:^|[,:;]|\b(?:is|are|was|were|do|does|did|has|have|had|between|of|from|among|either|both|and)) *"
    r"(?:the |a |an )?(?:[a-z]+ )?$",
    re.IGNORECASE,
)


def _longer(left: list[Mention], right: list[Mention]) -> list[Mention]:
    return right if len(right) > len(left) else left


def _is_owned(token: Token) -> bool:
    """Whether the word is no comparison: "the first film", "most of", "his last work" about one thing."""
    return token.lower_ in ("most", "more") and any(child.dep_ == "prep" for child in token.children)


def _owner(parsed: ParsedQuestion, names: Sequence[Mention]) -> str:
    """The noun that stands between the compared things and the value: "the film whose *director* was born"."""
    doc = parsed.doc
    if doc is None:
        return ""
    named = {token.i for token in parsed.name_tokens()}
    types = {
        noun_kind(token.lemma_)
        for token in doc
        if any(c.tag_ == "WDT" and c.dep_ == "det" for c in token.children)
    }
    for token in doc:
        if token.i in named or token.pos_ != "NOUN" or _has_wh(token):
            continue
        if noun_kind(token.lemma_) is Kind.PERSON and Kind.PERSON not in types:
            return str(token.lemma_)
    return ""


def _has_wh(token: Token) -> bool:
    return any(child.tag_ in ("WDT", "WP") and child.dep_ == "det" for child in token.children)


def _asked_value(cue: Token, kind: Kind) -> str:
    """The question for one branch: when something happened to it, or how much of something it has."""
    verb = cue.head if cue.head.pos_ == "VERB" else None
    if kind is Kind.DATE:
        if verb is not None and verb.lemma_ == "come" and any(child.lower_ == "out" for child in verb.children):
            return "When was {name} released?"
        if verb is not None and verb.lemma_ not in ("have", "be", "come"):
            if verb.tag_ == "VBN":
                return f"When was {{name}} {verb.text}?"
            return f"When did {{name}} {verb.lemma_}?"
        if cue.lower_ in ("older", "oldest", "younger", "youngest"):
            return "When was {name} born or founded?"
        return "What is the date of {name}?"
    noun = cue.head if cue.head.pos_ == "NOUN" else None
    if noun is not None:
        return f"How many {noun.text} does {{name}} have?"
    return f"How {_POSITIVE.get(cue.lower_, 'much')} is {{name}}?"


_POSITIVE = {
    "longer": "long", "longest": "long", "shorter": "long", "taller": "tall", "tallest": "tall", "higher": "high",
    "bigger": "large", "larger": "large", "largest": "large", "smaller": "large", "heavier": "heavy",
    "deeper": "deep", "wider": "wide",
}  # fmt: skip


def _sameness(parsed: ParsedQuestion, names: tuple[Mention, ...], cue: Token) -> Comparison | None:
    """ "Were A and B born in the same town?" asks for the town of each, and whether they are one."""
    noun = cue.head if cue.pos_ != "VERB" else None
    if noun is None or noun.pos_ != "NOUN" or noun_kind(noun.lemma_) is Kind.PERSON:
        noun = next((token for token in cue.subtree if token.pos_ == "NOUN" and token.i > cue.i), None)
    if noun is None or question_kind(parsed.text) is not Kind.YES_NO:
        return None
    verb = noun.head.head if noun.head.pos_ == "ADP" else noun.head
    kind = noun_kind(noun.lemma_) or Kind.THING
    owner = _owner(parsed, names)
    if verb.pos_ == "VERB" and verb.tag_ == "VBN":
        asked = f"In which {noun.text} was {{name}} {verb.text}?"
    else:
        asked = f"What is the {noun.text} of {{name}}?"
    chain = (f"Who is the {owner} of {{name}}?", asked.replace("{name}", "{0}")) if owner else (asked,)
    return Comparison(names, "same", kind, chain)
