"""``pnk score validate``: errors of the scorer on answers whose scores are known by construction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinakes_ask.cli import common
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.cli.endpoint import ModelSession
    from scoring.types import Extraction
    from scoring.validate.cases import Case
    from scoring.validate.measure import Tally, Validation

_WAYS = ("oracle", "rules", "patterns")


def run_validation(
    dataset: Path, extraction: str, limit: int | None, session: ModelSession | None, *, as_json: bool
) -> int:
    """Validate one way of extraction, or all that are free; exit code 1 where the oracle's has errors."""
    from scoring.validate.measure import by_model, oracle, rules, validate

    if extraction not in (*_WAYS, "all", "model"):
        raise UsageError(
            "Cannot validate", f"{extraction!r} is no extraction", f"Choose {', '.join(_WAYS)}, all or model"
        )
    if (extraction == "model") != (session is not None):
        raise UsageError(
            "Cannot validate",
            "--extraction model and --model go together",
            "Give both, or neither",
        )
    rows = _read(dataset)[:limit]
    ways: dict[str, Callable[[Case], Extraction]] = {
        "oracle": oracle,
        "rules": rules,
        "patterns": partial(rules, use_parser=False),
    }
    if session is not None:
        ways["model"] = session.checked(by_model(session.extraction, session.run))
    chosen = _WAYS if extraction == "all" else (extraction,)
    results: dict[str, Validation] = {}
    with common.progress_bar() as report:
        for way in chosen:
            results[way] = validate(rows, ways[way], progress=partial(_report, report, way, len(rows)))
    if session is not None:
        common.notice(session.summary())
    if as_json:
        common.print_json({"schema_version": 1, **{way: one.to_json() for way, one in results.items()}})
    else:
        common.print_result("\n\n".join(_as_text(way, one) for way, one in results.items()))
    return int("oracle" in results and results["oracle"].total.wrong > 0)


def _report(report: Any, way: str, total: int, done: int) -> None:
    report(way, done, total)


def _read(dataset: Path) -> list[Mapping[str, Any]]:
    path = dataset / "questions.jsonl" if dataset.is_dir() else dataset
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise UsageError(
            f"Cannot read {path}", error.strerror or "it cannot be opened", "Name a file of questions"
        ) from None
    except ValueError as error:
        raise UsageError(
            f"Cannot read {path}", f"it is no JSON Lines ({error})", "Name a file of questions"
        ) from None
    for row in rows:
        if not isinstance(row, dict) or not {"id", "question", "answer"} <= row.keys():
            raise UsageError(
                f"Cannot validate on {path}",
                "a row lacks id, question or answer",
                "Name a file of questions with gold facts",
            )
    return rows


def _as_text(way: str, one: Validation) -> str:
    lines = [
        f"{way}: {one.constructible} of {one.questions} questions, "
        f"{one.total.cases} answers, {one.total.wrong} wrong"
    ]
    lines += [f"  excluded {count}: {reason}" for reason, count in one.excluded.most_common()]
    lines.append(
        f"  {'rendering or damage':<26}{'answers':>8}{'wrong':>7}{'C=1 kept':>10}{'C=0 found':>10}{'n/a':>6}"
        f"{'mean |dE|':>11}"
    )
    lines += [
        _tally(kind, tally)
        for kind, tally in [*one.by_kind.items(), ("template, all", one.template), ("all", one.total)]
    ]
    lines.append("  class confusion (true class > found class):")
    lines += [
        f"    {truth} > {found}: {count}"
        for (truth, found), count in one.total.confusion.most_common()
        if truth != found
    ]
    rate = {name: "unknown" if value is None else f"{value:.3f}" for name, value in one.corrected().items()}
    lines.append(
        f"  rate of C = 1 in every second question: observed {rate['observed']}, corrected {rate['corrected']} "
        f"(Rogan-Gladen, from the other half), true {rate['true']}"
    )
    return "\n".join(lines)


def _tally(kind: str, tally: Tally) -> str:
    def share(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    return (
        f"  {kind:<26}{tally.cases:>8}{tally.wrong:>7}{share(tally.sensitivity):>10}{share(tally.specificity):>10}"
        f"{sum(tally.not_applicable.values()):>6}{share(tally.mean_essentiality_error):>11}"
    )
