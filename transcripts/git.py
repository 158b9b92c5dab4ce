"""Committing a run's folder, and nothing else.

Everything else in the repository stays as it is: other staged changes, the working tree, the
stash, and an operation that is half done. Where git cannot commit, the files stay, and the reason is
returned for the user.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

#: Seconds that git and its hooks may take for one command.
TIMEOUT = 120.0
_SECONDS_TO_CLEAN_UP = 10.0
_OUTSIDE = "the library is in no git work tree"
# What git keeps in its folder while something is half done; a commit would end or lose it.
_HALF_DONE = {
    "MERGE_HEAD": "merge",
    "SQUASH_MSG": "squash merge",
    "REVERT_HEAD": "revert",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "sequencer": "sequence of commits",
    "BISECT_LOG": "bisection",
}


@dataclass(frozen=True)
class Committed:
    """Whether a commit was made; ``note`` says why there is none."""

    done: bool
    note: str = ""


def in_work_tree(folder: Path) -> bool:
    """Return whether ``folder`` lies in a git work tree, and git is there."""
    answer = _git(folder, "rev-parse", "--is-inside-work-tree")
    return answer is not None and answer.returncode == 0 and answer.stdout.strip() == "true"


def identity(folder: Path) -> str | None:
    """Return whom git would name as the author of a commit in ``folder``, as ``Name <address>``.

    None where git is not there, or knows no name.
    """
    answer = _git(folder, "var", "GIT_AUTHOR_IDENT")
    if answer is None or answer.returncode != 0:
        return None
    who, closing, _ = answer.stdout.strip().rpartition(">")
    return who + closing or None


def commit_folder(folder: Path, message: str, *, timeout: float = TIMEOUT) -> Committed:
    """Commit all files in ``folder``, respecting hooks and identity. It is all of them or none."""
    outside = _why_outside(folder)
    if outside:
        return Committed(False, outside)
    return _commit(folder, sorted(file.name for file in folder.iterdir()), message, timeout)


def commit_new(
    asks: Path, folders: Iterable[Path], message: Callable[[int], str], *, timeout: float = TIMEOUT
) -> Committed:
    """Commit those of ``folders``, all below ``asks``, that git does not know yet, in one commit.

    It is done also where all of them were committed before.

    :param message: says what is committed, by the number of folders.
    """
    outside = _why_outside(asks) if asks.is_dir() else _OUTSIDE
    if outside:
        return Committed(False, outside)
    listed = _git(asks, "ls-files", "--others", "-z", timeout=timeout)
    if listed is None or listed.returncode != 0:
        return Committed(False, _reason("ls-files", listed))
    unknown = {str(Path(name).parent) for name in listed.stdout.split("\0") if name}
    names = sorted({str(one.relative_to(asks)) for one in folders if one.is_relative_to(asks)} & unknown)
    return _commit(asks, names, message(len(names)), timeout) if names else Committed(True)


def _commit(folder: Path, names: Sequence[str], message: str, timeout: float) -> Committed:
    """Commit the files and folders of these names in ``folder``, which may be very many."""
    paths = "\0".join(names)
    ignored = _git(folder, "check-ignore", "-z", "--stdin", stdin=paths)
    if ignored is not None and ignored.returncode == 0:
        return Committed(False, f"git ignores {', '.join(ignored.stdout.split(chr(0))[:-1][:5])}")
    with _alone(folder):
        busy = _half_done(folder)
        return Committed(False, f"a {busy} is in progress") if busy else _add(folder, paths, message, timeout)


def _add(folder: Path, paths: str, message: str, timeout: float) -> Committed:
    """Add and commit; where that fails, the index is as before."""
    these = ("--pathspec-from-file=-", "--pathspec-file-nul")
    for arguments in (("add", *these), ("commit", "--quiet", "-m", message, *these)):
        result = _git(folder, "--literal-pathspecs", *arguments, timeout=timeout, stdin=paths)
        if result is not None and result.returncode == 0:
            continue
        back = _git(folder, "--literal-pathspecs", "reset", "--quiet", *these, stdin=paths)
        staged = "" if back is not None and back.returncode == 0 else "; git may still hold its files as staged"
        return Committed(False, _reason(arguments[0], result) + (staged if arguments[0] == "commit" else ""))
    return Committed(True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let the runs of one repository commit one after the other; git itself would refuse the second.

    The lock is on git's own folder, so that no file is left; each holder's git ends within its time.
    """
    place = _git_folder(folder)
    if place is None:
        yield  # git will say what is wrong
        return
    descriptor = os.open(place, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _reason(command: str, result: subprocess.CompletedProcess[str] | None) -> str:
    if result is None:
        return f"git {command} did not end in time, or git was not found"
    lines = (result.stderr or result.stdout).strip().splitlines()
    return f"git {command} failed: {lines[-1] if lines else 'no reason given'}"


def _half_done(folder: Path) -> str:
    place = _git_folder(folder)
    return (
        "" if place is None else next((name for mark, name in _HALF_DONE.items() if (place / mark).exists()), "")
    )


def _git_folder(folder: Path) -> Path | None:
    answer = _git(folder, "rev-parse", "--absolute-git-dir")
    return Path(answer.stdout.strip()) if answer is not None and answer.returncode == 0 else None


def _why_outside(folder: Path) -> str:
    """Return why nothing can be committed in ``folder`` at all, nothing where it lies in a work tree."""
    answer = _git(folder, "rev-parse", "--is-inside-work-tree")
    if answer is None:
        return "git was not found"
    if answer.returncode != 0 and any((place / ".git").exists() for place in (folder, *folder.resolve().parents)):
        return _reason("rev-parse", answer)  # a repository that git will not touch, such as another user's
    return "" if answer.returncode == 0 and answer.stdout.strip() == "true" else _OUTSIDE


def _git(
    folder: Path, *arguments: str, timeout: float = TIMEOUT, stdin: str = ""
) -> subprocess.CompletedProcess[str] | None:
    """Run git in ``folder``, or return None where it cannot be run or does not end.

    A git that called us (from a hook) must not lend us its repository, so its variables are left out.
    On a time-out git is asked to end, not killed: asked, it takes its lock files away.
    """
    command = ["git", "-C", str(folder), *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in _LENT}
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=_SECONDS_TO_CLEAN_UP)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        return None
    return subprocess.CompletedProcess(command, process.returncode, out, err)


_LENT = frozenset(
    {
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_OBJECT_DIRECTORY",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    }
)
