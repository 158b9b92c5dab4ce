"""The long answer, its citations checked against what was offered."""

from __future__ import annotations

from dataclasses import dataclass

from pinakes_ask.evidence import Evidence
from pinakes_ask.gate import valid_citations
from pinakes_ask.tasks import Cite, WriteReply


@dataclass(frozen=True)
class Statement:
    """One sentence of the answer; without citations it is unsupported, and shown as such."""

    text: str
    citations: tuple[Cite, ...]


@dataclass(frozen=True)
class Answer:
    """What a run says.

    :param short_answer: None when there is none or it is withheld; then ``withheld`` says why.
    :param probability: the model's calibrated chance that the short answer is right, None if unknown.
    :param removed: citations that named no offered sentence.
    """

    statements: tuple[Statement, ...] = ()
    short_answer: str | None = None
    probability: float | None = None
    withheld: str = ""
    removed: tuple[Cite, ...] = ()

    @property
    def unsupported(self) -> int:
        """How many statements cite nothing."""
        return sum(not statement.citations for statement in self.statements)


def accept(reply: WriteReply, offered: frozenset[Cite], evidence: Evidence) -> Answer:
    """Make the answer of a reply: empty statements dropped, invented citations removed."""
    statements: list[Statement] = []
    removed: list[Cite] = []
    for written in reply.statements:
        text = " ".join(written.text.split())
        if text:
            kept, dropped = valid_citations(written.citations, offered, evidence)
            statements.append(Statement(text, kept))
            removed.extend(dropped)
    short = (reply.short_answer or "").strip() or None
    withheld = reply.withheld
    if short is not None and not any(statement.citations for statement in statements):
        short, withheld = None, "no statement of the answer cites a sentence that was offered"
    return Answer(tuple(statements), short, reply.probability if short else None, withheld, tuple(removed))
