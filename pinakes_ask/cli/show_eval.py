"""How an evaluation looks on a terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pinakes_ask.evaluation.comparison import Comparison, Difference
from pinakes_ask.evaluation.figures import Figure, Group
from pinakes_ask.evaluation.reporting import EvalReport
from pinakes_ask.evaluation.wording import in_words, number
from transcripts.escape import one_line

#: What the tables by type and by hops show of all metrics, under a short name.
BRIEF = {
    "exact_match": "EM",
    "f1": "F1",
    "coverage": "given",
    "recall@5": "recall@5",
    "all_evidence@5": "all@5",
    "citation_recall": "cited",
    "completeness_gold": "C gold",
}

#: So many characters of a type stay on one line.
_WIDEST = 20


def show_evaluation(console: Console, report: EvalReport) -> None:
    """Print the figures of a run, and its differences from a baseline where there is one."""
    console.print(f"\n[bold]{_plain(report.run.name)}[/]: {_plain(in_words(report))}\n")
    console.print(_whole(report.figures.all))
    for title, groups in (("type", report.figures.by_type), ("hops", report.figures.by_hops)):
        if len(groups) > 1:
            console.print(_brief(title, groups, report.figures.all))
    _gate(console, report)
    wrong = {name: count for name, count in report.classes.items() if name not in ("none", "not scored")}
    if wrong:
        said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in wrong.items())
        console.print(f"Reasoning that does not hold: {said}.")
    _missing(console, report.figures.all)
    if report.comparison is not None:
        _compared(console, report.comparison)


def _whole(group: Group) -> Table:
    table = _table("metric", "mean", "95% interval", "answers", "not applicable")
    for one in group.figures:
        if one.mean.count:
            gone = str(sum(one.missing.values()) or "")
            table.add_row(one.metric.title, *_mean(one), str(one.mean.count), gone)
    return table


def _brief(title: str, groups: tuple[Group, ...], whole: Group) -> Table:
    names = [name for name in BRIEF if whole.figure(name).mean.count]
    table = _table(title, "n", *(BRIEF[name] for name in names))
    # Names of types are single words, which would be broken anywhere.
    table.columns[0].min_width = min(_WIDEST, max(len(_plain(group.name)) for group in groups))
    for group in groups:
        cells = (number(group.figure(name).mean.mean, group.figure(name).metric) for name in names)
        table.add_row(_plain(group.name), str(group.questions), *cells)
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    return table


def _mean(one: Figure) -> tuple[str, str]:
    mean, metric = one.mean, one.metric
    interval = "" if mean.low is None else f"{number(mean.low, metric)} to {number(mean.high, metric)}"
    return number(mean.mean, metric), interval


def _gate(console: Console, report: EvalReport) -> None:
    found = report.calibration
    if found.ece is None:
        return
    auroc = "unknown" if found.auroc is None else f"{found.auroc:.3f}"
    console.print(
        f"Confidence of the first search: expected calibration error {found.ece:.3f}, AUROC {auroc}, "
        f"over {found.questions} questions ({found.unknown} without a probability or known evidence)."
    )


def _missing(console: Console, group: Group) -> None:
    """Say why, once for all metrics of one reason."""
    reasons: dict[tuple[str, int], list[str]] = {}
    for one in group.figures:
        for reason, count in one.missing.items():
            reasons.setdefault((reason, count), []).append(one.metric.title)
    if reasons:
        console.print("\n[bold]Not applicable[/]")
    for (reason, count), titles in reasons.items():
        console.print(f"  {count}: {_plain(reason)} [dim]({', '.join(titles)})[/]")


def _compared(console: Console, found: Comparison) -> None:
    console.print(
        f"\n[bold]Against {_plain(found.name)}[/], on {found.common} questions in common "
        f"({found.only_here} only here, {found.only_there} only there)\n"
    )
    table = _table("metric", "difference", "95% interval", "pairs", "more", "less", "p")
    for one in found.differences:
        if one.paired.difference.count:
            table.add_row(one.metric.title, *_difference(one))
    console.print(table)
    console.print(
        "[dim]p by McNemar's exact test for yes/no metrics, by a permutation test for others; "
        "not corrected for their number.[/]"
    )


def _difference(one: Difference) -> tuple[str, ...]:
    paired, metric = one.paired, one.metric
    mean = paired.difference
    colour = {True: "green", False: "red", None: "default"}[one.better]
    interval = (
        ""
        if mean.low is None
        else f"{number(mean.low, metric, signed=True)} to {number(mean.high, metric, signed=True)}"
    )
    p = "" if paired.p is None else f"[{colour}]{paired.p:.4f}[/]" if paired.p >= 1e-4 else f"[{colour}]<0.0001[/]"
    return (
        number(mean.mean, metric, signed=True), interval, str(mean.count), str(paired.wins), str(paired.losses), p
    )  # fmt: skip


def _plain(text: str) -> str:
    return escape(one_line(text))
