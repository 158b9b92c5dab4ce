"""What is still to do: of all questions, those that have no row yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.batch.answers import read_rows
from pinakes_ask.batch.questions import Item
from pinakes_ask.batch.rows import Key, key_of, to_retry
from pinakes_ask.batch.tally import Tally


@dataclass(frozen=True)
class Todo:
    """The questions to ask.

    :param ask: in the order of the file, those to retry included.
    :param retry: keys of the rows to take out of the answers first, since they are asked again.
    :param changed: how many have a row of the same id for another question or other settings.
    :param before: the rows that stay and answer one of the questions.
    :param transcripts: their transcripts, as their rows name them.
    """

    ask: tuple[Item, ...]
    retry: frozenset[Key]
    changed: int
    before: Tally
    transcripts: tuple[str, ...]


def find_todo(
    items: Sequence[Item], settings: str, file: Path, *, retry_failed: bool, note: Callable[[str], None]
) -> Todo:
    """Compare the questions with the rows of ``file``, which may be missing."""
    wanted = {Key(item.id, item.question, settings) for item in items}
    ids = {item.id for item in items}
    before = Tally()
    done: set[Key] = set()
    retry: set[Key] = set()
    other: set[str] = set()
    transcripts: list[str] = []
    for row, _, _ in read_rows(file, note) if file.exists() else ():
        key = key_of(row)
        if key not in wanted:
            other |= {key.id} & ids
        elif retry_failed and to_retry(row):
            retry.add(key)
        elif key not in done:
            done.add(key)
            before.add(row)
            if row["transcript"]:
                transcripts.append(row["transcript"])
    ask = tuple(item for item in items if Key(item.id, item.question, settings) not in done)
    changed = len(other & {item.id for item in ask})
    return Todo(ask, frozenset(retry - done), changed, before, tuple(transcripts))
