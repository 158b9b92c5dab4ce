"""Putting several files of answers together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pinakes_ask.batch.answers import read_rows, replacing, unwritable
from pinakes_ask.batch.rows import Key, key_of


@dataclass(frozen=True)
class Merged:
    """How many rows were written, failed ones among them; how many were left out for another of their key."""

    rows: int
    failed: int
    twice: int
    missing: int


def merge_answers(
    files: Sequence[Path], out: Path, order: Sequence[str] | None, note: Callable[[str], None]
) -> Merged:
    """Write the rows of ``files`` to ``out``, which is replaced as a whole or not at all.

    Of several rows with one key the last that did not fail is taken, as it stands.

    :param order: ids in the order of the questions; rows of other ids follow. None keeps the files' order.
    :raises AnswersUnwritable: when ``out`` cannot be written.
    """
    chosen: dict[Key, tuple[bool, Path, int, int]] = {}
    total = 0
    for file in files:
        for row, start, size in read_rows(file, note):
            total += 1
            failed = row["status"] == "failed"
            key = key_of(row)
            if key not in chosen or not failed or chosen[key][0]:
                chosen[key] = failed, file, start, size
    places = {identity: place for place, identity in enumerate(order or ())}
    keys = sorted(chosen, key=lambda key: places.get(key.id, len(places)))
    try:
        _copy((chosen[key][1:] for key in keys), out)
    except OSError as error:
        raise unwritable(out, error) from error
    have = {key.id for key in keys}
    return Merged(
        rows=len(keys),
        failed=sum(chosen[key][0] for key in keys),
        twice=total - len(keys),
        missing=sum(identity not in have for identity in places),
    )


def _copy(places: Iterable[tuple[Path, int, int]], out: Path) -> None:
    """Copy lines byte for byte; one of the inputs may be ``out`` itself."""
    with ExitStack() as open_files, replacing(out) as written:
        streams: dict[Path, IO[bytes]] = {}
        for file, start, size in places:
            if file not in streams:
                streams[file] = open_files.enter_context(file.open("rb"))
            streams[file].seek(start)
            written.write(streams[file].read(size).rstrip(b"\n") + b"\n")
