"""How much faster a batch is with many questions under way: ``python tests/benchmarks/batch_speed.py --work DIR``.

The model's server runs in a process of its own and answers after a set time; each question takes six calls
and three searches. Own processor time is what further questions add, so that the start is not in it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.batch.model_server import Running, model_server, write_library, write_questions


@dataclass(frozen=True)
class Took:
    """One batch. ``first`` is from the start of the process to its first request."""

    seconds: float
    first: float
    processor: float

    @property
    def asking(self) -> float:
        return self.seconds - self.first


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="a folder for the library and the answers")
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--jobs", type=int, default=32)
    parser.add_argument("--count", type=int, default=320)
    given = parser.parse_args()
    library = given.work / "library"
    write_library(library)
    subprocess.run([sys.executable, "-m", "pinakes_ask", "sync", "--kb", library], check=True, capture_output=True)
    with model_server(latency=given.latency) as server:
        one = batch(given.work, server, jobs=1, count=20)
        few = batch(given.work, server, jobs=given.jobs, count=given.count // 4)
        many = batch(given.work, server, jobs=given.jobs, count=given.count)
    slow, fast = 20 / one.asking, given.count / many.asking
    added = (many.processor - few.processor) / (given.count - given.count // 4)
    print("| | measured | goal |\n|---|---|---|")
    print(f"| questions a second, -j 1 | {slow:.2f} | |")
    print(f"| questions a second, -j {given.jobs} | {fast:.1f} | |")
    print(f"| times faster | {fast / slow:.1f} | 20 |")
    print(f"| own processor time a question, ms | {1000 * added:.0f} | 30 |")
    print(f"| start to first request, s | {one.first:.1f} | 3 |")


def batch(work: Path, server: Running, *, jobs: int, count: int) -> Took:
    """Answer so many questions anew."""
    questions, answers = work / "questions.jsonl", work / "answers.jsonl"
    write_questions(questions, count)
    answers.unlink(missing_ok=True)
    before, known = resource.getrusage(resource.RUSAGE_CHILDREN), len(server.log())
    start = time.perf_counter()
    command = ["batch", questions, "--kb", work / "library", "--out", answers, "--yes", "-q", "-j", str(jobs)]
    process = subprocess.Popen([sys.executable, "-m", "pinakes_ask", *command, *server.flags])
    while len(server.log()) == known and process.poll() is None:
        time.sleep(0.01)
    first = time.perf_counter() - start
    if process.wait() != 0:
        sys.exit("the batch failed, so there is nothing to measure")
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(seconds, first, processor)


if __name__ == "__main__":
    main()
