"""A run as it goes, drawn on a terminal: the plan as it grows, what each step found, what it took so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from pinakes_ask.plan import SubQuestion
from pinakes_ask.run import Progress, Watch
from transcripts.escape import one_line

_STATES = {
    "open": ("·", "dim"),
    "asked": ("→", "bold cyan"),
    "supported": ("✓", "green"),
    "unsupported": ("✗", "yellow"),
}


@contextmanager
def live_view(console: Console) -> Iterator[Watch]:
    """Yield what a run reports to; the drawing follows the run a few times a second, and is wiped at the end."""
    view = _View()
    with Live(console=console, get_renderable=view.draw, refresh_per_second=8, transient=True):
        yield view.follow


class _View:
    """Keeps the last report; run and account in it are the run's own, and go on changing."""

    def __init__(self) -> None:
        self._last: Progress | None = None
        self._spinner = Spinner("dots", style="cyan")

    def follow(self, progress: Progress) -> None:
        self._last = progress

    def draw(self) -> RenderableType:
        last = self._last
        if last is None:
            return self._status("search")
        plan = last.run.plan
        parts: list[RenderableType] = [_plan(plan.nodes)] if plan is not None else []
        return Group(*parts, self._status(last.text, last))

    def _status(self, text: str, last: Progress | None = None) -> RenderableType:
        line = Text(one_line(text), no_wrap=True, overflow="ellipsis")
        if last is not None:
            line.append(f"   {took(last)}", style="dim")
        self._spinner.update(text=line)
        return self._spinner


def _plan(nodes: list[SubQuestion]) -> Table:
    table = Table.grid(padding=(0, 1))
    for node in list(nodes):
        mark, style = _STATES[node.status]
        text = Text(one_line(node.asked or node.question))
        if node.answer is not None:
            text.append(f" → {one_line(node.answer)}", style="bold")
        table.add_row(Text(mark, style=style), Text(f"{node.id}.", style="dim"), text)
    return table


def took(progress: Progress) -> str:
    """Return what a run has taken so far, in words; a cost that nobody can tell is unknown."""
    spent = progress.budget.spent
    calls = progress.budget.calls
    parts = [f"{calls} call{'' if calls == 1 else 's'}"]
    tokens = spent.prompt_tokens + spent.completion_tokens
    if tokens:
        parts += [f"{tokens:,} tokens", "cost unknown" if spent.cost is None else f"cost {spent.cost:.4f}"]
    return ", ".join([*parts, f"{progress.budget.seconds:.1f} s"])
