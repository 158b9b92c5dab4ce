"""What was measured of one answer: a row that says all that figures and reports need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.metric import Metric, Missing
from pinakes_ask.evaluation.question import EvalQuestion
from retrieval.errors import UsageError

FAILED = "the answer failed"
NO_ROW = "the question has no answer in the file"


@dataclass(frozen=True)
class Measured:
    """One question with the values of all metrics.

    :param status: ``answered``, ``withheld``, ``failed``, or ``missing`` where there is no answer at all.
    :param values: by the names of the metrics; where there is none, ``missing`` says why.
    :param failure_class: what is wrong with the reasoning, None where nothing is or it is not known.
    :param confidence: the probability, given beforehand, that the first search suffices; None: not known.
    :param covered: whether it did; None: not known.
    """

    id: str
    question: str
    type: str | None
    hops: int | None
    gold: tuple[str, ...]
    answer: str | None
    status: str
    values: dict[str, float]
    missing: dict[str, str]
    failure_class: str | None = None
    confidence: float | None = None
    covered: bool | None = None
    error: str = ""


def measure(case: Case, metrics: Sequence[Metric]) -> Measured:
    """Measure one answer. One that failed is neither right nor wrong: it only has what does not depend on it."""
    values: dict[str, float] = {}
    missing: dict[str, str] = {}
    for metric in metrics:
        value = Missing(FAILED) if case.answer.error and metric.of_answer else metric.of(case)
        if isinstance(value, Missing):
            missing[metric.name] = value.reason
        else:
            values[metric.name] = value
    question, answer = case.question, case.answer
    return Measured(
        id=question.id,
        question=question.text,
        type=question.type,
        hops=question.hops,
        gold=question.answers,
        answer=answer.short,
        status=answer.status,
        values=values,
        missing=missing,
        failure_class=case.logic.failure_class,
        confidence=answer.confidence,
        covered=case.covered,
        error=answer.error,
    )


def unanswered(question: EvalQuestion, metrics: Sequence[Metric]) -> Measured:
    """Return the row of a question without an answer: every metric is missing, and says so."""
    return Measured(
        id=question.id,
        question=question.text,
        type=question.type,
        hops=question.hops,
        gold=question.answers,
        answer=None,
        status="missing",
        values={},
        missing=dict.fromkeys((one.name for one in metrics), NO_ROW),
    )


def write_measured(rows: Iterable[Measured], file: Path) -> None:
    """Write rows, a JSON object a line; the file is replaced as a whole or not at all."""
    draft = file.with_name(f".{file.name}.draft")
    lines = (json.dumps(asdict(row), ensure_ascii=False, allow_nan=False) for row in rows)
    draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    draft.replace(file)


def read_measured(file: Path) -> list[Measured]:
    """Read rows back.

    :raises UsageError: when they cannot be read, or are no such rows.
    """
    try:
        text = file.read_text(encoding="utf-8")
        rows: list[Measured] = _ADAPTER.validate_python([json.loads(line) for line in text.split("\n") if line])
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"Cannot read {file}", why, "Name the folder of a run that has ended") from error
    except (ValueError, RecursionError) as error:
        # A failed validation is a ValueError too.
        why = f"it holds something else than measured answers ({type(error).__name__})"
        raise UsageError(f"Cannot read {file}", why, "Remove it and run the same command again") from error
    return rows


_ADAPTER: TypeAdapter[list[Measured]] = TypeAdapter(list[Measured])
