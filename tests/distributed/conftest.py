"""A cluster of two machines in this process, and a synced library of two notes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.batch.conftest import notes  # noqa: F401 (a fixture)

# Read when Ray is imported. Its token would lie in the home folder of whoever runs the tests.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")

MISSING = "Ray is not here: `make test-all` installs it"


@pytest.fixture
def machines() -> Iterator[Machines]:
    """A cluster of a machine that writes and has no worker, and of two with one processor each."""
    pytest.importorskip("ray", reason=MISSING)
    cluster = Machines()
    try:
        yield cluster
    finally:
        cluster.end()


class Machines:
    """A real cluster: each machine is a raylet with processes of its own."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster()
        self._cluster.add_node(num_cpus=0, include_dashboard=False)
        self.address = f"127.0.0.1:{self._cluster.address.rpartition(':')[2]}"
        self.first, self.second = self.add(), self.add()

    def add(self, **environment: str) -> Any:
        """Add a machine with one processor."""
        return self._cluster.add_node(num_cpus=1, env_vars=environment or None)

    def kill(self, machine: Any) -> None:
        """End all processes of a machine at once."""
        self._cluster.remove_node(machine, allow_graceful=False)

    def end(self) -> None:
        self._cluster.shutdown()


@pytest.fixture
def ray_folder() -> Iterator[Path]:
    """Where Ray may keep its logs and sockets, whose names it wants short."""
    pytest.importorskip("ray", reason=MISSING)
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
