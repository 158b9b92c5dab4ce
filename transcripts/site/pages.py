"""Writing the pages. Every value passes through jinja's escaping; none is ever marked as safe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from transcripts.reviews import NOTE_LIMIT
from transcripts.site.rows import as_data, choices, in_words
from transcripts.site.run_page import RunPage
from transcripts.site.wording import MEASURES, STATUSES, judged, plain
from transcripts.summary import Summary

_HERE = Path(__file__).parent
ASSETS = _HERE / "assets"
TEMPLATES = _HERE / "templates"
#: Rows that the list shows without its script.
FIRST_ROWS = 50


@dataclass(frozen=True)
class Live:
    """A site that is served, where runs can be judged, and by whom."""

    reviewer: str


@dataclass(frozen=True)
class Neighbours:
    """The ids of the runs before and after one in the list."""

    earlier: str | None
    later: str | None


def index_html(runs: Sequence[Summary], problems: Sequence[str], library: str, live: Live | None = None) -> str:
    """Return the list of runs.

    :param runs: all of them, newest first.
    :param problems: one line for each file that was left out.
    """
    return (
        _environment()
        .get_template("index.html")
        .render(
            up="",
            styles=("base", "index"),
            scripts=("keys", "index"),
            runs=runs,
            data=as_data(runs),
            choices=choices(runs),
            summary=in_words(runs),
            library=library,
            problems=problems,
            measures=MEASURES,
            first_rows=FIRST_ROWS,
            live=live,
        )
    )


def run_html(page: RunPage, neighbours: Neighbours, live: Live | None = None) -> str:
    """Return the page of a run; with ``live`` it has a form to judge it."""
    return (
        _environment()
        .get_template("run.html")
        .render(
            up="../",
            styles=("base", "run", "drawing", "evidence"),
            scripts=("keys", "run"),
            page=page,
            statuses=STATUSES,
            earlier=neighbours.earlier,
            later=neighbours.later,
            note_limit=NOTE_LIMIT,
            live=live,
        )
    )


def neighbours(ids: Sequence[str], at: int) -> Neighbours:
    """Return what lies around the run at ``at`` in ``ids``, which are the newest first."""
    return Neighbours(
        earlier=ids[at - 1] if at > 0 else None,
        later=ids[at + 1] if at + 1 < len(ids) else None,
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"plain": plain, "judged": judged, "when": _when, "figure": _figure, "pretty": _pretty}
    return environment


def _when(time: datetime) -> str:
    return f"{time.day} {time:%b %Y, %H:%M} UTC"


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value in (0, 1) else f"{value:.2f}"


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
