"""How fast a batch is on workers of this machine, beside one without: ``python tests/benchmarks/ray_speed.py``.

Either with the extractive model over a library of yours, where the processors are the limit, or with a model's
server that answers after a set time, where its time is. Each batch answers all questions anew.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.batch.model_server import Running, model_server, write_library, write_questions

HEAD = "| way | questions a second | start to first row, s | whole, s | the writing process, ms a question |"


@dataclass(frozen=True)
class Took:
    """One batch: ``first`` until its first row, ``own`` processor seconds of the writing process from then on."""

    seconds: float
    first: float
    own: float
    count: int

    @property
    def rate(self) -> float:
        """Questions a second, once the first has its row."""
        return (self.count - 1) / max(self.seconds - self.first, 1e-9)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is written")
    parser.add_argument("--kb", type=Path, help="a library, for the extractive model")
    parser.add_argument("--questions", type=Path, help="its questions")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.2, help="of the server, without --kb")
    parser.add_argument("--jobs", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    questions = given.work / "questions.jsonl"
    library = given.kb or given.work / "library"
    if given.kb is None:
        write_library(library)
        write_questions(questions, given.count)
    else:
        rows = [json.loads(line) for line in given.questions.read_text(encoding="utf-8").splitlines()]
        asked = [{"id": str(row["id"]), "question": row["question"]} for row in rows[: given.count]]
        questions.write_text("".join(json.dumps(one) + "\n" for one in asked), encoding="utf-8")
    state = ["--kb", str(library), "--state", str(given.work / "state")]
    subprocess.run([sys.executable, "-m", "pinakes_ask", "sync", *state], check=True, capture_output=True)
    spread = max(1, given.jobs // given.workers)
    ways = {
        f"-j {given.jobs}": ["-j", str(given.jobs)],
        f"--ray local, 1 worker, -j {given.jobs}": ["--ray", "local", "--ray-workers", "1", "-j", str(given.jobs)],
        f"--ray local, {given.workers} workers, -j {spread}": [
            "--ray", "local", "--ray-workers", str(given.workers), "-j", str(spread),
        ],
    }  # fmt: skip
    print(HEAD)
    print("|---|---|---|---|---|")
    with server(given) as running:
        for name, flags in ways.items():
            took = batch(given.work, questions, [*state, *flags, *(running.flags if running else ())])
            own = 1000 * took.own / took.count
            print(f"| {name} | {took.rate:.1f} | {took.first:.1f} | {took.seconds:.1f} | {own:.0f} |", flush=True)


@contextmanager
def server(given: argparse.Namespace) -> Iterator[Running | None]:
    """Run a model's server where no library of the user's was named."""
    if given.kb is not None:
        yield None
        return
    with model_server(latency=given.latency) as running:
        yield running


def batch(work: Path, questions: Path, flags: list[str]) -> Took:
    """Answer all questions anew."""
    answers = work / "answers.jsonl"
    answers.unlink(missing_ok=True)
    start = time.perf_counter()
    command = ["batch", str(questions), "--out", str(answers), "--asks", str(work / "asks"), "--yes", "-q"]
    process = subprocess.Popen([sys.executable, "-m", "pinakes_ask", *command, *flags])
    while not (answers.exists() and answers.stat().st_size) and process.poll() is None:
        time.sleep(0.01)
    first = time.perf_counter() - start
    # Of this process alone: what Ray starts is waited for by itself.
    begun = used = own_seconds(process.pid)
    while process.poll() is None:
        used = own_seconds(process.pid) or used
        time.sleep(0.05)
    if process.returncode != 0:
        sys.exit("the batch failed, so there is nothing to measure")
    count = len(answers.read_text(encoding="utf-8").splitlines())
    return Took(time.perf_counter() - start, first, used - begun, count)


def own_seconds(process: int) -> float:
    """Processor seconds of a process so far, without its children."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    main()
