"""Ten thousand questions in one night: memory stays flat."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.batch.model_server import model_server, write_questions

COUNT = 10_000
_MEGABYTE = 1 << 20


def resident(process: subprocess.Popen[str], what: str = "VmRSS") -> int:
    """Bytes of memory that a process holds; with ``VmHWM`` the most it ever held."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(what))
    return int(line.split()[1]) * 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc, which is not here")
def test_ten_thousand_questions_in_flat_memory(notes: Path, tmp_path: Path) -> None:
    shutil.copytree(notes, tmp_path / "library")
    write_questions(tmp_path / "questions.jsonl", COUNT)
    answers = tmp_path / "answers.jsonl"
    with model_server() as server:
        command = [
            "questions.jsonl",
            "--kb",
            "library",
            "--out",
            answers,
            "--yes",
            "-q",
            "-j",
            "32",
            *server.flags,
        ]
        process = subprocess.Popen(
            [sys.executable, "-m", "pinakes_ask", "batch", *command],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        early = most = 0
        while process.poll() is None:
            time.sleep(1)
            try:
                most = max(most, resident(process, "VmHWM"))
                size = answers.stat().st_size if answers.exists() else 0
                early = early or (resident(process) if size > 4 * _MEGABYTE else 0)
                late = resident(process)
            except (StopIteration, FileNotFoundError):
                break  # it has just ended
        _, said = process.communicate()
        assert (process.returncode, said) == (0, "")
        assert server.sold() == 6 * COUNT
    print(f"early {early >> 20} MB, late {late >> 20} MB, at most {most >> 20} MB")
    with answers.open("rb") as rows:
        assert sum(1 for _ in rows) == COUNT
    assert most < 1000 * _MEGABYTE
    assert late - early < 100 * _MEGABYTE, "memory grows with the questions"
