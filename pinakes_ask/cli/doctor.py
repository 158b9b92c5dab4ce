"""``pnk doctor``: whether the index of a library is sound, and what it costs."""

from __future__ import annotations

from dataclasses import asdict

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption, StateOption
from retrieval.text.wording import counted


def doctor(kb: KbOption = None, state: StateOption = None, as_json: JsonOption = False) -> int:
    """Examine the index of a library; exit 1 where it cannot be used as it is."""
    from retrieval.health import examine

    library = common.find_library(kb)
    health = examine(library, state=state, uri=common.shared_index(library))
    if as_json:
        common.print_json({"schema_version": 1, "healthy": health.healthy, **asdict(health)})
        return 0 if health.healthy else 1
    lines = [
        f"library      {health.library}",
        f"index        {health.state}",
        f"holds        {counted(health.documents, 'document')}, {counted(health.passages, 'passage')}",
        f"embedder     {health.embedder}",
        f"calibration  {health.calibration}",
        "disk         " + ", ".join(f"{part} {size / 2**20:.1f} MiB" for part, size in health.disk.items()),
    ]
    lines += [f"fault        {fault}" for fault in health.faults]
    lines += [f"waiting      {waiting}" for waiting in health.waiting]
    lines += [f"leftover     {orphan}" for orphan in health.orphans]
    lines += [
        f"{'unreadable' if problem.skipped else 'note':12} {problem.location}: {problem.problem}"
        for problem in health.problems
    ]
    if not health.healthy:
        lines.append("The index cannot be used as it is. Run `pnk sync`, or `pnk sync --rebuild`.")
    elif health.waiting:
        lines.append("The index is sound, but files have changed. Run `pnk sync`.")
    else:
        lines.append("The index is sound and up to date.")
    common.print_result("\n".join(lines))
    return 0 if health.healthy else 1
