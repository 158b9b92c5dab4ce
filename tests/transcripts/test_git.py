"""A run's folder is committed alone; where git cannot, the files stay and the reason is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from transcripts.git import commit_folder, identity


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


def test_the_author_is_the_one_that_git_would_name(repository: Path) -> None:
    git(repository, "config", "user.name", "Ada <i> Lane")
    git(repository, "config", "user.email", "ada@example.org")
    assert identity(repository) == "Ada i Lane <ada@example.org>"
    assert identity(repository / "nowhere") is None


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


def reverting(repository: Path) -> None:
    (repository / "note.md").write_text("second\n")
    git(repository, "commit", "--quiet", "-am", "second")
    git(repository, "revert", "--no-commit", "HEAD")


def squashing(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "side")
    (repository / "side.md").write_text("side\n")
    git(repository, "add", "side.md")
    git(repository, "commit", "--quiet", "-m", "side")
    git(repository, "checkout", "--quiet", "main")
    git(repository, "merge", "--squash", "side")


@pytest.mark.parametrize(("state", "reason"), [(reverting, "revert"), (squashing, "squash")])
def test_what_is_half_done_is_not_ended_by_a_commit(state: object, reason: str, repository: Path) -> None:
    assert callable(state)
    state(repository)
    marks = sorted(path.name for path in (repository / ".git").iterdir())
    before = git(repository, "status", "--porcelain")
    done = commit_folder(record(repository), "Ask")
    assert (done.done, reason in done.note) == (False, True)
    assert sorted(path.name for path in (repository / ".git").iterdir()) == marks
    assert git(repository, "status", "--porcelain").replace("?? asks/\n", "") == before


def test_a_record_of_which_git_ignores_a_part_is_not_committed_in_half(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.json\n")
    folder = record(repository)
    (folder / "transcript.json").write_text("{}\n")
    head = git(repository, "rev-parse", "HEAD")
    done = commit_folder(folder, "Ask")
    assert (done.done, "transcript.json" in done.note) == (False, True)
    assert git(repository, "rev-parse", "HEAD") == head


def test_a_hook_that_does_not_end_leaves_no_lock_behind(repository: Path) -> None:
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nsleep 60\n")
    hook.chmod(0o755)
    folder = record(repository)
    before = git(repository, "status", "--porcelain", "--untracked-files=all")
    done = commit_folder(folder, "Ask", timeout=1.0)
    assert (done.done, "in time" in done.note) == (False, True)
    assert not list((repository / ".git").glob("*.lock"))
    assert git(repository, "status", "--porcelain", "--untracked-files=all") == before


def test_a_git_that_calls_us_does_not_lend_us_its_repository(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "--quiet")
    code = (
        "import sys; from pathlib import Path; from transcripts.git import commit_folder; "
        "print(commit_folder(Path(sys.argv[1]), 'Ask').done)"
    )
    env = {**os.environ, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(record(repository))], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"
    assert git(repository, "show", "--name-only", "--format=%s").split() == ["Ask", "asks/one/answer.md"]
