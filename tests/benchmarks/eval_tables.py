"""The tables of docs/benchmarks.md on evaluation, from the folders of runs of ``pnk eval``.

python tests/benchmarks/eval_tables.py RUN RUN RUN
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pinakes_ask.evaluation.figures import Figure
from pinakes_ask.evaluation.metrics import BY_NAME
from pinakes_ask.evaluation.reporting import EvalReport, load_run
from pinakes_ask.evaluation.wording import number

LEFT_OUT = (
    "model_judged",
    "false_confidence",
    "sentence_precision",
    "sentence_recall",
    "tokens",
    "cost",
    "seconds",
)
#: Smaller groups are left out.
LEAST = 20
BRIEF = (
    "exact_match", "substring_match_long", "coverage", "recall@2", "recall@5", "recall@10", "all_evidence@5",
    "citation_recall", "completeness_gold",
)  # fmt: skip


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--against", type=Path, help="print the differences of one run from this one")
    given = parser.parse_args()
    if given.against is not None:
        differences(EvalReport.of(load_run(given.runs[0]), load_run(given.against), 0))
        return
    reports = [EvalReport.of(load_run(run), None, 0) for run in given.runs]
    names = [report.run.info.dataset["name"] for report in reports]
    head("", *(f"{name} ({len(report.run.rows)})" for name, report in zip(names, reports, strict=True)))
    for name in (name for name in BY_NAME if name not in LEFT_OUT):
        line(BY_NAME[name].title, *(cell(report.figures.all.figure(name)) for report in reports))
    line("ECE / AUROC of the gate", *(gate(report) for report in reports))
    print()
    classes = dict.fromkeys(name for report in reports for name in report.classes)
    head("reasoning (gold answer)", *names)
    for one in classes:
        line(one.replace("_", " "), *(str(report.classes.get(one, 0)) for report in reports))
    for kind in ("by_hops", "by_type"):
        print()
        head(f"{kind[3:]} (questions)", *(BY_NAME[name].title for name in BRIEF))
        for name, report in zip(names, reports, strict=True):
            for group in (one for one in getattr(report.figures, kind) if one.questions >= LEAST):
                means = (number(group.figure(metric).mean.mean, BY_NAME[metric]) for metric in BRIEF)
                line(f"{name}, {group.name} ({group.questions})", *means)


def differences(report: EvalReport) -> None:
    """Print the paired differences of a run from its baseline, for the metrics in which they differ."""
    assert report.comparison is not None
    head("", "difference", "pairs", "more", "less", "p")
    for one in report.comparison.differences:
        paired, metric = one.paired, one.metric
        found = paired.difference
        if metric.name in LEFT_OUT or not paired.wins + paired.losses or paired.p is None:
            continue
        low, high = number(found.low, metric, signed=True), number(found.high, metric, signed=True)
        mean = f"{number(found.mean, metric, signed=True)} ({low} to {high})"
        p = "below 0.0001" if paired.p < 1e-4 else f"{paired.p:.4f}"
        line(metric.title, mean, str(found.count), str(paired.wins), str(paired.losses), p)


def cell(one: Figure) -> str:
    """A mean with its interval, and how many answers it rests on where that is not all."""
    if one.mean.mean is None:
        return "-"
    text = number(one.mean.mean, one.metric)
    if one.mean.low is not None:
        text += f" ({number(one.mean.low, one.metric)} to {number(one.mean.high, one.metric)})"
    return text + (f", n = {one.mean.count}" if one.missing else "")


def gate(report: EvalReport) -> str:
    """The calibration of the gate's probability."""
    found = report.calibration
    return "-" if found.ece is None or found.auroc is None else f"{found.ece:.3f} / {found.auroc:.3f}"


def head(*cells: str) -> None:
    """Print the head of a table."""
    line(*cells)
    print("|" + "---|" * len(cells))


def line(*cells: str) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
