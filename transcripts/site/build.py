"""Writing the review site into a folder, where only what changed since the last time is written again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transcripts.errors import TranscriptError
from transcripts.site.output import open_output, write, write_list
from transcripts.site.overview import RUN_ID, overview
from transcripts.site.pages import ASSETS, TEMPLATES, index_html, neighbours, run_html
from transcripts.site.runs import read_run, stamp


@dataclass(frozen=True)
class Built:
    """What a build did. ``problems`` name the files that were left out."""

    index: Path
    runs: int
    written: int
    removed: int
    problems: tuple[str, ...]


def build_site(
    asks: Path,
    out: Path,
    *,
    library: str,
    cache: Path | None = None,
    report: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Built:
    """Write the site of all runs in ``asks`` into ``out``.

    A page is written again only when its run, its neighbours or the program's design of pages changed.
    Each file appears whole, and the list of runs last.

    :param library: the library's name, as the list shows it.
    :param cache: the database of rows, see :func:`transcripts.listing.list_runs`.
    :param report: told the stage, how many are done, and how many there are.
    :raises TranscriptError: when ``asks`` is no folder or ``out`` cannot be used.
    """
    if not asks.is_dir():
        raise TranscriptError(f"There are no transcripts in {asks}", "there is no such folder", "Ask with --deep")
    old = open_output(out)
    seen = overview(asks, cache, lambda done, total: report("records", done, total))
    ids = [run.id for run in seen.runs]
    design = _design()
    pages: dict[str, str] = {}
    problems = list(seen.problems)
    # Named before they are written: what a build that was stopped has left is then known to the next one.
    write_list(out, {**old, **{run: old.get(run, "") for run in ids}})
    written = 0
    for at, run in enumerate(seen.runs):
        around = neighbours(ids, at)
        made_of = f"{stamp(asks / run.folder)} {around.earlier} {around.later} {design}"
        file = _page(out, run.id)
        if old.get(run.id) != made_of or not file.is_file():
            try:
                write(file, run_html(read_run(asks / run.folder), around))
            except TranscriptError as error:
                problems.append(str(error))
                continue
            written += 1
        pages[run.id] = made_of
        report("pages", at + 1, len(ids))
    for asset in sorted(ASSETS.iterdir()):
        write(out / "assets" / asset.name, asset.read_text(encoding="utf-8"))
    shown = [run for run in seen.runs if run.id in pages]
    write(out / "index.html", index_html(shown, problems, library))
    removed = [run for run in old if run not in pages and RUN_ID.fullmatch(run)]
    for gone in removed:
        _page(out, gone).unlink(missing_ok=True)
    write_list(out, pages)
    return Built(out / "index.html", len(pages), written, len(removed), tuple(problems))


def _page(out: Path, run: str) -> Path:
    return out / "runs" / f"{run}.html"


def _design() -> str:
    """A text that differs once this package writes other pages."""
    digest = hashlib.sha256()
    for folder, pattern in ((TEMPLATES, "*"), (TEMPLATES.parent, "*.py")):
        for file in sorted(folder.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
