"""The shape of the project: what lies where, who may import whom, and what must not appear."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("pinakes_ask", "transcripts", "scoring", "retrieval")
SOURCES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
TOP_LEVEL = {
    "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", ".ci", ".gitignore",
    *PACKAGES, "tests", "docs",
}  # fmt: skip


def tracked() -> list[str]:
    """The files that git tracks; skips where the project is no git checkout."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of the project's own files")
    return listed.stdout.splitlines()


def imports(file: Path) -> list[tuple[str, int]]:
    """Every module that a file imports, with its line."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: relative imports hide who knows whom"
            found.append((node.module or "", node.lineno))
    return found


def test_the_top_level_holds_exactly_what_the_layout_names() -> None:
    assert {name.split("/")[0] for name in tracked()} == TOP_LEVEL


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_go_one_way_down(file: Path) -> None:
    package = file.relative_to(ROOT).parts[0]
    below = PACKAGES[PACKAGES.index(package) :]
    for module, line in imports(file):
        top = module.split(".")[0]
        assert top not in PACKAGES or top in below, f"{file}:{line} imports {module}"
        if package == "scoring" and top == "retrieval":
            assert module.startswith("retrieval.text"), f"{file}:{line} imports {module}"
        assert top != "click", f"{file}:{line}: typer no longer depends on click"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_are_small_and_say_what_they_are(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    assert ast.get_docstring(ast.parse(text))


def test_nothing_imports_what_is_slow_at_the_top_of_the_command_line() -> None:
    """``pnk --help`` loads no model library."""
    code = (
        "import sys, pinakes_ask.cli.app; "
        "slow = ('torch', 'faiss', 'numpy', 'openai', 'spacy', 'onnxruntime', 'pydantic', 'rich.table'); "
        "print([name for name in slow if name in sys.modules])"
    )
    import sys

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_no_test_replaces_a_part_by_patching() -> None:
    # Spelled apart, so that this file does not hold what it looks for.
    pattern = re.compile(r"\b(?:mock|monkeypatch)\." + "patch|unittest" + r"\.mock")
    for name in tracked():
        if name.startswith("tests/") and name.endswith(".py"):
            assert not pattern.search((ROOT / name).read_text(encoding="utf-8")), name


def test_no_file_names_a_place_of_one_machine() -> None:
    pattern = re.compile(r"/(?:work|root|farm)/|\.\./" + "shared")
    for name in tracked():
        file = ROOT / name
        if name == "docs/benchmarks.md" or file.suffix in (".pdf", ".png"):
            continue
        text = file.read_text(encoding="utf-8")
        allowed = name.startswith(("docs/", "tests/benchmarks/"))
        for match in pattern.finditer(text):
            line = text[text.rfind("\n", 0, match.start()) + 1 : text.find("\n", match.end())]
            command = allowed and match.group().endswith("shared") and ("python" in line or "pnk" in line)
            assert command, f"{name}: {line.strip()}"
