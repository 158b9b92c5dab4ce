"""Calibrating on a user's own labelled questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.confidence.calibration import Calibration
from retrieval.confidence.fit import Reliability, fit, measure
from retrieval.types import Found

FOLDS = 5


@dataclass(frozen=True)
class Labelled:
    """A question with the documents (ids, titles or locations) that hold all its evidence."""

    question: str
    documents: tuple[str, ...]


@dataclass(frozen=True)
class Refit:
    """A calibration fitted on all questions, and what to expect of it.

    :param present: how the calibration in use does on them; None where it gives no number.
    :param expected: how fits on four fifths do on the remaining fifth.
    """

    calibration: Calibration
    present: Reliability | None
    expected: Reliability


def covers(found: Found, wanted: Sequence[str]) -> bool:
    """Whether the hits hold all wanted documents, each named by id, title or location.

    A question without any is one that the library cannot answer, so nothing covers it.
    """
    held = {name for hit in found.hits for name in (hit.passage.document, hit.passage.title, hit.passage.location)}
    return bool(wanted) and set(wanted) <= held


def refit(found: Sequence[Found], labelled: Sequence[Labelled], embedder: str) -> Refit:
    """Fit on what searches saw of labelled questions.

    Questions are dealt to the folds in turn, so that the same file gives the same figures.

    :raises UsageError: there are too few questions.
    """
    seen: list[Mapping[str, float]] = [one.confidence.signals for one in found]
    covered = [covers(one, label.documents) for one, label in zip(found, labelled, strict=True)]
    provenance = {"fitted_on": "own labelled questions", "questions": len(seen), "covered": sum(covered)}
    calibration = fit(seen, covered, embedder, provenance=provenance)
    chances = np.zeros(len(seen))
    for fold in range(FOLDS):
        inside = [index for index in range(len(seen)) if index % FOLDS != fold]
        part = fit([seen[i] for i in inside], [covered[i] for i in inside], embedder, least=0)
        for index in range(fold, len(seen), FOLDS):
            chances[index] = part.probability(seen[index])
    known = [(one.confidence, label) for one, label in zip(found, covered, strict=True)]
    now = [(c.probability, label, c.threshold or 1.0) for c, label in known if c.probability is not None]
    present = measure([p for p, _, _ in now], [label for _, label, _ in now], now[0][2]) if now else None
    return Refit(calibration, present, measure(chances.tolist(), covered, calibration.threshold))
