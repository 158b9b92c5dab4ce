"""The recipes of docs/batch.md work: a real cron, systemd's own check, and the workflow's lines in a shell."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, SAMPLE
from tests.transcripts.test_git import git

PAGE = ROOT / "docs" / "batch.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def notes_folder(sample_library: Path, tmp_path: Path) -> Path:
    """A git repository of documents and questions, with ``pnk`` where the recipes have it."""
    folder = tmp_path / "notes"
    shutil.copytree(sample_library, folder)
    shutil.copy(SAMPLE / "questions.jsonl", folder / "questions.jsonl")
    (folder / ".venv" / "bin").mkdir(parents=True)
    program = folder / ".venv" / "bin" / "pnk"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m pinakes_ask "$@"\n')
    program.chmod(0o755)
    (folder / ".gitignore").write_text(".venv/\nbatch.log\n")
    git(folder, "init", "-q", "-b", "main")
    for key, value in (("user.name", "Reader"), ("user.email", "reader@example.org")):
        git(folder, "config", key, value)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Notes")
    return folder


def check_night(folder: Path) -> None:
    """Twenty rows, and their transcripts in one commit."""
    rows = [json.loads(line) for line in (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) == 20
    assert not [row for row in rows if row["error"]]
    assert git(folder, "log", "--format=%s").count("Ask: 20 questions of answers.jsonl") == 1
    assert len(git(folder, "ls-files", "asks").split()) == 60


@pytest.mark.slow
def test_a_real_cron_answers_and_commits(notes_folder: Path) -> None:
    if shutil.which("cron") is None or shutil.which("crontab") is None or os.geteuid() != 0:
        pytest.skip("there is no cron here, or it is not ours to run: apt-get install cron, as root")
    (line,) = [one for one in "".join(blocks("crontab")).splitlines() if one.strip()]
    command = line.split(maxsplit=5)[5].replace("/srv/notes", str(notes_folder))
    before = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=False).stdout
    subprocess.run(["crontab", "-"], input=f"* * * * * {command}\n", text=True, check=True)
    daemon = subprocess.Popen(["cron", "-f"], stderr=subprocess.PIPE, text=True)
    try:
        log = notes_folder / "batch.log"
        patience = time.monotonic() + 180
        while not (log.exists() and "20 questions" in log.read_text()):
            assert daemon.poll() is None, f"cron did not stay: {daemon.stderr.read() if daemon.stderr else ''}"
            assert time.monotonic() < patience, "cron ran nothing in three minutes"
            time.sleep(1)
        time.sleep(2)
    finally:
        daemon.terminate()
        daemon.communicate()
        subprocess.run(["crontab", "-" if before else "-r"], input=before, text=True, check=True)
    check_night(notes_folder)


def test_the_crontab_line_runs_as_cron_would_run_it(notes_folder: Path, tmp_path: Path) -> None:
    """By sh, with cron's bare environment, without a terminal."""
    (line,) = [one for one in "".join(blocks("crontab")).splitlines() if one.strip()]
    fields = line.split(maxsplit=5)
    assert all(re.fullmatch(r"\*|\d+", field) for field in fields[:5])
    command = fields[5].replace("/srv/notes", str(notes_folder))
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SHELL": "/bin/sh", "LOGNAME": "reader"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=bare, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "cron would send mail"
    check_night(notes_folder)


def test_systemd_takes_the_units(notes_folder: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    service, timer = (block.replace("/srv/notes", str(notes_folder)) for block in blocks("ini"))
    (tmp_path / "pnk-batch.service").write_text(service)
    (tmp_path / "pnk-batch.timer").write_text(timer)
    units = [tmp_path / "pnk-batch.service", tmp_path / "pnk-batch.timer"]
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (done.returncode, [one for one in done.stderr.splitlines() if "pnk-batch" in one]) == (0, [])
    (calendar,) = re.findall(r"^OnCalendar=(.*)$", timer, re.MULTILINE)
    subprocess.run(["systemd-analyze", "calendar", calendar], check=True, capture_output=True)


def test_the_workflow_commits_and_pushes(notes_folder: Path, tmp_path: Path) -> None:
    workflow = yaml.safe_load(blocks("yaml")[0])
    assert workflow["permissions"] == {"contents": "write"}
    origin = tmp_path / "origin.git"
    git(tmp_path, "init", "-q", "--bare", str(origin))
    git(notes_folder, "remote", "add", "origin", str(origin))
    git(notes_folder, "push", "-q", "-u", "origin", "main")
    path = f"{notes_folder / '.venv' / 'bin'}:{os.environ['PATH']}"
    steps = [one for one in workflow["jobs"]["answer"]["steps"] if "run" in one and one.get("name") != "Install"]
    assert len(steps) == 4
    for step in steps:
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=notes_folder, env={"PATH": path, "HOME": str(tmp_path)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    check_night(notes_folder)
    assert git(origin, "log", "--format=%s", "main").splitlines()[:2] == [
        "Answers of the night",
        "Ask: 20 questions of answers.jsonl",
    ]
