"""The documentation is true: its commands run, its links lead somewhere, its reference is current."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.pnk import pnk
from tests.docs.generate_cli import CLI_MD, reference
from tests.docs.generate_readme import BLOCK, README, demo

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def console_commands(page: Path) -> list[str]:
    """The lines after ``$`` in the page's console blocks, continued lines joined."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    return [
        line[2:].strip() for block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("$ ")
    ]


SHOWN = [
    pytest.param(page, command, id=f"{page.name}: {command[:60]}")
    for page in PAGES
    # Benchmarks need data sets that the project does not carry, and minutes; their tables say when they ran.
    if page.name != "benchmarks.md"
    for command in console_commands(page)
]


@pytest.fixture(scope="module")
def checkout(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like the project's, with the sample library indexed in its place."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "docs" / "sample").mkdir(parents=True)
    shutil.copytree(sample_library, folder / "docs" / "sample" / "library")
    shutil.copy(ROOT / "docs" / "sample" / "questions.jsonl", folder / "docs" / "sample")
    for extra in ("answers.jsonl", "engine.jsonl"):
        if (ROOT / "docs" / "sample" / extra).exists():
            shutil.copy(ROOT / "docs" / "sample" / extra, folder / "docs" / "sample")
    return folder


@pytest.mark.parametrize(("page", "command"), SHOWN)
def test_every_command_shown_runs(page: Path, command: str, checkout: Path) -> None:
    command, _, expected = command.partition("  # exit ")
    words = shlex.split(command)
    if words[0] == "make":
        # Making would install; that the target exists and what it would do is enough here.
        done = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    elif words[0] in ("pnk", ".venv/bin/pnk"):
        ran = pnk(*words[1:], cwd=checkout, home=checkout)
        assert ran.code == int(expected or 0), ran.err
    else:
        assert words[0] in ("git", "pip", "cd", "python"), f"{page.name}: what does {command!r} do here?"


def test_there_are_commands_to_run() -> None:
    assert len(SHOWN) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target, heading in _LINK.findall(page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), f"{page.name}: {target}"
        if heading:
            assert heading in anchors(file), f"{page.name}: {target}#{heading}"


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them: lower case, no punctuation, hyphens for spaces."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_command_reference_is_current() -> None:
    assert CLI_MD.read_text(encoding="utf-8") == reference(), "run: python -m tests.docs.generate_cli"


_PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "code",
    [pytest.param(code, id=page.name) for page in PAGES for code in _PYTHON.findall(page.read_text("utf-8"))],
)
def test_every_python_example_runs(code: str, checkout: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=False, timeout=180
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_readme_shows_what_make_ask_prints() -> None:
    shown = BLOCK.search(README.read_text(encoding="utf-8"))
    assert shown is not None
    assert shown.group() == demo(), "run: python -m tests.docs.generate_readme"
