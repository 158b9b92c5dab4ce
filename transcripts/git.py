"""Committing a run's folder, and nothing else.

Everything else in the repository stays as it is: other staged changes, the working tree, the
stash. Where git cannot commit, the files stay, and the reason is returned for the user.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Committed:
    """Whether a commit was made; ``note`` says the commit's short id, or why there is none."""

    done: bool
    note: str


def in_work_tree(folder: Path) -> bool:
    """Return whether ``folder`` lies in a git work tree, and git is there."""
    answer = _git(folder, "rev-parse", "--is-inside-work-tree")
    return answer is not None and answer.returncode == 0 and answer.stdout.strip() == "true"


def commit_folder(folder: Path, message: str) -> Committed:
    """Commit all files in ``folder``, respecting hooks and identity."""
    if not in_work_tree(folder):
        return Committed(False, "the library is in no git work tree")
    ignored = _git(folder, "check-ignore", "-q", ".")
    if ignored is not None and ignored.returncode == 0:
        return Committed(False, "git ignores the folder")
    busy = _operation_in_progress(folder)
    if busy:
        return Committed(False, f"a {busy} is in progress")
    for arguments in (("add", "--", "."), ("commit", "--quiet", "--only", "-m", message, "--", ".")):
        result = _git(folder, *arguments)
        if result is None:
            return Committed(False, "git was not found or did not end")
        if result.returncode != 0:
            _git(folder, "reset", "--quiet", "--", ".")
            lines = (result.stderr or result.stdout).strip().splitlines()
            return Committed(False, f"git {arguments[0]} failed: {lines[-1] if lines else 'no reason given'}")
    head = _git(folder, "rev-parse", "--short", "HEAD")
    return Committed(True, head.stdout.strip() if head is not None else "")


def _operation_in_progress(folder: Path) -> str:
    top = _git(folder, "rev-parse", "--absolute-git-dir")
    if top is None or top.returncode != 0:
        return ""
    marks = {
        "MERGE_HEAD": "merge",
        "rebase-merge": "rebase",
        "rebase-apply": "rebase",
        "CHERRY_PICK_HEAD": "cherry-pick",
    }
    return next((name for mark, name in marks.items() if (Path(top.stdout.strip()) / mark).exists()), "")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
