"""``pnk transcripts site``: all runs as pages, to be read and reviewed in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import find_place, shown


def site(
    out: Annotated[Path, typer.Argument(help="The folder to write: an empty one, or that of an earlier site.")],
    kb: KbOption = None,
    asks: AsksOption = None,
    as_json: JsonOption = False,
) -> int:
    """Write a static site of all transcripts: a list to search, and a page a run with its evidence.

    It needs no server and loads nothing from elsewhere: open its index.html. Written again, only
    what changed is written.
    """
    from transcripts.site.build import build_site

    place = find_place(kb, asks)
    with common.progress_bar() as report:
        built = build_site(place.asks, out, library=place.library.resolve().name, cache=place.cache, report=report)
    for problem in built.problems:
        common.notice(f"warning: {problem}")
    if as_json:
        common.print_json(
            {
                "schema_version": 1,
                "index": shown(built.index),
                "runs": built.runs,
                "written": built.written,
                "removed": built.removed,
                "problems": list(built.problems),
            }
        )
        return 0
    common.print_result(shown(built.index))
    common.notice(f"{built.runs} runs, {built.written} pages written, {built.removed} removed.")
    return 0
