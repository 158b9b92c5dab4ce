"""The wheel: everything the program reads is in it, and it answers from another directory."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("pinakes_ask", "retrieval", "scoring", "transcripts")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, since building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        source,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 and "setuptools" in done.stderr:
        pytest.skip("setuptools is not installed here, so no wheel can be built without the network")
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(file.relative_to(ROOT))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted - held == set()
    assert {name.split("/")[0] for name in held} == {
        *PACKAGES,
        next(n for n in held if "dist-info" in n).split("/")[0],
    }


def test_it_names_both_commands(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    points = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert archive.read(points).decode().split() == (
        "[console_scripts] pinakes-ask = pinakes_ask.cli:main pnk = pinakes_ask.cli:main".split()
    )


@pytest.mark.slow
def test_it_installs_in_a_clean_environment_and_answers_from_another_directory(
    wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel]
    installed = subprocess.run(pip, capture_output=True, text=True, check=False)
    if installed.returncode != 0:
        pytest.skip(f"its dependencies cannot be installed from here: {installed.stderr.strip().splitlines()[-1]}")
    shutil.copytree(
        ROOT / "docs" / "sample" / "library",
        tmp_path / "notes",
        ignore=shutil.ignore_patterns(".pinakes-ask", "asks"),
    )
    for name in ("pnk", "pinakes-ask"):
        command = environment / "bin" / name
        subprocess.run([command, "sync"], cwd=tmp_path / "notes", check=True, capture_output=True)
        question = "Where was the composer of The Lantern Suite born?"
        asked = subprocess.run(
            [command, "ask", "--deep", question],
            cwd=tmp_path / "notes",
            capture_output=True,
            text=True,
            check=True,
        )
        assert asked.stdout.split()[0] == "Merrowick"
    module = "import pinakes_ask; print(pinakes_ask.__file__)"
    place = subprocess.run(
        [environment / "bin" / "python", "-c", module], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(environment) in place.stdout
