"""The plan: a directed acyclic graph of sub-questions, settled rank by rank.

A plan is made from a model's proposal by :meth:`Plan.of`, which repairs what cannot be used and
says so. :meth:`Plan.ready` hands out each rank once; :meth:`Plan.settle` takes its findings;
:meth:`Plan.grow` adds what turned out to be missing. A sub-question is never handed out twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Literal

from pinakes_ask.tasks import Cite, Established, Form, NodeKind, PlannedQuestion, PlanReply
from retrieval.text import content_words, find_names, find_numbers, jaccard, name_key, words

_SLOT = re.compile(r"\{([0-9]{1,3})\}")
#: Content-word overlap from which two sub-questions about the same names and numbers are one.
REPEAT_JACCARD = 0.8
#: What tells apart questions of the same content words: "when was she born" and "where was she born".
_ASKING = frozenset({"when", "where", "why", "how"})

Status = Literal["open", "asked", "supported", "unsupported"]


@dataclass
class SubQuestion:
    """A node. ``asked`` is the question with earlier answers filled in, once it was handed out."""

    id: int
    question: str
    needs: frozenset[int]
    kind: NodeKind = "find"
    grown: bool = False
    status: Status = "open"
    asked: str = ""
    answer: str | None = None
    citations: tuple[Cite, ...] = ()
    note: str = ""

    @property
    def settled(self) -> bool:
        """Whether the node is done, with or without an answer."""
        return self.status in ("supported", "unsupported")

    def as_established(self) -> Established:
        """The node as a write is told of it; it must be supported."""
        return Established(
            id=self.id,
            question=self.asked,
            answer=self.answer or "",
            needs=tuple(sorted(self.needs)),
            citations=self.citations,
        )


@dataclass
class Plan:
    """Sub-questions with 1-based ids, in the order of the proposal, then of growth."""

    form: Form
    nodes: list[SubQuestion]
    repairs: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, question: str, reply: PlanReply, *, max_nodes: int) -> Plan:
        """Make a valid plan of at most ``max_nodes`` from a proposal, whatever it holds."""
        repairs: list[str] = []
        kept, moved = _keep(reply.sub_questions, max_nodes, repairs)
        nodes = [_node(planned, moved[old], moved, repairs) for old, planned in kept]
        if not nodes:
            if reply.sub_questions:
                repairs.append("no sub-question was usable: the question itself is the plan")
            nodes = [SubQuestion(1, question, frozenset())]
        plan = cls(reply.form, nodes, repairs)
        plan._break_cycles()
        for node in plan.nodes:
            if node.kind != "find" and not node.needs:
                node.kind = "find"
                repairs.append(f"sub-question {node.id} combines nothing: it is looked up instead")
        return plan

    def node(self, number: int) -> SubQuestion:
        """Return the node with this id."""
        return self.nodes[number - 1]

    def ready(self) -> list[SubQuestion]:
        """Hand out the next rank: open nodes whose needs are answered. Empty when none is left.

        A node whose needs stay unanswered settles as unsupported; one that comes out, filled, as a
        repeat of an asked one takes over its finding.
        """
        rank: list[SubQuestion] = []
        settling = True
        while settling:
            self.cascade()
            settling = False
            for node in self.nodes:
                if node.status != "open" or not all(self.node(need).status == "supported" for need in node.needs):
                    continue
                filled = self.fill(node.question)
                twin = self._asked_before(node, filled)
                if twin is None:
                    node.asked, node.status = filled, "asked"
                    rank.append(node)
                elif twin.settled:
                    node.asked, node.status = filled, twin.status
                    node.answer, node.citations = twin.answer, twin.citations
                    node.note = f"the same question as {twin.id}"
                    settling = True
        return rank

    def cascade(self) -> None:
        """Settle every open node that needs an unsupported one: nothing can be filled into it."""
        for node in self.in_order():
            missing = [need for need in sorted(node.needs) if self.node(need).status == "unsupported"]
            if node.status == "open" and missing:
                node.status = "unsupported"
                node.note = f"needs {', '.join(map(str, missing))}, which found no answer"

    def fill(self, question: str) -> str:
        """Return ``question`` with the answers of settled nodes in place of their ``{n}``."""

        def answer(slot: re.Match[str]) -> str:
            number = int(slot.group(1))
            found = self.node(number).answer if 1 <= number <= len(self.nodes) else None
            return found or ""

        return " ".join(_SLOT.sub(answer, question).split())

    def ahead(self) -> tuple[str, ...]:
        """Return the sub-questions that are still to be asked, with the answers that are known filled in."""

        def known(slot: re.Match[str]) -> str:
            number = int(slot.group(1))
            return (self.node(number).answer if 1 <= number <= len(self.nodes) else None) or slot.group()

        return tuple(_SLOT.sub(known, node.question) for node in self.nodes if node.status == "open")

    def settle(self, number: int, answer: str | None, citations: tuple[Cite, ...], note: str = "") -> None:
        """Record what was found for an asked node; ``answer`` None means it stays unsupported."""
        node = self.node(number)
        node.status = "supported" if answer is not None else "unsupported"
        node.answer, node.citations, node.note = answer, citations, note

    def grow(self, missing: Iterable[str], *, max_nodes: int, max_grown: int) -> list[SubQuestion]:
        """Add what is missing as new sub-questions, without repeats and within the bounds."""
        added: list[SubQuestion] = []
        for text in missing:
            question = " ".join(_SLOT.sub("", text).split())
            full = len(self.nodes) >= max_nodes or sum(node.grown for node in self.nodes) >= max_grown
            if not question or full:
                continue
            if any(is_repeat(question, node.asked or self.fill(node.question)) for node in self.nodes):
                continue
            added.append(SubQuestion(len(self.nodes) + 1, question, frozenset(), grown=True))
            self.nodes.append(added[-1])
        return added

    @property
    def unfinished(self) -> bool:
        """Whether some node is not settled yet."""
        return not all(node.settled for node in self.nodes)

    @property
    def answered(self) -> bool:
        """Whether every sink of the plan and all its ancestors are supported."""
        pending = [node.id for node in self.sinks()]
        seen: set[int] = set()
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            seen.add(number)
            if self.node(number).status != "supported":
                return False
            pending.extend(self.node(number).needs)
        return True

    @property
    def gathered(self) -> bool:
        """Whether nothing is left but to combine answers that are known."""
        return all(
            node.status == "supported"
            or (node.kind != "find" and all(self.node(need).status == "supported" for need in node.needs))
            for node in self.nodes
        )

    def sinks(self) -> list[SubQuestion]:
        """Return the nodes that no other node needs."""
        needed = {number for node in self.nodes for number in node.needs}
        return [node for node in self.nodes if node.id not in needed]

    def inputs(self, node: SubQuestion) -> tuple[str, ...]:
        """Return the answers that a node needs, in the order of their ids, "" where there is none."""
        return tuple(self.node(need).answer or "" for need in sorted(node.needs))

    def in_order(self) -> list[SubQuestion]:
        """Return all nodes, each after what it needs."""
        order = TopologicalSorter({node.id: sorted(node.needs) for node in self.nodes}).static_order()
        return [self.node(number) for number in order]

    def established(self) -> list[SubQuestion]:
        """Return the supported nodes, each after what it needs."""
        return [node for node in self.in_order() if node.status == "supported"]

    def _asked_before(self, node: SubQuestion, filled: str) -> SubQuestion | None:
        asked = (other for other in self.nodes if other is not node and other.asked and other.kind == node.kind)
        return next((other for other in asked if is_repeat(filled, other.asked)), None)

    def _break_cycles(self) -> None:
        while True:
            try:
                TopologicalSorter({node.id: sorted(node.needs) for node in self.nodes}).prepare()
            except CycleError as error:
                # In the list each node is needed by the next, and its first node comes again last. Some
                # node in it needs a later-numbered one: that edge closes the cycle.
                cycle: list[int] = error.args[1]
                needed, node_id = max(pairwise(cycle), key=lambda edge: edge[0] - edge[1])
                node = self.node(node_id)
                node.needs -= {needed}
                node.question = _without_slot(node.question, needed)
                self.repairs.append(f"cycle {' → '.join(map(str, cycle))}: {node_id} no longer needs {needed}")
            else:
                return


def is_repeat(left: str, right: str) -> bool:
    """Return whether two filled sub-questions ask the same: same names and numbers, similar words.

    Who, what and which may stand for one another; when, where, why and how ask for something else.
    """
    return (
        _subjects(left) == _subjects(right)
        and _ASKING.intersection(words(left)) == _ASKING.intersection(words(right))
        and jaccard(content_words(left), content_words(right)) >= REPEAT_JACCARD
    )


def _subjects(question: str) -> tuple[frozenset[str], frozenset[str]]:
    names = frozenset(name_key(mention.text) for mention in find_names(question))
    return names, frozenset(str(value) for value, _, _ in find_numbers(question))


def _keep(
    proposed: Sequence[PlannedQuestion], max_nodes: int, repairs: list[str]
) -> tuple[list[tuple[int, PlannedQuestion]], dict[int, int]]:
    """Choose the usable sub-questions; map old positions to new ids, those of repeats included."""
    kept: list[tuple[int, PlannedQuestion]] = []
    moved: dict[int, int] = {}
    for position, planned in enumerate(proposed, start=1):
        text = " ".join(planned.question.split())
        if not _SLOT.sub("", text).strip(" ?.,"):
            repairs.append(f"sub-question {position} is empty: dropped")
            continue
        twin = next((old for old, other in kept if _same_proposal(planned, other)), None)
        if twin is not None:
            moved[position] = moved[twin]
            repairs.append(f"sub-question {position} repeats {twin}: dropped")
        elif len(kept) == max_nodes:
            repairs.append(f"sub-question {position} is beyond the limit of {max_nodes}: dropped")
        else:
            kept.append((position, planned))
            moved[position] = len(kept)
    return kept, moved


def _same_proposal(left: PlannedQuestion, right: PlannedQuestion) -> bool:
    same_slots = _SLOT.findall(left.question) == _SLOT.findall(right.question)
    return same_slots and left.kind == right.kind and is_repeat(left.question, right.question)


def _node(planned: PlannedQuestion, number: int, moved: dict[int, int], repairs: list[str]) -> SubQuestion:
    slots = [int(slot) for slot in _SLOT.findall(planned.question)]
    needs: set[int] = set()
    for old in dict.fromkeys([*planned.needs, *slots]):
        new = moved.get(old)
        if new is None or new == number:
            what = "itself" if new == number else f"{old}, which is no sub-question"
            repairs.append(f"sub-question {number} needs {what}: reference dropped")
        else:
            needs.add(new)

    def renumbered(slot: re.Match[str]) -> str:
        new = moved.get(int(slot.group(1)))
        return f"{{{new}}}" if new in needs else ""

    text = " ".join(_SLOT.sub(renumbered, planned.question).split())
    return SubQuestion(number, text, frozenset(needs), planned.kind)


def _without_slot(question: str, number: int) -> str:
    return " ".join(question.replace(f"{{{number}}}", "").split())
