"""How long ``pnk ask --deep`` takes from the shell and inside: ``python tests/benchmarks/ask_speed.py --kb PATH``.

The library must be synced. Times are of this machine, so the same run also prints what Python and the
slowest imports take alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

DEFAULT = "Where was the composer of The Lantern Suite born?"


def shell(*command: str) -> float:
    """Seconds of one process from start to end."""
    start = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1) or "error:" in done.stderr:
        sys.exit(f"{' '.join(command)} failed, so there is nothing to measure: {done.stderr.strip()}")
    return seconds


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--questions", type=Path, help="JSONL with a question in each row, for the time inside")
    parser.add_argument("--question", default=DEFAULT)
    parser.add_argument("--limit", type=int, default=50)
    given = parser.parse_args()
    place = ["--kb", str(given.kb), *(["--state", str(given.state)] if given.state else [])]
    python = [sys.executable, "-c"]
    ask = [sys.executable, "-m", "pinakes_ask", "ask", "--deep", "--no-save", "--json", *place, given.question]
    rows = [
        ("python alone", [*python, "pass"]),
        (
            "import spacy and its model",
            [*python, "from retrieval.text.parser import english_parser; english_parser()"],
        ),
        ("pnk --help", [sys.executable, "-m", "pinakes_ask", "--help"]),
        ("pnk ask --deep", ask),
    ]
    print("| from the shell | median of 5, s |\n|---|---|")
    for name, command in rows:
        print(f"| {name} | {statistics.median(shell(*command) for _ in range(5)):.2f} |")
    inside = measure_inside(given)
    print(f"\n| inside, {len(inside)} questions | ms |\n|---|---|")
    print(f"| median | {1000 * statistics.median(inside):.0f} |")
    print(f"| 95th percentile | {1000 * sorted(inside)[int(0.95 * (len(inside) - 1))]:.0f} |")


def measure_inside(given: argparse.Namespace) -> list[float]:
    """Seconds a question takes once the models are loaded."""
    import asyncio

    from pinakes_ask.check import SelfCheck
    from pinakes_ask.loop import Loop
    from pinakes_ask.models.extractive.model import ExtractiveModel
    from pinakes_ask.seams import SystemClock
    from pinakes_ask.settings import Settings
    from retrieval.library import Library

    questions = [given.question]
    if given.questions:
        lines = given.questions.read_text(encoding="utf-8").splitlines()[: given.limit]
        questions = [json.loads(line)["question"] for line in lines]
    times: list[float] = []
    with Library.open(given.kb, state=given.state) as library:
        model = ExtractiveModel()
        asyncio.run(Loop(library, model, SelfCheck(), Settings(), SystemClock()).ask(questions[0]))
        for question in questions:
            loop = Loop(library, ExtractiveModel(), SelfCheck(), Settings(), SystemClock())
            start = time.perf_counter()
            asyncio.run(loop.ask(question))
            times.append(time.perf_counter() - start)
    return times


if __name__ == "__main__":
    main()
