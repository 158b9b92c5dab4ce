"""In whatever state a repository is, a commit adds the run alone, or nothing changes and the reason is said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.transcripts.test_git import git, record, repository  # noqa: F401 (a fixture)
from transcripts.git import commit_folder, commit_new

NOTE = "one\ntwo\nthree\nfour\nfive\n"


@dataclass(frozen=True)
class Seen:
    """All that a user would notice of a repository, its commits apart."""

    status: str
    index: str
    stash: str
    files: dict[str, bytes]
    special: list[str]


def seen(folder: Path) -> Seen:
    place = Path(git(folder, "rev-parse", "--absolute-git-dir").strip())
    entries = [line for line in git(folder, "ls-files", "--stage", "--debug").splitlines() if "asks/" not in line]
    keep = [line for line in entries if not line.startswith("  ")]
    status = git(folder, "status", "--porcelain=v2", "--untracked-files=all").splitlines()
    return Seen(
        status="\n".join(line for line in status if "asks/" not in line),
        index="\n".join(keep),
        stash=git(folder, "stash", "list"),
        files={
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(folder).parts and "asks" not in path.parts
        },
        special=sorted(path.name for path in place.iterdir() if path.name.isupper()),
    )


def committed(folder: Path) -> list[str]:
    """What the last commit holds."""
    return git(folder, "show", "--name-only", "--format=", "HEAD").split()


def partly_staged(folder: Path) -> None:
    (folder / "note.md").write_text(NOTE.replace("one", "ONE"), encoding="utf-8")
    git(folder, "add", "note.md")
    (folder / "note.md").write_text(NOTE.replace("one", "ONE").replace("five", "FIVE"), encoding="utf-8")


def intent_to_add(folder: Path) -> None:
    (folder / "later.md").write_text("later\n", encoding="utf-8")
    git(folder, "add", "--intent-to-add", "later.md")


def staged_removal(folder: Path) -> None:
    git(folder, "rm", "--quiet", "--cached", "note.md")


def staged_rename(folder: Path) -> None:
    git(folder, "mv", "note.md", "renamed.md")


def stashed(folder: Path) -> None:
    (folder / "note.md").write_text("stashed\n", encoding="utf-8")
    git(folder, "stash", "--quiet")


def detached(folder: Path) -> None:
    git(folder, "checkout", "--quiet", "--detach")


def assumed_unchanged(folder: Path) -> None:
    git(folder, "update-index", "--assume-unchanged", "note.md")
    (folder / "note.md").write_text("not to be seen\n", encoding="utf-8")


def strange_settings(folder: Path) -> None:
    git(folder, "config", "commit.verbose", "true")
    git(folder, "config", "commit.cleanup", "strip")
    git(folder, "config", "core.editor", "false")
    git(folder, "config", "status.showUntrackedFiles", "no")
    git(folder, "config", "core.autocrlf", "true")


def passing_hooks(folder: Path) -> None:
    for name in ("pre-commit", "commit-msg", "post-commit"):
        hook(folder, name, f'#!/bin/sh\necho {name} >> "$(git rev-parse --git-dir)/hooks-ran"\n')
    hook(folder, "post-commit", "#!/bin/sh\nexit 1\n")


def hook(folder: Path, name: str, text: str) -> None:
    file = folder / ".git" / "hooks" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


COMMITTED = [
    partly_staged, intent_to_add, staged_removal, staged_rename, stashed, detached, assumed_unchanged,
    strange_settings, passing_hooks,
]  # fmt: skip


@pytest.mark.parametrize("state", COMMITTED, ids=lambda state: state.__name__)
def test_the_run_alone_is_committed_and_all_else_is_as_it_was(
    state: Callable[[Path], None],
    repository: Path,  # noqa: F811
) -> None:
    (repository / "note.md").write_text(NOTE, encoding="utf-8")
    git(repository, "commit", "--quiet", "-am", "more")
    state(repository)
    before, head = seen(repository), git(repository, "rev-parse", "HEAD")
    done = commit_folder(record(repository), "Ask: a question")
    assert done.done, done.note
    assert committed(repository) == ["asks/one/answer.md"]
    assert git(repository, "rev-parse", "HEAD^") == head
    assert seen(repository) == before
    assert git(repository, "status", "--porcelain", "--", "asks") == ""


def rebasing(folder: Path) -> None:
    git(folder, "checkout", "--quiet", "-b", "other")
    (folder / "note.md").write_text("other\n", encoding="utf-8")
    git(folder, "commit", "--quiet", "-am", "other")
    git(folder, "checkout", "--quiet", "main")
    (folder / "note.md").write_text("main\n", encoding="utf-8")
    git(folder, "commit", "--quiet", "-am", "main")
    subprocess.run(["git", "-C", str(folder), "rebase", "other"], capture_output=True, check=False)


def cherry_picking(folder: Path) -> None:
    git(folder, "checkout", "--quiet", "-b", "other")
    (folder / "note.md").write_text("other\n", encoding="utf-8")
    git(folder, "commit", "--quiet", "-am", "other")
    git(folder, "checkout", "--quiet", "main")
    (folder / "note.md").write_text("main\n", encoding="utf-8")
    git(folder, "commit", "--quiet", "-am", "main")
    subprocess.run(["git", "-C", str(folder), "cherry-pick", "other"], capture_output=True, check=False)


def bisecting(folder: Path) -> None:
    git(folder, "bisect", "start")


def unsigned(folder: Path) -> None:
    git(folder, "config", "commit.gpgSign", "true")
    git(folder, "config", "gpg.program", "false")


def refused_message(folder: Path) -> None:
    hook(folder, "commit-msg", "#!/bin/sh\necho 'no such message' >&2\nexit 1\n")


def no_identity(folder: Path) -> None:
    git(folder, "config", "--unset", "user.name")
    git(folder, "config", "--unset", "user.email")
    git(folder, "config", "user.useConfigOnly", "true")


def locked_head(folder: Path) -> None:
    (folder / ".git" / "HEAD.lock").write_text("", encoding="utf-8")


NOT_COMMITTED = [
    (rebasing, "a rebase is in progress"),
    (cherry_picking, "a cherry-pick is in progress"),
    (bisecting, "a bisection is in progress"),
    (unsigned, "git commit failed"),
    (refused_message, "no such message"),
    (no_identity, "git commit failed"),
    (locked_head, "git commit failed"),
]

_COMMIT = (
    "import sys; from pathlib import Path; from transcripts.git import commit_folder; "
    "done = commit_folder(Path(sys.argv[1]), 'Ask'); print(done.done, done.note, sep='|')"
)


def elsewhere(folder: Path, **environment: str) -> tuple[str, str]:
    """Commit in a process with its own environment, without the user's settings."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, **environment}
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"):
        env.pop(name, None)
    ran = subprocess.run(
        [sys.executable, "-c", _COMMIT, str(folder)], env=env, capture_output=True, text=True, check=True
    )
    done, _, note = ran.stdout.strip().partition("|")
    return done, note


@pytest.mark.parametrize(("state", "reason"), NOT_COMMITTED, ids=[state.__name__ for state, _ in NOT_COMMITTED])
@pytest.mark.parametrize("before_that", [partly_staged, intent_to_add], ids=lambda state: state.__name__)
def test_where_it_cannot_be_committed_nothing_at_all_changes(
    state: Callable[[Path], None],
    reason: str,
    before_that: Callable[[Path], None],
    repository: Path,  # noqa: F811
) -> None:
    state(repository)
    if "in progress" not in reason:
        before_that(repository)
    folder = record(repository)
    before, head = seen(repository), git(repository, "rev-parse", "HEAD")
    done, note = elsewhere(folder)
    assert (done, reason in note) == ("False", True), note
    assert seen(repository) == before
    assert git(repository, "rev-parse", "HEAD") == head
    assert git(repository, "ls-files", "--", "asks") == ""
    assert (folder / "answer.md").read_text(encoding="utf-8") == "answer\n"


def test_on_an_unborn_branch_without_identity_nothing_stays_staged(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.useConfigOnly", "true")
    (tmp_path / "first.md").write_text("first\n", encoding="utf-8")
    git(tmp_path, "add", "first.md")
    done, note = elsewhere(record(tmp_path))
    assert (done, "git commit failed" in note) == ("False", True)
    assert git(tmp_path, "ls-files").split() == ["first.md"]


def test_a_bare_repository_takes_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare")
    done = commit_folder(record(tmp_path), "Ask")
    assert (done.done, done.note) == (False, "the library is in no git work tree")


def test_where_git_is_missing_it_says_so(repository: Path) -> None:  # noqa: F811
    assert elsewhere(record(repository), PATH=str(repository / "nowhere")) == ("False", "git was not found")


def test_a_linked_work_tree_alone_is_committed_in(repository: Path) -> None:  # noqa: F811
    other = repository.with_name(f"{repository.name}-linked")
    git(repository, "worktree", "add", "--quiet", "-b", "linked", str(other))
    head = git(repository, "rev-parse", "HEAD")
    assert commit_folder(record(other), "Ask").done
    assert committed(other) == ["asks/one/answer.md"]
    assert git(repository, "rev-parse", "HEAD") == head
    assert not (repository / "asks").exists()


def test_in_a_submodule_its_own_repository_gets_the_commit(repository: Path) -> None:  # noqa: F811
    outer = repository.with_name(f"{repository.name}-outer")
    outer.mkdir()
    git(outer, "init", "--quiet")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")
    inner = outer / "inner"
    git(inner, "config", "user.name", "Test")
    git(inner, "config", "user.email", "test@example.org")
    staged = git(outer, "ls-files", "--stage")
    assert commit_folder(record(inner), "Ask").done
    assert committed(inner) == ["asks/one/answer.md"]
    assert git(outer, "ls-files", "--stage") == staged


def test_runs_that_end_together_are_all_committed(repository: Path) -> None:  # noqa: F811
    folders = []
    for number in range(8):
        folder = repository / "asks" / str(number)
        folder.mkdir(parents=True)
        (folder / "answer.md").write_text(f"{number}\n", encoding="utf-8")
        folders.append(folder)
    with ThreadPoolExecutor(8) as pool:
        assert all(one.done for one in pool.map(lambda folder: commit_folder(folder, "Ask"), folders))
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "9"
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["-rf", "*.md", ":(top)", "a\nb", "é"])
def test_no_name_of_a_file_means_anything_to_git(name: str, repository: Path) -> None:  # noqa: F811
    folder = record(repository)
    (folder / name).write_text("x\n", encoding="utf-8")
    (repository / "loose.md").write_text("loose\n", encoding="utf-8")
    assert commit_folder(folder, "Ask").done
    assert git(repository, "status", "--porcelain") == "?? loose.md\n"


def test_what_is_committed_already_is_no_failure(repository: Path) -> None:  # noqa: F811
    folder = record(repository)
    assert commit_new(repository / "asks", [folder], "Ask {}".format).done
    head = git(repository, "rev-parse", "HEAD")
    assert commit_new(repository / "asks", [folder], "Ask {}".format).done
    assert git(repository, "rev-parse", "HEAD") == head
