"""The gate inside the loop: what a model claims counts only where the cited sentences bear it out."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.evidence import Evidence
from pinakes_ask.plan import SubQuestion
from pinakes_ask.tasks import Cite, Finding
from retrieval.text import bare_title, find_dates, find_names, find_numbers, name_key, parse_date, parse_number


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
    document is about; each of several answers, separated by semicolons, must. A yes or no stands in no
    sentence: its citation must be about something that was asked about. An operator node is answered when
    its model says so, its inputs having been judged before.
    """
    if finding is None:
        return None, (), "the model gave no finding"
    cites, dropped = valid_citations(finding.citations, offered, evidence)
    note = f"{len(dropped)} citations named no offered sentence" if dropped else ""
    answer = (finding.answer or "").strip()
    if not finding.supported or not answer:
        return None, cites, note or finding.reasoning or "the model found no answer"
    if node.kind == "find" and not _is_stated(answer, node.asked, cites, evidence):
        return None, cites, "the answer stands in no sentence it cites"
    return answer, cites, note


def _is_stated(answer: str, asked: str, cites: Sequence[Cite], evidence: Evidence) -> bool:
    texts = [evidence.quote(cite) or "" for cite in cites]
    passages = [evidence.passage(cite.passage) for cite in cites]
    names = [name for passage in passages for name in (passage.title, bare_title(passage.title), *passage.aliases)]
    if answer.casefold() in ("yes", "no"):
        subjects = [mention.text for mention in find_names(asked)]
        return any(stands_in(subject, text) for subject in subjects for text in [*texts, *names])
    parts = [part.strip() for part in answer.split(";") if part.strip()]
    known = {name_key(name) for name in names}
    return bool(parts) and all(
        name_key(part) in known or any(stands_in(part, text) for text in texts) for part in parts
    )
