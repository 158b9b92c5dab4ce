"""An answer is printed whatever becomes of its record; runs that go on at once do not meet."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from tests.ask.test_loop import PLAN
from tests.cli.asked import TWO_HOPS
from tests.cli.conftest import asked  # noqa: F401 (a fixture)
from tests.cli.pnk import pnk
from tests.transcripts.test_git import git
from tests.transcripts.test_unfinished import QueueModel, ask, replies
from transcripts.folders import run_folders
from transcripts.store import load
from transcripts.unfinished import unfinished_ids

LIMIT = 4096


def test_where_nothing_can_be_kept_the_answer_is_returned_with_one_note(tmp_path: Path) -> None:
    (tmp_path / ".unfinished").write_text("in the way", encoding="utf-8")
    outcome = ask(tmp_path, QueueModel(**replies()))
    assert (outcome.transcript.answer.short_answer, outcome.folder) == ("Dale", None)
    assert len(outcome.notes) == 1
    assert "not saved" in outcome.notes[0]


def test_a_reply_that_no_file_can_hold_costs_the_record_and_not_the_answer(tmp_path: Path) -> None:
    plan = PLAN.model_copy(update={"reasoning": "half a character: \ud800"})
    outcome = ask(tmp_path, QueueModel(**replies(plan=plan)))
    assert (outcome.transcript.answer.short_answer, outcome.folder) == ("Dale", None)
    assert "not saved" in outcome.notes[0]
    assert run_folders(tmp_path) == []


def test_on_a_full_disk_the_answer_is_printed_and_nothing_half_written_stays(
    sample_library: Path, tmp_path: Path
) -> None:
    """Files cannot grow beyond a few kilobytes, as on a disk that is almost full."""
    asks = tmp_path / "asks"
    ran = subprocess.run(
        [sys.executable, "-m", "pinakes_ask", "ask", "--deep", "--kb", sample_library, "--asks", asks, TWO_HOPS],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)),
        capture_output=True, encoding="utf-8", check=False, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "Merrowick" in ran.stdout
    assert "not saved" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert run_folders(asks) == []
    assert unfinished_ids(asks) == []
    assert pnk("transcripts", "list", "--kb", sample_library, "--asks", asks).code == 0


def test_runs_that_go_on_at_once_are_all_recorded_and_committed(asked: Path, tmp_path: Path) -> None:  # noqa: F811
    library = tmp_path / "library"
    subprocess.run(["cp", "-a", str(asked), str(library)], check=True)
    before = {run.id for run in run_folders(library / "asks")}
    count = int(git(library, "rev-list", "--count", "HEAD"))
    command = [sys.executable, "-m", "pinakes_ask", "ask", "--deep", TWO_HOPS]
    started = [
        subprocess.Popen(command, cwd=library, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [process.communicate()[1] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert not any("warning" in text for text in said), said
    new = [run for run in run_folders(library / "asks") if run.id not in before]
    assert len(new) == 3
    for run in new:
        load(library / "asks" / run.name)
    assert int(git(library, "rev-list", "--count", "HEAD")) == count + 3
    assert git(library, "status", "--porcelain") == ""
