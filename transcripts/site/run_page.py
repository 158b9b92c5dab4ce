"""Everything the page of a run shows, computed from its record."""

from __future__ import annotations

from dataclasses import dataclass

from transcripts.record import Transcript
from transcripts.rescore import AllRescored
from transcripts.reviews import Review, Reviews
from transcripts.site.citations import Numbering
from transcripts.site.diagrams import Diagram
from transcripts.site.evidence import ShownPassage, shown_evidence
from transcripts.site.exchanges import ShownExchange, shown_exchanges
from transcripts.site.path_drawing import path_drawing
from transcripts.site.path_file import RecoveredPath
from transcripts.site.plan_drawing import plan_drawing
from transcripts.site.repair import ShownRepair, ShownStatement, shown_repair
from transcripts.site.scores import LaterScore, ShownScore, later_scores, shown_score
from transcripts.site.timeline import Step, timeline


@dataclass(frozen=True)
class SubQuestion:
    """A sub-question as text, beside the drawing of the plan."""

    number: int
    asked: str
    needs: tuple[int, ...]
    status: str
    kind: str
    grown: bool
    statement: ShownStatement
    note: str


@dataclass(frozen=True)
class RunPage:
    """What the template writes. ``links`` are the sentences that can be linked to, as ``#id``."""

    record: Transcript
    statements: tuple[ShownStatement, ...]
    score: ShownScore
    plan: Diagram | None
    sub_questions: tuple[SubQuestion, ...]
    path: Diagram | None
    path_problem: str
    steps: tuple[Step, ...]
    repair: ShownRepair | None
    evidence: tuple[ShownPassage, ...]
    exchanges: tuple[ShownExchange, ...]
    reviews: Reviews
    later: tuple[LaterScore, ...]
    links: frozenset[str]

    @property
    def cited(self) -> tuple[ShownPassage, ...]:
        """The passages that something cites."""
        return tuple(passage for passage in self.evidence if passage.cited)

    @property
    def uncited(self) -> tuple[ShownPassage, ...]:
        """The passages that were read and not cited."""
        return tuple(passage for passage in self.evidence if not passage.cited)

    @property
    def review(self) -> Review | None:
        """The review that counts."""
        return self.reviews.last


def run_page(
    record: Transcript, path: RecoveredPath, path_problem: str, reviews: Reviews, rescored: AllRescored
) -> RunPage:
    """Return the page of a run.

    :param path_problem: why its path could not be read, "" where it could.
    :param rescored: its scores by later versions of the program.
    """
    numbering = Numbering(record)
    evidence = shown_evidence(record, numbering)
    return RunPage(
        record=record,
        statements=_statements(record, numbering),
        score=shown_score(record.score),
        plan=plan_drawing(record.plan) if record.plan else None,
        sub_questions=_sub_questions(record, numbering),
        path=path_drawing(path),
        path_problem=path_problem,
        steps=timeline(record),
        repair=shown_repair(record, numbering),
        evidence=evidence,
        exchanges=shown_exchanges(record),
        reviews=reviews,
        later=later_scores(rescored.all),
        links=frozenset(f"#{piece.id}" for passage in evidence for piece in passage.pieces if piece.id),
    )


def _statements(record: Transcript, numbering: Numbering) -> tuple[ShownStatement, ...]:
    """The answer's statements, with what its citations do not cover."""
    checks = record.score.citations.get("statements", []) if record.score else []
    shown = []
    for index, one in enumerate(record.answer.statements):
        check = checks[index] if index < len(checks) and isinstance(checks[index], dict) else {}
        unsupported = tuple(map(str, check.get("unsupported", ())))
        shown.append(ShownStatement(one.text, numbering.marks(one.citations), unsupported=unsupported))
    return tuple(shown)


def _sub_questions(record: Transcript, numbering: Numbering) -> tuple[SubQuestion, ...]:
    if record.plan is None:
        return ()
    return tuple(
        SubQuestion(
            number=node.id,
            asked=node.asked or node.question,
            needs=node.needs,
            status=node.status,
            kind=node.kind,
            grown=node.grown,
            statement=ShownStatement(node.answer or "", numbering.marks(node.citations)),
            note=node.note,
        )
        for node in record.plan.nodes
    )
