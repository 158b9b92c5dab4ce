"""Measuring all answers of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pinakes_ask.evaluation.answer import Answer
from pinakes_ask.evaluation.case import DEPTH, NO_JUDGE, make_case
from pinakes_ask.evaluation.documents import Catalogue, Held
from pinakes_ask.evaluation.measured import Measured, measure, unanswered
from pinakes_ask.evaluation.metric import Metric, Value
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.question import EvalQuestion
from retrieval.protocols import Searcher

#: Questions that are searched for at once, between two looks at the progress.
_AT_ONCE = 50


def search_all(
    questions: Sequence[EvalQuestion], searcher: Searcher, progress: Callable[[int], None] = lambda done: None
) -> dict[str, list[str]]:
    """Return, by the questions' ids, the document of each of the first :data:`DEPTH` passages of one search."""
    found: dict[str, list[str]] = {}
    for start in range(0, len(questions), _AT_ONCE):
        some = questions[start : start + _AT_ONCE]
        for question, one in zip(some, searcher.search([each.text for each in some], DEPTH), strict=True):
            found[question.id] = [hit.passage.document for hit in one.hits]
        progress(len(found))
    return found


def measure_all(
    questions: Iterable[EvalQuestion],
    answers: Mapping[str, Answer],
    documents: Iterable[Held],
    *,
    searched: Mapping[str, Sequence[str]] | None = None,
    judged: Mapping[str, Value] | None = None,
    metrics: Sequence[Metric] = METRICS,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Measured]:
    """Measure the answers to ``questions``, in their order; one without an answer gets a row that says so.

    :param documents: what evidence can come from.
    :param searched: what :func:`search_all` found; None to take what the answers say was retrieved.
    :param judged: judgements of a model, None where none was asked.
    """
    catalogue = Catalogue(documents)
    rows: list[Measured] = []
    for question in questions:
        answer = answers.get(question.id)
        if answer is None:
            rows.append(unanswered(question, metrics))
        else:
            case = make_case(
                question,
                answer,
                catalogue,
                searched=None if searched is None else searched[question.id],
                judged=NO_JUDGE if judged is None else judged.get(question.id, NO_JUDGE),
            )
            rows.append(measure(case, metrics))
        progress(len(rows))
    return rows
