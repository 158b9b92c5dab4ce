"""How rows of transcripts look on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from transcripts.escape import one_line
from transcripts.summary import Summary

STATUS_STYLE = {"answered": "green", "partial": "yellow", "no_evidence": "yellow", "failed": "red"}
REVIEW_STYLE = {"accept": "green", "reject": "red"}


def show_rows(console: Console, runs: Sequence[Summary], length: int) -> None:
    """Print one line a run, with the last characters of its id. A terminal cuts the line, a pipe does not."""
    reviewed = any(run.review for run in runs)
    head = Text(f"{'id':{length}}  {'asked':10}  {'status':11}  C  E     D  ", "bold")
    console.print(head.append("review  " if reviewed else "").append("question → answer"), soft_wrap=True)
    for run in runs:
        line = Text(f"{run.id[-length:]:{length}}  ", "cyan")
        line.append(f"{run.created[:10]}  ", "default")
        line.append(f"{run.status:11}  ", STATUS_STYLE.get(run.status, "default"))
        scores = f"{measure(run.completeness)}  {measure(run.essentiality):4}  {measure(run.determinateness)}  "
        line.append(scores, "default")
        if reviewed:
            line.append(f"{run.review or '-':6}  ", REVIEW_STYLE.get(run.review or "", "dim"))
        line.append(one_line(run.question), "default").append(_outcome(run), "default")
        if console.is_terminal:
            line.truncate(console.width, overflow="ellipsis")
        console.print(line, soft_wrap=True)


def _outcome(run: Summary) -> str:
    """The answer, or what is wrong where there is none."""
    if run.short_answer is not None:
        return f" → {one_line(run.short_answer)}" + (f" ({run.failure_class})" if run.failure_class else "")
    return f" → ({run.failure_class or run.stop_reason})"


def measure(value: float | None) -> str:
    """Return a measure for a table: C and D without decimals; a hyphen for what was not measured."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.2f}"
