"""Scoring many answers: one record each, in the order of the file, with a model's calls in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from retrieval.text.errors import PinakesAskError
from scoring.citations import check_citations
from scoring.extract.model import ExtractionModel, extract_with
from scoring.extract.statement import Statement
from scoring.logicscore import score
from scoring.repeats import agreement, majority
from scoring.rows import Row
from scoring.types import Branch, Extraction
from scoring.verdict import Verdict

#: The keys of a record, in their order.
KEYS = (
    "anchor", "completeness", "essentiality", "determinateness", "class", "gap", "path", "not_applicable", "paper",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scored:
    """One scored answer. ``record`` is its line in the file of verdicts."""

    row: Row
    extraction: Extraction
    verdict: Verdict
    record: dict[str, Any]


async def score_rows(
    rows: Iterable[Row],
    *,
    model: ExtractionModel | None = None,
    repeats: int = 1,
    concurrency: int = 4,
    use_parser: bool = True,
) -> AsyncIterator[Scored]:
    """Yield each row's scores, in the order of the rows.

    :param model: extracts where a row brings no propositions; None for rules. A row that the model
        fails on is scored as ``extraction_failed``, and the others go on.
    :param repeats: how often the model extracts; verdicts that differ are marked uncertain.
    :param concurrency: how many rows are in work at once.
    """
    remaining = iter(rows)
    while batch := list(islice(remaining, max(1, concurrency))):
        for scored in await asyncio.gather(
            *(_score_row(row, model, max(1, repeats), use_parser=use_parser) for row in batch)
        ):
            yield scored


async def _score_row(row: Row, model: ExtractionModel | None, repeats: int, *, use_parser: bool) -> Scored:
    if model is None or row.propositions is not None:
        extractions = [row.extraction(use_parser=use_parser)]
    else:
        extractions = list(await asyncio.gather(*(_extract(row, model) for _ in range(repeats))))
    verdicts = [score(one, short_answer=row.short_answer, gold=row.gold or None) for one in extractions]
    verdict = majority(verdicts)
    data = verdict.to_json()
    record = {"id": row.id, **{key: data[key] for key in KEYS}}
    if len(verdicts) > 1:
        agreed = agreement(extractions, verdicts)
        record["uncertain"] = not agreed.unanimous
        record["agreement"] = [
            {"from": left, "to": right, "share": share} for (left, right), share in agreed.edges.items()
        ]
    if any(one.citations for one in row.texts()):
        report = check_citations(row.cited(), row.evidence(), titles=row.titles())
        record["citations"] = report.to_json()
    return Scored(row, extractions[verdicts.index(verdict)], verdict, record)


async def _extract(row: Row, model: ExtractionModel) -> Extraction:
    try:
        return await extract_with(
            model,
            row.question,
            [Statement(one.text, one.title) for one in row.texts()],
            row.short_answer,
            form=row.form,
            plan_hops=row.plan_hops,
            aliases=row.aliases,
            branches=[Branch(one.entity, one.value) for one in row.branches] if row.branches is not None else None,
            reinfer=row.reinferred is None,
        )
    except PinakesAskError as error:
        return Extraction(failed=str(error), method="model")
