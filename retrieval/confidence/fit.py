"""Fitting a calibration, and measuring how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrieval.confidence.calibration import Calibration
from retrieval.errors import UsageError
from retrieval.ranking.query import Floats

#: Fewer labelled questions than this, or fewer of either kind than a quarter of it, say nothing.
LEAST = 40
BINS = 10


@dataclass(frozen=True)
class Reliability:
    """How well probabilities fit what happened.

    :param ece: expected calibration error over ten bins of equal width (Naeini et al., AAAI 2015).
    :param auroc: chance that a covered question gets a higher probability than an uncovered one;
        None where only one kind occurs.
    :param let_through: share of questions at or above the threshold; :param false_confidence: share
        of those that lacked evidence, None where there is none.
    :param table: ``(from, to, questions, mean probability, share covered)`` of every filled bin.
    """

    questions: int
    covered: int
    ece: float
    auroc: float | None
    let_through: float
    false_confidence: float | None
    table: tuple[tuple[float, float, int, float, float], ...]


def fit(
    seen: Sequence[Mapping[str, float]],
    covered: Sequence[bool],
    embedder: str,
    *,
    weights: Sequence[float] | None = None,
    strength: float = 0.3,
    tolerated: float = 0.10,
    provenance: dict[str, Any] | None = None,
    least: int = LEAST,
) -> Calibration:
    """Fit a calibration on labelled questions.

    :param seen: signals of each question; :param covered: whether its hits held all evidence.
    :param weights: of each question, all alike by default.
    :param strength: inverse of the ridge penalty on standardised signals.
    :param least: questions needed; a quarter of them must be of either kind.
    :raises UsageError: there are too few questions, or too few of one kind.
    """
    from sklearn.linear_model import LogisticRegression

    labels = np.asarray(covered, bool)
    if len(labels) < least or min(labels.sum(), (~labels).sum()) < max(least / 4, 1):
        raise UsageError(
            "The calibration cannot be fitted",
            f"of {len(labels)} questions {int(labels.sum())} had all their evidence found",
            f"Give at least {LEAST} labelled questions, {LEAST // 4} of each kind",
        )
    names = sorted(seen[0])
    values = np.asarray([[one[name] for name in names] for one in seen])
    weight = np.ones(len(labels)) if weights is None else np.asarray(weights, float)
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=strength, max_iter=2000)
    model.fit((values - mean) / scale, labels, sample_weight=weight * len(weight) / weight.sum())
    slopes = model.coef_[0] / scale
    bias = float(model.intercept_[0] - slopes @ mean)
    low, high = np.percentile(values, [1, 99], axis=0)
    chances = 1.0 / (1.0 + np.exp(-(values @ slopes + bias)))
    return Calibration(
        weights={name: round(float(slope), 6) for name, slope in zip(names, slopes, strict=True)},
        bias=round(bias, 6),
        threshold=threshold(chances, labels, weight, tolerated),
        ranges={
            name: (round(float(a), 6), round(float(b), 6)) for name, a, b in zip(names, low, high, strict=True)
        },
        embedder=embedder,
        tolerated=tolerated,
        provenance=provenance or {},
    )


def threshold(chances: Floats, covered: np.ndarray, weights: Floats, tolerated: float) -> float:
    """Return the least probability that lets through at most ``tolerated`` uncovered questions, by weight.

    1.0 where no probability does.
    """
    order = np.argsort(-chances, kind="stable")
    wrong = np.cumsum(weights[order] * ~covered[order]) / np.cumsum(weights[order])
    good = np.flatnonzero(wrong <= tolerated)
    # Rounded up, so that what was just outside stays outside.
    return float(np.ceil(chances[order[good[-1]]] * 1e4 - 1e-9) / 1e4) if len(good) else 1.0


def measure(chances: Sequence[float], covered: Sequence[bool], at: float) -> Reliability:
    """Measure probabilities against what happened; ``at`` is the threshold."""
    chance, label = np.asarray(chances, float), np.asarray(covered, bool)
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    table, error = [], 0.0
    for place in range(BINS):
        inside = bins == place
        count = int(inside.sum())
        if count:
            mean, share = float(chance[inside].mean()), float(label[inside].mean())
            table.append((place / BINS, (place + 1) / BINS, count, mean, share))
            error += count / len(chance) * abs(mean - share)
    through = chance >= at
    return Reliability(
        questions=len(label),
        covered=int(label.sum()),
        ece=error,
        auroc=_auroc(chance, label),
        let_through=float(through.mean()) if len(label) else 0.0,
        false_confidence=float((~label[through]).mean()) if through.any() else None,
        table=tuple(table),
    )


def _auroc(chance: Floats, label: np.ndarray) -> float | None:
    """Return the area under the ROC curve by ranks; ties count half."""
    positive, negative = int(label.sum()), int((~label).sum())
    if not positive or not negative:
        return None
    _, inverse, counts = np.unique(chance, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[label].sum() - positive * (positive + 1) / 2) / (positive * negative))
