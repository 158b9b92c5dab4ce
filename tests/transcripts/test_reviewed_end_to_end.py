"""A run of the sample library from the question to the accepted record, as a user goes through it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.pnk import pnk
from tests.transcripts.serving import serving

QUESTION = "Where was the composer of The Lantern Suite born?"


@pytest.fixture
def library(sample_library: Path, tmp_path: Path) -> Path:
    """The sample library in a git repository of its own, set up by ``pnk init``, with something staged."""
    folder = tmp_path / "isles"
    shutil.copytree(sample_library, folder)
    git(folder, "init", "--quiet")
    git(folder, "config", "user.name", "Ada Lane")
    git(folder, "config", "user.email", "ada@example.org")
    assert pnk("init", folder).code == 0
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "Begin")
    (folder / "staged.md").write_text("staged", encoding="utf-8")
    git(folder, "add", "staged.md")
    (folder / "loose.md").write_text("loose", encoding="utf-8")
    return folder


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_run_of_the_sample_library_is_asked_read_accepted_and_published(library: Path, tmp_path: Path) -> None:
    before = git(library, "status", "--porcelain")
    asked = pnk("ask", "--deep", "--json", "--kb", library, QUESTION).json()
    assert asked["short_answer"] == "Merrowick"
    assert git(library, "status", "--porcelain") == before
    assert git(library, "log", "--format=%s").splitlines() == [f"Ask: {QUESTION}", "Begin"]

    listed = pnk("transcripts", "list", "--json", "--kb", library).json()["runs"]
    assert [(one["question"], one["review"]) for one in listed] == [(QUESTION, None)]
    run = listed[0]["id"]
    assert pnk("transcripts", "verify", run, "--kb", library).code == 0
    shown = pnk("transcripts", "show", run, "--json", "--kb", library).json()

    with serving(library / "asks") as server:
        page = server.ask("GET", f"/runs/{run}.html").text
        assert "Merrowick" in page
        sealed = shown["transcript"]["sha256"]
        assert server.review(run, {"verdict": "accept", "note": "Checked.", "sha256": sealed}).code == 303

    after = pnk("transcripts", "show", run, "--json", "--kb", library).json()
    assert after["transcript"] == shown["transcript"]
    assert [(one["verdict"], one["note"], one["reviewer"]) for one in after["reviews"]] == [
        ("accept", "Checked.", "Ada Lane <ada@example.org>")
    ]
    assert pnk("transcripts", "list", "--json", "--review", "accept", "--kb", library).json()["count"] == 1
    assert pnk("transcripts", "site", tmp_path / "site", "--kb", library).code == 0
    published = (tmp_path / "site" / "runs" / f"{run}.html").read_text(encoding="utf-8")
    assert "Checked." in published
    assert "accepted" in published
