"""Relatives at one remove, as English composes them: a paternal grandfather is the father's father."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pinakes_ask.tasks import PlannedQuestion

_SIDES = {"paternal": "father", "maternal": "mother"}
_GRAND = r"(?:(?P<side>paternal|maternal)\s+)?grand(?P<last>father|mother|parent|son|daughter|child)"
_IN_LAW = r"(?P<law>father|mother|parent|brother|sister|sibling|son|daughter|child)-in-law"
_STEP = r"step-?(?P<who>father|mother)"
_OTHER = {
    "uncle": ("parent", "brother"),
    "aunt": ("parent", "sister"),
    "nephew": ("sibling", "son"),
    "niece": ("sibling", "daughter"),
}
_KIN = rf"(?:{_GRAND}|{_IN_LAW.replace('who', 'law')}|{_STEP}|(?P<other>{'|'.join(_OTHER)}))"
_OF = re.compile(
    rf"^(?P<ask>who|what)\s+(?P<be>is|was)\s+(?:the\s+)?{_KIN}\s+of\s+(?P<owner>.+?)\s*\?*$", re.IGNORECASE
)
_POSSESSIVE = re.compile(
    rf"^(?P<ask>who|what)\s+(?P<be>is|was)\s+(?P<owner>.+?)['\u2019]s?\s+{_KIN}\s*\?*$", re.IGNORECASE
)


def composed(steps: Sequence[PlannedQuestion]) -> tuple[PlannedQuestion, ...]:
    """Return ``steps`` with each step that asks for a relative at one remove asked in two."""
    found: list[PlannedQuestion] = []
    moved: dict[int, int] = {}
    for number, step in enumerate(steps, start=1):
        needs = tuple(moved[need] for need in step.needs)

        def slot(match: re.Match[str]) -> str:
            """The slot under its new number; the user's own braces stay."""
            new = moved.get(int(match.group(1)))
            return match.group() if new is None else f"{{{new}}}"

        text = re.sub(r"\{(\d{1,3})\}", slot, step.question)
        pair = _two_steps(text)
        if pair is None:
            found.append(step.model_copy(update={"question": text, "needs": needs}))
        else:
            found.append(PlannedQuestion(question=pair[0], needs=needs))
            found.append(PlannedQuestion(question=pair[1].format(len(found)), needs=(len(found),)))
        moved[number] = len(found)
    return tuple(found)


def _two_steps(text: str) -> tuple[str, str] | None:
    match = _OF.match(text) or _POSSESSIVE.match(text)
    if match is None:
        return None
    first, last = _relatives(match)
    return f"Who is the {first} of {match.group('owner')}?", f"Who is the {last} of {{{{{{}}}}}}?"


def _relatives(match: re.Match[str]) -> tuple[str, str]:
    if match.group("last"):
        last = match.group("last").lower()
        if last in ("son", "daughter", "child"):
            return "child", last
        return _SIDES.get((match.group("side") or "").lower(), "parent"), last
    if match.group("law"):
        who = match.group("law").lower()
        if who in ("son", "daughter", "child"):
            return "child", {"son": "husband", "daughter": "wife", "child": "spouse"}[who]
        return "spouse", who
    if match.group("who"):
        return {"father": ("mother", "husband"), "mother": ("father", "wife")}[match.group("who").lower()]
    return _OTHER[match.group("other").lower()]
