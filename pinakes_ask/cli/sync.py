"""``pnk sync``: bring the index up to date with the documents."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption, StateOption
from pinakes_ask.cli.ray import RayOption, cluster_embedder, on_cluster
from retrieval.text.wording import counted


def sync(
    kb: KbOption = None,
    state: StateOption = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index anew.")] = False,
    ray: RayOption = "",
    as_json: JsonOption = False,
) -> int:
    """Index what is new or changed in a library, and forget what is gone."""
    common.quiet_native_libraries()
    from retrieval.syncing import sync as run_sync

    library = common.find_library(kb)
    uri = common.shared_index(library)
    with on_cluster(ray), common.progress_bar(enabled=not as_json) as progress:
        embedder = cluster_embedder() if ray else None
        report = run_sync(library, state=state, embedder=embedder, rebuild=rebuild, progress=progress, uri=uri)
    for problem in report.problems:
        common.notice(f"{'skipped' if problem.skipped else 'note'}: {problem.location}: {problem.problem}")
    if as_json:
        common.print_json({"schema_version": 1, **asdict(report)})
        return 0
    common.print_result(
        f"{counted(report.documents, 'document')}, {counted(report.passages, 'passage')}: {report.added} added, "
        f"{report.changed} changed, {report.removed} removed, {report.unchanged} unchanged, "
        f"{counted(report.embedded, 'passage')} embedded"
    )
    return 0
