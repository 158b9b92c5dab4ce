"""The long answer, its citations checked against what was offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pinakes_ask.evidence import Evidence
from pinakes_ask.gate import valid_citations
from pinakes_ask.tasks import Cite, WriteReply
from retrieval.text import content_words
from scoring.citations import CitedStatement, check_citations

#: Share of a conclusion's words that the question or the statements before it must hold.
_SAID_BEFORE = 0.5


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


def accept(reply: WriteReply, offered: frozenset[Cite], evidence: Evidence, question: str) -> Answer:
    """Make the answer of a reply: empty statements dropped, invented citations removed.

    A last statement that only concludes from the others rests on what they cite. Where nothing is cited and
    no short answer given, the statements can only say that there is none: they are the reason.
    """
    statements: list[Statement] = []
    removed: list[Cite] = []
    for written in reply.statements:
        text = " ".join(written.text.split())
        if text:
            kept, dropped = valid_citations(written.citations, offered, evidence)
            statements.append(Statement(text, kept))
            removed.extend(dropped)
    statements = _concluded(statements, question)
    short = (reply.short_answer or "").strip() or None
    withheld = reply.withheld
    if short is None and not removed and not any(statement.citations for statement in statements):
        said = " ".join(statement.text for statement in statements)
        return Answer(withheld=withheld or said)
    if short is not None and not any(statement.citations for statement in statements):
        short, withheld = None, "no statement of the answer cites a sentence that was offered"
    return Answer(tuple(statements), short, reply.probability if short else None, withheld, tuple(removed))


def _concluded(statements: list[Statement], question: str) -> list[Statement]:
    """Let a last statement that cites nothing, and says nothing that was not said, cite what the others do."""
    if len(statements) < 2 or statements[-1].citations or not all(one.citations for one in statements[:-1]):
        return statements
    *before, last = statements
    if not _adds_nothing(last.text, [question, *(one.text for one in before)]):
        return statements
    cites = tuple(dict.fromkeys(cite for one in before for cite in one.citations))
    return [*before, replace(last, citations=cites)]


def _adds_nothing(text: str, said: Sequence[str]) -> bool:
    """Whether every name, date and number of ``text``, and most of its words, were said."""
    check = check_citations([CitedStatement(text, ((0, 0),))], {0: [" ".join(said)]}).statements[0]
    wanted = set(content_words(text))
    known = wanted.intersection(content_words(" ".join(said)))
    return not check.unsupported and len(known) >= _SAID_BEFORE * len(wanted) > 0
