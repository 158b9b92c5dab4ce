"""Working on a Ray cluster from the command line: its flags, its environment, and what a worker opens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pinakes_ask.cli import common
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.config import ModelSection
    from pinakes_ask.seams import LanguageModel
    from retrieval.library import Library
    from retrieval.protocols import Embedder

RayOption = Annotated[
    str,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        show_default=False,
        help="Work on the Ray cluster at this host:port, from one of its machines; local starts one here.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--ray-workers", min=1, show_default=False, help="Workers on the cluster. Default: one for each processor."
    ),
]


@contextmanager
def on_cluster(address: str) -> Iterator[None]:
    """Be part of the cluster at ``address``; of none where it is empty.

    Ray reads the environment when it is imported, and reports usage to its makers unless it is told not to. A
    cluster of its own asks for a token, as it does by default, without a word about that. What Ray says of the
    cluster it would print among the results; it stands in Ray's logs as well.

    :raises ClusterUnusable: when it cannot be joined or used.
    """
    if not address:
        yield
        return
    from pinakes_ask.distributed.cluster import LOCAL, joined

    common.quiet_native_libraries()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == LOCAL:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), joined(address):
        yield


def cluster_embedder() -> Embedder:
    """Return an embedder that works on the cluster that was joined."""
    from pinakes_ask.distributed.embedding import ClusterEmbedder
    from pinakes_ask.distributed.machines import processors

    return ClusterEmbedder(processors())


def check_workers(address: str, workers: int | None) -> None:
    """Raise :class:`UsageError` for a number of workers without a cluster."""
    if workers is not None and not address:
        raise UsageError("--ray-workers cannot be used", "no cluster was named", "Name one with --ray")


def worker_library(library: Path, state: Path | None, uri: str | None) -> Library:
    """Open the library, on the machine of a worker; ``uri`` is where its tables lie, if its index is shared."""
    common.quiet_native_libraries()
    from retrieval.library import Library

    return Library.open(library, state=state, uri=uri)


def worker_model(named: ModelSection, keyed: bool) -> LanguageModel:
    """Open the model, on the machine of a worker. A key is read there, and never sent.

    :param keyed: the command has a key, so a worker without one would ask in vain.
    :raises UsageError: when the key is not there.
    """
    if named.local:
        from pinakes_ask.models.extractive.model import ExtractiveModel

        return ExtractiveModel()
    from pinakes_ask.cli.endpoint import KEYS, named_model, read_key

    if keyed and read_key() is None:
        raise UsageError(
            f"The model {named.name!r} cannot be asked",
            f"neither {' nor '.join(KEYS)} is set there",
            "Set it in the environment of `ray start` on every machine",
        )
    return named_model(named)
