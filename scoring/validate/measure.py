"""Errors of the scorer on answers of known truth."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from retrieval.text.errors import PinakesAskError
from scoring.extract import extract
from scoring.extract.model import ExtractionModel, extract_with
from scoring.logicscore import score
from scoring.types import Extraction
from scoring.validate.cases import Case, build_cases
from scoring.validate.worlds import Excluded, World, build_world

Extractor = Callable[[Case], Extraction]


def oracle(case: Case) -> Extraction:
    """The perfect extraction of a case."""
    return case.oracle()


def rules(case: Case, *, use_parser: bool = True) -> Extraction:
    """The model-free extraction of a case's text; form, hops and aliases are known, as from a plan."""
    truth = case.oracle()
    found = extract(
        _question(case),
        [part.text for part in case.parts],
        case.short_answer,
        form=truth.form,
        plan_hops=truth.plan_hops,
        aliases=[*truth.aliases, *([case.gold] if len(case.gold) > 1 else [])],
        use_parser=use_parser,
    )
    return Extraction.from_json(found.to_json() | {"reinferred": truth.reinferred})


def by_model(
    model: ExtractionModel, run: Callable[[Coroutine[Any, Any, Extraction]], Extraction] = asyncio.run
) -> Extractor:
    """Return the extraction that ``model`` makes of a case's text; form, hops and aliases are known.

    A case that the model fails on has a failed extraction, and the others go on.

    :param run: brings a coroutine to its end; a model that keeps connections needs one event loop for all.
    """

    def extractor(case: Case) -> Extraction:
        truth = case.oracle()
        asked = extract_with(
            model,
            _question(case),
            [part.text for part in case.parts],
            case.short_answer,
            form=truth.form,
            plan_hops=truth.plan_hops,
            aliases=[*truth.aliases, *([case.gold] if len(case.gold) > 1 else [])],
            reinfer=False,
        )
        try:
            found = run(asked)
        except PinakesAskError as error:
            return Extraction(failed=str(error), method="model")
        return Extraction.from_json(found.to_json() | {"reinferred": truth.reinferred})

    return extractor


def _question(case: Case) -> str:
    question = case.world.question
    for old, new in sorted(case.replaced.items(), key=lambda item: -len(item[0])):
        question = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, question, flags=re.IGNORECASE)
    return question


@dataclass(slots=True)
class Tally:
    """Counts over cases. C is a test for "the reasoning is complete": positive is C = 1."""

    true_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0
    false_positive: int = 0
    not_applicable: Counter[str] = field(default_factory=Counter)
    essentiality_error: float = 0.0
    wrong_essentiality: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def cases(self) -> int:
        """How many cases were scored, whether or not C applied."""
        return self.measured + sum(self.not_applicable.values())

    @property
    def measured(self) -> int:
        """How many cases have a C."""
        return self.true_positive + self.false_negative + self.true_negative + self.false_positive

    @property
    def wrong(self) -> int:
        """Cases with another C, E or class than the truth, or without a C."""
        classes = sum(count for (truth, found), count in self.confusion.items() if truth != found)
        return max(classes, self.wrong_essentiality) + sum(self.not_applicable.values())

    @property
    def sensitivity(self) -> float | None:
        """Share of complete answers that get C = 1; None without any."""
        total = self.true_positive + self.false_negative
        return self.true_positive / total if total else None

    @property
    def specificity(self) -> float | None:
        """Share of incomplete answers that get C = 0; None without any."""
        total = self.true_negative + self.false_positive
        return self.true_negative / total if total else None

    @property
    def mean_essentiality_error(self) -> float | None:
        """Mean |E - true E| over the cases that have an E."""
        return self.essentiality_error / self.measured if self.measured else None

    def add(self, case: Case, extraction: Extraction) -> None:
        """Score one case and count how the verdict compares with the truth."""
        verdict = score(extraction, short_answer=case.short_answer, gold=case.gold)
        if verdict.completeness is None or verdict.essentiality is None:
            self.not_applicable[verdict.not_applicable["completeness"]] += 1
            return
        truth, found = case.completeness, verdict.completeness
        self.true_positive += truth == found == 1
        self.true_negative += truth == found == 0
        self.false_positive += truth < found
        self.false_negative += truth > found
        error = abs(verdict.essentiality - case.essentiality)
        self.essentiality_error += error
        self.wrong_essentiality += error > 1e-9
        self.confusion[case.failure_class or "none", verdict.failure_class or "none"] += 1

    def to_json(self) -> dict[str, Any]:
        """Return the counts and rates as plain JSON values."""
        return {
            "cases": self.cases,
            "wrong": self.wrong,
            "true_positive": self.true_positive,
            "false_negative": self.false_negative,
            "true_negative": self.true_negative,
            "false_positive": self.false_positive,
            "not_applicable": dict(self.not_applicable),
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
            "mean_essentiality_error": self.mean_essentiality_error,
            "confusion": [
                {"truth": truth, "found": found, "cases": count}
                for (truth, found), count in sorted(self.confusion.items())
            ],
        }


def rogan_gladen(rate: float, sensitivity: float, specificity: float) -> float | None:
    """Return the true rate behind an observed one, cut to 0..1 (Rogan and Gladen 1978).

    (rate + specificity - 1) / (sensitivity + specificity - 1); None where the test is no better than
    chance, so that nothing can be corrected.
    """
    power = sensitivity + specificity - 1
    return min(1.0, max(0.0, (rate + specificity - 1) / power)) if power > 1e-9 else None


@dataclass(slots=True)
class Validation:
    """The tallies of a data set: by rendering and damage, and together."""

    questions: int = 0
    constructible: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    by_kind: dict[str, Tally] = field(default_factory=dict)
    total: Tally = field(default_factory=Tally)
    template: Tally = field(default_factory=Tally)
    halves: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))

    def corrected(self) -> dict[str, float | None]:
        """Return the rate of C = 1 in every second question: observed, corrected and true.

        The correction takes its sensitivity and specificity from the other questions.
        """
        known, other = self.halves
        observed = (other.true_positive + other.false_positive) / other.measured if other.measured else None
        true = (other.true_positive + other.false_negative) / other.measured if other.measured else None
        better = None
        if observed is not None and known.sensitivity is not None and known.specificity is not None:
            better = rogan_gladen(observed, known.sensitivity, known.specificity)
        return {"observed": observed, "corrected": better, "true": true}

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "questions": self.questions,
            "constructible": self.constructible,
            "excluded": dict(self.excluded.most_common()),
            "total": self.total.to_json(),
            "template": self.template.to_json(),
            "rate": self.corrected(),
            "by_kind": {kind: tally.to_json() for kind, tally in self.by_kind.items()},
        }


def worlds(rows: Iterable[Mapping[str, Any]]) -> Iterator[World | Excluded]:
    """Yield the world of each row, or why there is none."""
    return (build_world(row) for row in rows)


def validate(
    rows: Iterable[Mapping[str, Any]], extractor: Extractor, *, progress: Callable[[int], None] = lambda done: None
) -> Validation:
    """Score every case of every constructible question and count the errors."""
    result = Validation()
    for world in worlds(rows):
        result.questions += 1
        progress(result.questions)
        if isinstance(world, Excluded):
            result.excluded[world.reason] += 1
            continue
        result.constructible += 1
        for case in build_cases(world):
            extraction = extractor(case)
            kind = f"{case.rendering}" if case.damage == "none" else case.damage
            result.total.add(case, extraction)
            result.by_kind.setdefault(kind, Tally()).add(case, extraction)
            if case.rendering == "template":
                result.template.add(case, extraction)
                result.halves[result.constructible % 2].add(case, extraction)
    return result
