"""Fixtures that the tests of several commands share."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from pinakes_ask.asking import ask_and_record
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.seams import SystemClock, UlidIds
from pinakes_ask.settings import Settings
from retrieval.library import Library
from tests.cli.asked import COMPARED, NOTHING, PLANNED, TWO_HOPS
from tests.cli.pnk import pnk
from tests.transcripts.test_git import git


@pytest.fixture(scope="module")
def asked(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample library in a git repository, with four runs in it. Tests do not change it."""
    library = tmp_path_factory.mktemp("asked") / "library"
    shutil.copytree(sample_library, library)
    git(library, "init", "--quiet", "--initial-branch", "main")
    git(library, "config", "user.name", "Rita Reviewer")
    git(library, "config", "user.email", "rita@example.org")
    assert pnk("init", library).code == 0
    git(library, "add", "--all")
    git(library, "commit", "--quiet", "-m", "start")
    with Library.open(library) as opened:
        settings, model = Settings(), ExtractiveModel()
        for question in (TWO_HOPS, PLANNED, NOTHING, COMPARED):
            outcome = asyncio.run(
                ask_and_record(
                    question, searcher=opened, library_name="library", model=model, settings=settings,
                    clock=SystemClock(), ids=UlidIds(), asks=library / "asks", commit=True,
                )
            )  # fmt: skip
            assert outcome.notes == ()
    return library


@pytest.fixture
def library(asked: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    copy = tmp_path / "library"
    shutil.copytree(asked, copy, symlinks=True)
    return copy
