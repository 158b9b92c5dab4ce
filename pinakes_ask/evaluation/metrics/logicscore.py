"""LogicScore's Completeness, Essentiality and Determinateness, anchored at the own and at the gold answer."""

from __future__ import annotations

from pinakes_ask.evaluation.metric import Kind, Metric

_SOURCE = "LogicScore (arXiv 2601.15050), section 3, with the differences in docs/logicscore.md"


def _own(measure: str, letter: str, kind: Kind) -> Metric:
    title = f"{letter}, own answer" if letter != "D" else "D"
    return Metric(measure, title, kind, "higher", _SOURCE, lambda case: case.logic.own[measure])


def _gold(measure: str, letter: str, kind: Kind) -> Metric:
    return Metric(
        f"{measure}_gold", f"{letter}, gold answer", kind, "higher", _SOURCE, lambda case: case.logic.gold[measure]
    )


COMPLETENESS = _own("completeness", "C", "yes/no")
ESSENTIALITY = _own("essentiality", "E", "share")
DETERMINATENESS = _own("determinateness", "D", "yes/no")
COMPLETENESS_GOLD = _gold("completeness", "C", "yes/no")
ESSENTIALITY_GOLD = _gold("essentiality", "E", "share")
