"""A run's folder is committed alone; where git cannot, the files stay and the reason is said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from transcripts.git import commit_folder


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "config", "user.name", "Test")
    git(tmp_path, "config", "user.email", "test@example.org")
    (tmp_path / "note.md").write_text("a note\n")
    git(tmp_path, "add", "note.md")
    git(tmp_path, "commit", "--quiet", "-m", "start")
    return tmp_path


def record(repository: Path) -> Path:
    folder = repository / "asks" / "one"
    folder.mkdir(parents=True)
    (folder / "answer.md").write_text("answer\n")
    return folder


def test_only_the_folder_is_committed(repository: Path) -> None:
    (repository / "staged.md").write_text("staged\n")
    git(repository, "add", "staged.md")
    (repository / "note.md").write_text("changed\n")
    before = git(repository, "status", "--porcelain")
    done = commit_folder(record(repository), "Ask: a question")
    assert done.done
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "show", "--name-only", "--format=%s").split() == [
        "Ask:",
        "a",
        "question",
        "asks/one/answer.md",
    ]


def test_an_unborn_branch_gets_its_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Test")
    git(tmp_path, "config", "user.email", "test@example.org")
    assert commit_folder(record(tmp_path), "Ask").done


def test_a_detached_head_is_committed_on(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "--detach")
    assert commit_folder(record(repository), "Ask").done


def unmergeable(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "other")
    (repository / "note.md").write_text("other\n")
    git(repository, "commit", "--quiet", "-am", "other")
    git(repository, "checkout", "--quiet", "main")
    (repository / "note.md").write_text("main\n")
    git(repository, "commit", "--quiet", "-am", "main")
    subprocess.run(["git", "-C", str(repository), "merge", "--quiet", "other"], capture_output=True, check=False)


def locked(repository: Path) -> None:
    (repository / ".git" / "index.lock").write_text("")


def ignored(repository: Path) -> None:
    (repository / ".gitignore").write_text("asks/\n")


def refusing_hook(repository: Path) -> None:
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'no commits today' >&2\nexit 1\n")
    hook.chmod(0o755)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (unmergeable, "merge"),
        (locked, "git add failed"),
        (ignored, "ignores"),
        (refusing_hook, "no commits today"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_where_git_cannot_commit_nothing_changes_and_the_reason_is_said(
    state: object, reason: str, repository: Path
) -> None:
    assert callable(state)
    state(repository)
    folder = record(repository)
    before = git(repository, "status", "--porcelain", "--untracked-files=all")
    head = git(repository, "rev-parse", "HEAD")
    done = commit_folder(folder, "Ask")
    assert not done.done
    assert reason in done.note
    assert (folder / "answer.md").read_text() == "answer\n"
    assert git(repository, "rev-parse", "HEAD") == head
    assert git(repository, "status", "--porcelain", "--untracked-files=all") == before


def test_outside_a_work_tree_it_says_so(tmp_path: Path) -> None:
    done = commit_folder(record(tmp_path), "Ask")
    assert (done.done, done.note) == (False, "the library is in no git work tree")
