"""The gate inside the loop: what a model claims counts only where the cited sentences bear it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pinakes_ask.evidence import Evidence
from pinakes_ask.plan import SubQuestion
from pinakes_ask.tasks import Cite, Finding
from retrieval.text import (
    bare_title,
    content_words,
    find_amounts,
    find_dates,
    find_names,
    find_numbers,
    name_key,
    parse_date,
    parse_number,
)

_YES = frozenset("yes ja oui sí si sì sim tak да".split())
_NO = frozenset("no nein non não nee nej nie нет".split())
_OPENING = re.compile(r"([^\W\d_]+)(?=\W*$|\s*[,.;:–—(-])")


def stands_in(answer: str, sentence: str) -> bool:
    """Return whether the normalised ``answer`` stands in ``sentence``, as whole words.

    A date stands in a sentence that holds the same date in any spelling, also where the answer is
    less precise (a year); a number where the same value does.
    """
    date = parse_date(answer)
    if date is not None and any(found.iso.startswith(date.iso) for found, _, _ in find_dates(sentence)):
        return True
    number = parse_number(answer)
    if number is not None and any(value == number for value, _, _ in find_numbers(sentence)):
        return True
    if date is not None:
        return False  # as a name, "3 May 1901" would stand in "13 May 1901"
    return f" {name_key(answer)} " in f" {name_key(sentence)} "


def yes_or_no(answer: str) -> str | None:
    """Return the yes or no that an answer is or begins with ("Yes, both are"), None where it is no such answer."""
    opening = _OPENING.match(answer.strip())
    return opening.group() if opening is not None and opening.group().casefold() in _YES | _NO else None


def same_yes_or_no(left: str, right: str) -> bool:
    """Return whether both answers are a yes, or both a no, in whatever language and with whatever behind it."""
    one, two = yes_or_no(left), yes_or_no(right)
    return one is not None and two is not None and (one.casefold() in _YES) == (two.casefold() in _YES)


def valid_citations(
    cites: Sequence[Cite], offered: frozenset[Cite], evidence: Evidence
) -> tuple[tuple[Cite, ...], tuple[Cite, ...]]:
    """Split citations into those that name an offered sentence, each once, and the rest."""
    kept: dict[Cite, None] = {}
    dropped: list[Cite] = []
    for cite in cites:
        if cite in offered and evidence.quote(cite) is not None:
            kept[cite] = None
        else:
            dropped.append(cite)
    return tuple(kept), tuple(dropped)


def judge(
    node: SubQuestion, finding: Finding | None, offered: frozenset[Cite], evidence: Evidence
) -> tuple[str | None, tuple[Cite, ...], str]:
    """Return the answer that node may keep, its valid citations, and why it has none.

    A retrieval node is answered when its answer stands in a sentence it cites, or is what the cited
    document is about; each of several answers, separated by semicolons or commas, must. A yes or no stands
    in no sentence: its citation must be about something that was asked about. An operator node is answered when
    its model says so, its inputs having been judged before.
    """
    if finding is None:
        return None, (), "the model gave no finding"
    cites, dropped = valid_citations(finding.citations, offered, evidence)
    note = f"{len(dropped)} citations named no offered sentence" if dropped else ""
    answer = (finding.answer or "").strip()
    answer = yes_or_no(answer) or answer  # what is said beside it is not checked, so that it does not count
    if not finding.supported or not answer:
        return None, cites, note or finding.reasoning or "the model found no answer"
    if node.kind == "find" and not _is_stated(answer, node.asked, cites, evidence):
        return None, cites, "the answer stands in no sentence it cites"
    return answer, cites, note


def _is_stated(answer: str, asked: str, cites: Sequence[Cite], evidence: Evidence) -> bool:
    texts = [evidence.quote(cite) or "" for cite in cites]
    passages = [evidence.passage(cite.passage) for cite in cites]
    names = [name for passage in passages for name in (passage.title, bare_title(passage.title), *passage.aliases)]
    if yes_or_no(answer):
        subjects = [mention.text for mention in find_names(asked)]
        # Both ways round: where every noun has a capital, the names of a question are not told apart.
        told = [*names, *(mention.text for text in texts for mention in find_names(text))]
        return any(stands_in(subject, text) for subject in subjects for text in [*texts, *names]) or any(
            name_key(name) and stands_in(name, asked) for name in told
        )
    parts = [part for part in answer.split(";") if part.strip()]
    return bool(parts) and all(
        _stands_whole(part, texts, names)
        or all(_stands_whole(one, texts, names) for one in re.split(r",(?!\d)", part))
        for part in parts
    )


def _stands_whole(answer: str, texts: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one sentence states the answer, or a document is about it."""
    key = name_key(answer)
    return bool(key) and (
        key in {name_key(name) for name in names}
        or any(stands_in(answer.strip(), text) or _values_stand_in(answer, text) for text in texts)
    )


def _values_stand_in(answer: str, sentence: str) -> bool:
    """Whether an answer of several dates and numbers, or of one and its unit, is put otherwise in the sentence.

    "1863–1868" stands in "between 1863 and 1868", "3 isles" in "three small isles". Every value must stand there,
    and every word beside them.
    """
    dates = find_dates(answer)
    numbers = find_amounts(answer)
    if not dates and not numbers:
        return False
    rest = answer
    for _, start, end in sorted([*dates, *numbers], key=lambda found: -found[1]):
        rest = f"{rest[:start]} {rest[end:]}"
    there = {value for value, _, _ in find_numbers(sentence)}
    known = [found.iso for found, _, _ in find_dates(sentence)]
    return (
        all(value in there for value, _, _ in numbers)
        and all(any(iso.startswith(date.iso) for iso in known) for date, _, _ in dates)
        and set(content_words(rest)) <= set(content_words(sentence))
    )
