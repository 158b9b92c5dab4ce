"""Retrieval: how much of the evidence a search for the question finds, and whether it finds all."""

from __future__ import annotations

from collections.abc import Callable

from pinakes_ask.evaluation.case import Case
from pinakes_ask.evaluation.metric import Metric, Missing, Value

_RECALL = "Manning et al. 2008, section 8.3: gold documents among those of the first k passages, divided by all"
_ALL = "1 where the first k passages are from all gold documents, else 0; a multi-hop answer needs all of them"


def recall(found: tuple[str, ...], gold: frozenset[str]) -> float:
    """Return the share of ``gold`` that is in ``found``."""
    return len(gold & set(found)) / len(gold)


def _at(k: int, measure: Callable[[tuple[str, ...], frozenset[str]], float]) -> Callable[[Case], Value]:
    def of(case: Case) -> Value:
        if case.gold is None:
            return Missing(case.no_gold)
        if case.found is None:
            return Missing("the answers do not say what was retrieved")
        if len(case.found) < k and not case.deep:
            return Missing(f"fewer than {k} passages were retrieved")
        return measure(case.found[:k], case.gold)

    return of


def _all(found: tuple[str, ...], gold: frozenset[str]) -> float:
    return float(gold <= set(found))


def recall_at(k: int) -> Metric:
    """Return recall in the first ``k`` passages."""
    return Metric(f"recall@{k}", f"recall@{k}", "share", "higher", _RECALL, _at(k, recall), False)


def all_evidence_at(k: int) -> Metric:
    """Return whether the first ``k`` passages hold all evidence."""
    title = f"all evidence in the first {k}"
    return Metric(f"all_evidence@{k}", title, "yes/no", "higher", _ALL, _at(k, _all), False)


def _of_run(measure: Callable[[tuple[str, ...], frozenset[str]], float]) -> Callable[[Case], Value]:
    def of(case: Case) -> Value:
        if case.gold is None:
            return Missing(case.no_gold)
        if case.seen is None:
            return Missing("the answers do not say what the engine saw")
        return measure(tuple(case.seen), case.gold)

    return of


RECALL_OF_RUN = Metric(
    "recall_of_run",
    "recall of all that the run saw",
    "share",
    "higher",
    "gold documents among all that any search of the run returned",
    _of_run(recall),
)
ALL_EVIDENCE_OF_RUN = Metric(
    "all_evidence_of_run",
    "all evidence seen by the run",
    "yes/no",
    "higher",
    "1 where the searches of the run together returned all gold documents, else 0",
    _of_run(_all),
)
