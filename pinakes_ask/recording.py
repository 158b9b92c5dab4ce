"""From a finished run to its record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pinakes_ask import __version__
from pinakes_ask.answer import Answer
from pinakes_ask.check import Report
from pinakes_ask.evidence import Evidence
from pinakes_ask.loop import Loop
from pinakes_ask.metered import Exchange
from pinakes_ask.run import Run
from pinakes_ask.seams import Usage
from pinakes_ask.searching import Search
from pinakes_ask.settings import Settings
from pinakes_ask.tasks import Cite
from retrieval.types import Filters
from transcripts.path import no_path, path_json
from transcripts.record import (
    AnswerInfo,
    Citation,
    ConfidenceInfo,
    EvidencePassage,
    ExchangeInfo,
    LibraryInfo,
    PlanInfo,
    PlanNode,
    Program,
    Reached,
    RoundInfo,
    ScoreInfo,
    SearchInfo,
    StatementInfo,
    Transcript,
    UsageInfo,
)


@dataclass(frozen=True)
class Heading:
    """What is known of a run before it begins."""

    run_id: str
    created: datetime
    settings: Settings
    filters: Filters | None
    model: str
    library: LibraryInfo


def transcribe(run: Run, loop: Loop, heading: Heading, searches: Iterable[Search]) -> Transcript:
    """Return the record of ``run``, without its seal.

    :param searches: what was searched for, in order.
    """
    before = run.before_repair
    return Transcript(
        id=heading.run_id,
        created=heading.created,
        program=Program(name="pinakes-ask", version=__version__),
        library=heading.library,
        model=heading.model,
        settings={**asdict(heading.settings), "filters": _filters(heading.filters)},
        question=run.question,
        status=run.status,
        stop_reason=run.stop_reason,
        failure=run.failure,
        warnings=tuple(run.warnings),
        confidence=ConfidenceInfo(
            probability=run.confidence.probability,
            reason=run.confidence.reason,
            threshold=run.confidence.threshold,
            signals=dict(run.confidence.signals),
        ),
        evidence=tuple(_passage(run.evidence, number) for number in run.evidence.numbers()),
        searches=_searches(searches, run.evidence),
        plan=_plan(run),
        rounds=tuple(
            RoundInfo(
                asked=tuple(one.asked),
                retrieved=one.retrieved,
                memory=one.memory,
                missing=one.missing,
                grown=one.grown,
            )
            for one in run.rounds
        ),
        answer=_answer(run.answer, run.evidence),
        score=_score(run.report) if run.report else None,
        before_repair=(_answer(before[0], run.evidence), _score(before[1])) if before else None,
        exchanges=tuple(_exchange(one) for one in run.exchanges),
        usage=_usage(loop.budget.spent, loop.budget.calls, loop.budget.seconds),
    )


def _searches(searches: Iterable[Search], evidence: Evidence) -> tuple[SearchInfo, ...]:
    numbers = {evidence.passage(number).id: number for number in evidence.numbers()}
    return tuple(
        SearchInfo(query=one.query, found=tuple(numbers[name] for name in one.found if name in numbers))
        for one in searches
    )


def _filters(filters: Filters | None) -> dict[str, Any]:
    """The filters that were set, as plain values."""
    given = asdict(filters) if filters else {}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in given.items() if value
    }


def path_of(run: Run, transcript: Transcript) -> dict[str, Any]:
    """Return what ``path.json`` holds for ``run``."""
    if run.report is None:
        return no_path(run.answer.short_answer)
    return path_json(
        run.report.verdict, run.report.extraction, transcript.answer.statements, run.answer.short_answer
    )


def _passage(evidence: Evidence, number: int) -> EvidencePassage:
    passage = evidence.passage(number)
    return EvidencePassage(
        number=number,
        id=passage.id,
        document=passage.document,
        title=passage.title,
        location=passage.location,
        text=passage.text,
        sentences=passage.sentences,
        sha256=hashlib.sha256(passage.text.encode()).hexdigest(),
        reached_by=tuple(
            Reached(via=reach.via, detail=reach.detail, source=reach.source, hops=reach.hops)
            for reach in evidence.first_hit(number).reached_by
        ),
        aliases=passage.aliases,
    )


def _citations(cites: Iterable[Cite], evidence: Evidence) -> tuple[Citation, ...]:
    return tuple(
        Citation(
            passage=cite.passage,
            sentence=cite.sentence,
            document=evidence.passage(cite.passage).document,
            title=evidence.passage(cite.passage).title,
            quote=evidence.quote(cite) or "",
        )
        for cite in cites
    )


def _plan(run: Run) -> PlanInfo | None:
    if run.plan is None:
        return None
    nodes = tuple(
        PlanNode(
            id=node.id,
            question=node.question,
            asked=node.asked,
            kind=node.kind,
            needs=tuple(sorted(node.needs)),
            grown=node.grown,
            status=node.status,
            answer=node.answer,
            citations=_citations(node.citations, run.evidence),
            note=node.note,
        )
        for node in run.plan.nodes
    )
    return PlanInfo(form=run.plan.form, nodes=nodes, repairs=tuple(run.plan.repairs))


def _answer(answer: Answer, evidence: Evidence) -> AnswerInfo:
    return AnswerInfo(
        short_answer=answer.short_answer,
        probability=answer.probability,
        withheld=answer.withheld,
        statements=tuple(
            StatementInfo(text=one.text, citations=_citations(one.citations, evidence))
            for one in answer.statements
        ),
        removed_citations=tuple((cite.passage, cite.sentence) for cite in answer.removed),
    )


def _score(report: Report) -> ScoreInfo:
    return ScoreInfo(
        verdict=report.verdict.to_json(),
        extraction=report.extraction.to_json(),
        citations=report.citations.to_json(),
    )


def _exchange(exchange: Exchange) -> ExchangeInfo:
    return ExchangeInfo(
        number=exchange.number,
        kind=exchange.kind,
        prompt_digest=exchange.prompt_digest,
        request=exchange.request,
        reply=exchange.reply,
        usage=_usage(exchange.usage, 1, exchange.seconds),
        error=exchange.error,
        error_kind=exchange.error_kind,
        started=round(exchange.started, 4),
        shown=None if exchange.shown is None else tuple(sorted((c.passage, c.sentence) for c in exchange.shown)),
        notes=exchange.notes,
    )


def _usage(usage: Usage, calls: int, seconds: float) -> UsageInfo:
    return UsageInfo(
        calls=calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=usage.cost,
        seconds=round(seconds, 4),
        estimated=usage.estimated,
    )
