"""What many transcripts cost: listing them from the shell, and keeping one run while it goes on.

    python tests/benchmarks/transcripts_scale.py --work WORK [--runs 10000]

The stored records of the tests are written again and again below ``WORK``, each time with another id,
date and question, sealed anew. Every list is a ``pnk`` process of its own, as a user starts it.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ulid import ULID

from transcripts.record import Transcript
from transcripts.store import TRANSCRIPT, load, run_folder, save
from transcripts.unfinished import Checkpoint

STORED = Path(__file__).parents[1] / "transcripts" / "stored" / "version-1"
LATEST = datetime(2026, 3, 1, tzinfo=UTC)


def another(record: Transcript, number: int) -> Transcript:
    """The same run, asked at another time in other words."""
    created = LATEST - timedelta(minutes=37 * number)
    changes = {
        "id": str(ULID.from_datetime(created)),
        "created": created,
        "question": f"{record.question} ({number})",
    }
    return record.model_copy(update=changes).sealed()


def write_runs(asks: Path, count: int) -> float:
    """Write ``count`` records and return their mean size in KiB."""
    originals = [load(folder) for folder in sorted(STORED.iterdir())]
    size = 0
    for number in range(count):
        made = another(originals[number % len(originals)], number)
        folder = run_folder(asks, made)
        folder.mkdir(parents=True)
        text = made.to_json()
        size += len(text)
        (folder / TRANSCRIPT).write_text(text, encoding="utf-8")
    return size / count / 1024


def listed(library: Path, *flags: str) -> tuple[float, float]:
    """Seconds that one list takes from the shell, by the wall and of the processor."""
    begun, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pinakes_ask", "transcripts", "list", "--kb", str(library), *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - begun, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def row(name: str, times: list[tuple[float, float]]) -> None:
    """Print a row of the table, with medians."""
    wall, processor = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"| {name} | {wall:.2f} | {processor:.2f} |")


def kept(asks: Path) -> tuple[float, float]:
    """Milliseconds that a checkpoint and a record take, medians of 20."""
    record = load(next(STORED.glob("*who-took-over*")))
    checkpoints, records = [], []
    for number in range(20):
        made = another(record, -number - 1)
        checkpoint = Checkpoint(asks, made.id)
        checkpoint.write(made)  # the first one makes the folder and takes the lock
        begun = time.perf_counter()
        checkpoint.write(made)
        checkpoints.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        save(asks, made, {"nodes": [], "edges": [], "gap": None})
        records.append(time.perf_counter() - begun)
        checkpoint.remove()
        checkpoint.close()
    return 1000 * statistics.median(checkpoints), 1000 * statistics.median(records)


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=10_000)
    options = parser.parse_args()
    library = options.work / "library"
    shutil.rmtree(library, ignore_errors=True)
    asks = library / "asks"
    asks.mkdir(parents=True)
    mean = write_runs(asks, options.runs)
    print(f"{options.runs:,} records of {mean:.0f} KiB on average\n")
    print("| list, from the shell | s | processor, s |\n|---|---|---|")
    row("nothing known, every record is read", [listed(library)])
    for name, flags in (
        ("again", ()),
        ("by score and class", ("--score", "C=null", "--sort", "cost")),
        ("all, as JSON", ("--json",)),
    ):
        row(f"{name}, median of 5", [listed(library, *flags) for _ in range(5)])
    newest = max(asks.rglob(TRANSCRIPT))
    newest.touch()
    row("after one record changed", [listed(library)])
    checkpoint, record = kept(options.work / "kept")
    print(f"\n| kept on disk | ms |\n|---|---|\n| a checkpoint | {checkpoint:.1f} |\n| a record | {record:.1f} |")


if __name__ == "__main__":
    main()
