"""How two runs differ: their settings, plan, evidence, answer and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from transcripts.record import AnswerInfo, EvidencePassage, PlanInfo, Transcript
from transcripts.summary import MEASURES


@dataclass(frozen=True)
class Change:
    """One thing that both runs have, with its two values; None where a run has none."""

    name: str
    a: Any
    b: Any


@dataclass(frozen=True)
class Part:
    """One part of two runs: what changed, what only one has, and how much is the same in both."""

    changed: tuple[Change, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    same: int = 0

    @property
    def differs(self) -> bool:
        """Whether there is any difference."""
        return bool(self.changed or self.only_a or self.only_b)


@dataclass(frozen=True)
class RunDiff:
    """The parts of two runs, in the order in which a reviewer compares them."""

    settings: Part
    plan: Part
    evidence: Part
    answer: Part
    scores: Part

    def parts(self) -> dict[str, Part]:
        """Return the parts by their names."""
        return {name: getattr(self, name) for name in ("settings", "plan", "evidence", "answer", "scores")}

    def to_json(self) -> dict[str, Any]:
        """Return the parts as plain JSON values."""
        return asdict(self)


def diff(a: Transcript, b: Transcript) -> RunDiff:
    """Compare two runs, of one question or of two.

    Settings include what the run was made with: question, model, library and program. Nodes of a plan
    are paired by what they ask, passages by their id, and statements by their text.
    """
    return RunDiff(_settings(a, b), _plan(a.plan, b.plan), _evidence(a, b), _answer(a, b), _scores(a, b))


def _settings(a: Transcript, b: Transcript) -> Part:
    def flat(record: Transcript) -> dict[str, Any]:
        made_with = {
            "question": record.question,
            "model": record.model,
            "library": record.library.name,
            "fingerprint": record.library.fingerprint,
            "version": record.program.version,
        }
        return made_with | dict(_flat("", record.settings))

    return _changes(flat(a), flat(b))


def _flat(prefix: str, values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}", value


def _plan(a: PlanInfo | None, b: PlanInfo | None) -> Part:
    def nodes(plan: PlanInfo | None) -> dict[str, str]:
        found = plan.nodes if plan else ()
        return {node.asked or node.question: node.answer or node.status for node in found}

    form = _changes({"form": a.form if a else None}, {"form": b.form if b else None})
    paired = _paired(nodes(a), nodes(b))
    return Part((*form.changed, *paired.changed), paired.only_a, paired.only_b, paired.same)


def _evidence(a: Transcript, b: Transcript) -> Part:
    def texts(passages: Iterable[EvidencePassage]) -> dict[str, str]:
        return {f"{one.title} ({one.id})": one.text for one in passages}

    return _paired(texts(a.evidence), texts(b.evidence))


def _answer(a: Transcript, b: Transcript) -> Part:
    def statements(answer: AnswerInfo) -> dict[str, tuple[str, ...]]:
        return {one.text: tuple(f"{c.document}: {c.quote}" for c in one.citations) for one in answer.statements}

    def outcome(run: Transcript) -> dict[str, Any]:
        return {
            "short answer": run.answer.short_answer,
            "withheld": run.answer.withheld or None,
            "status": run.status,
            "stopped by": run.stop_reason,
        }

    paired = _paired(statements(a.answer), statements(b.answer))
    changed = (*_changes(outcome(a), outcome(b)).changed, *paired.changed)
    return Part(changed, paired.only_a, paired.only_b, paired.same)


def _scores(a: Transcript, b: Transcript) -> Part:
    def scores(run: Transcript) -> dict[str, Any]:
        verdict = run.score.verdict if run.score else {}
        citations = run.score.citations if run.score else {}
        return {
            **{measure: verdict.get(measure) for measure in MEASURES},
            "class": verdict.get("class"),
            "citation precision": citations.get("precision"),
            "citation recall": citations.get("recall"),
            "confidence": run.confidence.probability,
            "calls": run.usage.calls,
            "cost": run.usage.cost,
        }

    return _changes(scores(a), scores(b))


def _changes(a: Mapping[str, Any], b: Mapping[str, Any]) -> Part:
    """Compare values by name; a name that one lacks has the value None there."""
    names = dict.fromkeys([*a, *b])
    changed = tuple(Change(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name))
    return Part(changed, same=len(names) - len(changed))


def _paired(a: Mapping[str, Any], b: Mapping[str, Any]) -> Part:
    """Compare values by name; a name that one lacks is its own kind of difference."""
    changed = tuple(Change(name, a[name], b[name]) for name in a if name in b and a[name] != b[name])
    both = sum(name in b for name in a)
    return Part(changed, tuple(n for n in a if n not in b), tuple(n for n in b if n not in a), both - len(changed))
