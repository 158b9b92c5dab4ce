"""What all tests share: the sample library, synced once, and no network beyond this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is; the first one may also load a parser.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "docs" / "sample"


@pytest.fixture(autouse=True)
def _only_loopback(socket_enabled: None) -> Iterator[None]:
    """Connections to any other machine fail."""
    from pytest_socket import _remove_restrictions, socket_allow_hosts

    socket_allow_hosts(["127.0.0.1", "::1"], allow_unix_socket=True)
    yield
    _remove_restrictions()


@pytest.fixture(scope="session")
def sample_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample library, indexed."""
    from retrieval.syncing import sync

    copy = tmp_path_factory.mktemp("sample") / "library"
    shutil.copytree(
        SAMPLE / "library", copy, ignore=shutil.ignore_patterns(".pinakes-ask", "asks", "*.pinakes-ask")
    )
    sync(copy)
    return copy
