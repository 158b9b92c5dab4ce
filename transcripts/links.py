"""Links that runs suggest: pairs of documents which supported one chain of reasoning together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import yaml

from transcripts.summary import Summary

#: How the suggested link is called in a sidecar.
RELATION = "related"


@dataclass(frozen=True)
class Suggestion:
    """A link that is not there yet.

    :param source: id of the document whose fact came first in most of the chains, which would state the link.
    :param target: id of the document that the reasoning went on to.
    :param questions: the distinct questions whose chain holds both, one after the other.
    """

    source: str
    target: str
    questions: tuple[str, ...]

    @property
    def often(self) -> int:
        """How many questions the pair helped to answer."""
        return len(self.questions)


def suggest(runs: Iterable[Summary], existing: Collection[tuple[str, str]] = frozenset()) -> list[Suggestion]:
    """Return the links that complete chains suggest, the most frequent first.

    A chain is that of a run with Completeness 1 which no reviewer rejected. One question counts once,
    however often it was asked. A pair that is linked already, in either direction, is left out.

    :param existing: links as ``(source id, target id)``.
    """
    asked: dict[frozenset[str], dict[str, None]] = defaultdict(dict)
    directions: Counter[tuple[str, str]] = Counter()
    for run in runs:
        if run.review == "reject":
            continue
        for source, target in pairwise(run.chain):
            asked[frozenset((source, target))].setdefault(run.question)
            directions[source, target] += 1
    linked = {frozenset(pair) for pair in existing}
    found = []
    for pair, questions in asked.items():
        if pair not in linked:
            one, other = sorted(pair)
            forward = directions[one, other] >= directions[other, one]
            found.append(Suggestion(*((one, other) if forward else (other, one)), tuple(questions)))
    return sorted(found, key=lambda one: (-one.often, one.source, one.target))


def as_sidecars(suggestions: Iterable[Suggestion], external_ids: Mapping[str, str]) -> str:
    """Return suggestions as Pinakes sidecars would state them, a YAML document for each source.

    A target without a Pinakes id cannot be named in a sidecar, so that its line is a comment.

    :param external_ids: the Pinakes id of each document that has one.
    """
    by_source: dict[str, list[Suggestion]] = defaultdict(list)
    for one in suggestions:
        by_source[one.source].append(one)
    return "".join(_sidecar(source, links, external_ids) for source, links in by_source.items())


def _sidecar(source: str, links: Iterable[Suggestion], external_ids: Mapping[str, str]) -> str:
    stated, comments = [], []
    for one in links:
        identity = external_ids.get(one.target)
        times = f"{one.often} question{'s' if one.often != 1 else ''}"
        if identity:
            entry = yaml.safe_dump([{"to": f"pnk://self/{identity}", "rel": RELATION}], sort_keys=False)
            stated.append("".join(f"  {line}\n" for line in entry.splitlines()))
            stated.append(f"  # {_comment(one.target)}: {times}\n")
        else:
            comments.append(f"# {_comment(one.target)}: {times}; it has no Pinakes id to link to\n")
    body = "links:\n" + "".join(stated) if stated else ""
    return f"---\n# {_comment(source)}.pnk.yaml\n{body}{''.join(comments)}"


def _comment(text: str) -> str:
    """Text that stays on the line of its comment."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
