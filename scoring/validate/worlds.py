"""Questions whose reasoning is known, from the gold facts of public data sets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text import bare_title, find_names, name_key
from scoring.extract.question import comparison_operator
from scoring.types import Branch, Form, Operator, Triple

#: Facts of one proposition: several where a hop needs two earlier answers.
Fact = tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class World:
    """A question and exactly the facts that answer it: none can be left out.

    :ivar last: the indexes of the facts that state the answer, or each branch's value.
    :ivar branch_facts: for branch forms, the facts of each branch.
    """

    id: str
    question: str
    form: Form
    facts: tuple[Fact, ...]
    question_entities: tuple[str, ...]
    answer: str
    answer_aliases: tuple[str, ...] = ()
    aliases: tuple[tuple[str, ...], ...] = ()
    branches: tuple[Branch, ...] | None = None
    branch_facts: tuple[tuple[int, ...], ...] = ()
    operator: Operator | None = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """A question from which no answer of known truth can be built, and why."""

    id: str
    reason: str


def build_world(row: Mapping[str, Any]) -> World | Excluded:
    """Return the world of one question record, from its ``evidences`` or its ``decomposition``."""
    if row.get("evidences"):
        return _from_evidences(row)
    if row.get("decomposition"):
        return _from_decomposition(row)
    return Excluded(str(row["id"]), "neither gold triples nor a decomposition")


def _from_evidences(row: Mapping[str, Any]) -> World | Excluded:
    identity = str(row["id"])
    facts = [Triple(subject, relation, value) for subject, relation, value in row["evidences"]]
    if len({(name_key(t.subject), t.relation, name_key(t.object)) for t in facts}) < len(facts):
        return Excluded(identity, "a gold triple is given twice")
    if str(row.get("type", "")) in {"compositional", "inference"}:
        return _chain(row, facts)
    return _compared(row, facts)


def _chain(row: Mapping[str, Any], facts: list[Triple]) -> World | Excluded:
    identity, answer = str(row["id"]), str(row["answer"])
    keys = [name_key(facts[0].subject)]
    for triple in facts:
        if name_key(triple.subject) != keys[-1]:
            return Excluded(identity, "the gold triples are no chain: a hop begins with another name")
        keys.append(name_key(triple.object))
    if len(set(keys)) < len(keys):
        return Excluded(identity, "the chain passes an entity twice")
    if keys[-1] != name_key(answer):
        return Excluded(identity, "the chain ends at another name than the answer")
    return World(
        identity, str(row["question"]), "chain", tuple((triple,) for triple in facts), (facts[0].subject,), answer,
        tuple(row.get("aliases") or ()),
    )  # fmt: skip


def _compared(row: Mapping[str, Any], facts: list[Triple]) -> World | Excluded:
    identity = str(row["id"])
    objects = {name_key(bare_title(triple.object)) for triple in facts}
    starts = [triple for triple in facts if name_key(bare_title(triple.subject)) not in objects]
    aliases: set[tuple[str, ...]] = set()
    branches, branch_facts, inner = [], [], []
    for start in starts:
        used, end = [facts.index(start)], start
        while True:
            following = [t for t in facts if name_key(bare_title(t.subject)) == name_key(bare_title(end.object))]
            if len(following) > 1:
                return Excluded(identity, "a compared thing has two values")
            if not following:
                break
            if name_key(following[0].subject) != name_key(end.object):
                aliases.add((end.object, following[0].subject))
            inner.append(name_key(following[0].subject))
            end = following[0]
            if facts.index(end) in used:
                return Excluded(identity, "a branch passes a fact twice")
            used.append(facts.index(end))
        branches.append(Branch(start.subject, end.object))
        branch_facts.append(tuple(used))
    nodes = [name_key(branch.entity) for branch in branches] + inner
    values = {name_key(branch.value or "") for branch in branches}
    if len(branches) != 2:
        return Excluded(identity, "the gold triples have no two branches")
    if len(set(nodes)) < len(nodes) or values & set(nodes) or sum(map(len, branch_facts)) < len(facts):
        return Excluded(identity, "the branches share an entity or a fact")
    answer = str(row["answer"])
    yes_no = name_key(answer) in {"yes", "no"}
    if not yes_no and all(name_key(answer) != name_key(branch.entity) for branch in branches):
        return Excluded(identity, "the answer is none of the compared names")
    return World(
        identity, str(row["question"]), "yes/no" if yes_no else "comparison", tuple((t,) for t in facts),
        tuple(branch.entity for branch in branches), answer, tuple(row.get("aliases") or ()),
        tuple(sorted(aliases)),
        tuple(branches), tuple(branch_facts), None if yes_no else comparison_operator(str(row["question"])),
    )  # fmt: skip


_REFERENCE = re.compile(r"#(\d+)")


def _from_decomposition(row: Mapping[str, Any]) -> World | Excluded:
    identity = str(row["id"])
    hops: Sequence[Mapping[str, Any]] = row["decomposition"]
    answers = [str(hop["answer"]) for hop in hops]
    facts: list[Fact] = []
    asked: list[str] = []
    referred: list[int] = []
    for hop, value in zip(hops, answers, strict=True):
        text = str(hop["question"])
        references = [int(number) - 1 for number in _REFERENCE.findall(text)]
        head, arrow, relation = text.partition(" >> ")
        if references:
            subjects = [answers[place] for place in references]
        elif arrow:
            subjects = [head]
        else:
            subjects = [one.text for one in find_names(text)]
            if len(subjects) != 1:
                return Excluded(identity, "a hop is free text without one given entity")
        if not references:
            asked += subjects
        referred += references
        facts.append(
            tuple(Triple(subject, relation.strip() or text, value) for subject in dict.fromkeys(subjects))
        )
    keys = [name_key(name) for name in (*answers, *asked)]
    if len(set(keys)) < len(keys):
        return Excluded(identity, "two hops share an entity")
    if {name_key(alias) for alias in row.get("aliases") or ()} & set(keys[: len(hops) - 1] + keys[len(hops) :]):
        return Excluded(identity, "an alias of the answer names another entity of the chain")
    if sorted(referred) != list(range(len(hops) - 1)):
        return Excluded(identity, "an earlier answer is used twice or never")
    if name_key(answers[-1]) != name_key(str(row["answer"])):
        return Excluded(identity, "the last hop ends at another name than the answer")
    return World(
        identity, str(row["question"]), "intersection" if len(asked) > 1 else "chain", tuple(facts), tuple(asked),
        str(row["answer"]), tuple(row.get("aliases") or ()),
    )  # fmt: skip
