"""How long the review site takes for many transcripts, made of those of a library.

    python -m tests.benchmarks.site_scale --asks ASKS --work WORK [--runs 10000]

``ASKS`` holds real transcripts; they are written again and again into ``WORK``, each time with another
id, date and question, sealed anew. With a browser at hand, the list is opened, searched and sorted too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from ulid import ULID

from tests.transcripts.browser import browser
from transcripts.folders import run_folders
from transcripts.reviews import add_review
from transcripts.site.build import Built, build_site
from transcripts.store import load, run_folder


def write_runs(source: Path, asks: Path, count: int) -> list[Path]:
    """Write ``count`` records made of those in ``source``, and return their folders."""
    originals = [(source / run.name, load(source / run.name)) for run in run_folders(source)]
    folders = []
    for number in range(count):
        folder, record = originals[number % len(originals)]
        created = record.created - timedelta(minutes=7 * number)
        made = record.model_copy(
            update={
                "id": str(ULID.from_datetime(created)),
                "created": created,
                "question": f"{record.question.rstrip('?')}, asked for the {number}th time?",
            }
        ).sealed()
        place = run_folder(asks, made)
        place.mkdir(parents=True)
        (place / "transcript.json").write_text(made.to_json(), encoding="utf-8")
        shutil.copy(folder / "path.json", place)
        folders.append(place)
    return folders


def timed(name: str, action: Callable[[], Built]) -> Built:
    """Print how long a build took, and how much of that the processor worked for it."""
    start, worked = time.perf_counter(), time.process_time()
    built = action()
    took, worked = time.perf_counter() - start, time.process_time() - worked
    print(f"| {name} | {took:.1f} | {worked:.1f} | {built.written} |")
    return built


def in_a_browser(index: Path) -> None:
    """Open the list, search and sort it, and print the time until it was drawn."""
    with browser() as driver:
        start = time.perf_counter()
        driver.get(index.as_uri())
        print(f"| open | {1000 * (time.perf_counter() - start):.0f} |")
        for name, act in (
            ("search", "const q = document.forms[0].elements.q; q.value = 'lantern born'; q.form.requestSubmit()"),
            ("clear", "document.getElementById('clear').click()"),
            ("sort by question", "document.querySelector('th[data-sort=question] button').click()"),
            ("filter", "const s = document.forms[0].elements.status; s.selectedIndex = 2; "
             "s.dispatchEvent(new Event('change', {bubbles: true}))"),
        ):  # fmt: skip
            took = driver.execute_script(f"const t = performance.now(); {act}; return performance.now() - t")
            print(f"| {name} | {took:.0f} |")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--asks", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=10_000)
    arguments = parser.parse_args()
    asks, out = arguments.work / "asks", arguments.work / "site"
    cache = arguments.work / "rows.sqlite3"
    folders = write_runs(arguments.asks, asks, arguments.runs)
    print(f"{arguments.runs} records, {sum(f.stat().st_size for f in asks.rglob('*.json')) / 1e6:.0f} MB")

    def build() -> Built:
        return build_site(asks, out, library="many", cache=cache)

    print("| build | s | of them processor | pages written |\n|---|---|---|---|")
    timed("the first", build)
    timed("nothing changed", build)
    record = load(folders[0])
    add_review(folders[0], record, "accept", reviewer="somebody", time=record.created)
    timed("one review more", build)
    page = (out / "index.html").stat().st_size
    pages = sum(file.stat().st_size for file in (out / "runs").iterdir())
    print(json.dumps({"index_mb": round(page / 1e6, 1), "pages_mb": round(pages / 1e6)}))
    print("| the list in a browser | ms |\n|---|---|")
    in_a_browser(out / "index.html")


if __name__ == "__main__":
    main()
