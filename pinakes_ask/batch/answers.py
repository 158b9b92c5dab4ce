"""The file of answers: one row a question, appended and on the disk as soon as its question ends."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from pinakes_ask.batch.errors import AnswersUnwritable
from pinakes_ask.batch.rows import Key, key_of, row_in
from transcripts.disk import names_to_disk

#: Beside the answers: what a truncated last line held, and the rows that another attempt replaced.
DAMAGED, RETRIED = ".damaged", ".retried"


class Placed(NamedTuple):
    """A row, and where its line stands in the file."""

    row: dict[str, Any]
    start: int
    size: int


def read_rows(file: Path, note: Callable[[str], None]) -> Iterator[Placed]:
    """Yield the rows of a file of answers in order; what is no row is noted and passed over."""
    start = 0
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            row = _parsed(line)
            if row is not None:
                yield Placed(row, start, len(line))
            elif line.strip():
                note(f"Line {number} of {file} is no row of answers and was passed over.")
            start += len(line)


def repair_end(file: Path) -> str | None:
    """Make the file end with a whole line. A last line that was cut off goes to a file beside it.

    :returns: what was done, None where nothing was to do.
    """
    if not file.exists() or file.stat().st_size == 0:
        return None
    with file.open("rb+") as answers:
        start = _last_line(answers)
        answers.seek(start)
        tail = answers.read()
        if tail.endswith(b"\n"):
            return None
        if _parsed(tail) is not None:
            answers.write(b"\n")
            _to_disk(answers)
            return None
        beside = file.with_name(file.name + DAMAGED)
        with beside.open("ab") as kept:
            kept.write(tail + b"\n")
            _to_disk(kept)
        answers.truncate(start)
        _to_disk(answers)
    return f"The last line of {file} was cut off. It was moved to {beside}, and its question counts as missing."


def take_out(file: Path, keys: frozenset[Key]) -> None:
    """Move the rows of ``keys`` to the file of retried rows. The rest is replaced as a whole or not at all.

    :raises AnswersUnwritable: when that cannot be done.
    """
    beside = file.with_name(file.name + RETRIED)
    try:
        with replacing(file) as kept, beside.open("ab") as retried, file.open("rb") as old:
            for line in old:
                row = _parsed(line)
                (retried if row is not None and key_of(row) in keys else kept).write(line)
            _to_disk(retried)
    except OSError as error:
        raise unwritable(file, error) from error


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """Yield a stream whose content becomes that of ``file`` in the end, as a whole or not at all."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        with draft.open("wb") as stream:
            yield stream
            _to_disk(stream)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    names_to_disk(file.parent)


def unwritable(file: Path, error: OSError) -> AnswersUnwritable:
    """Return the error for a file of answers that the system would not write."""
    return AnswersUnwritable(
        f"The answers in {file} cannot be written",
        error.strerror or str(error),
        "Free its disk or make it writable; a rerun goes on where this one ended",
    )


class Answers:
    """The only writer of a file of answers. Use it as a context manager."""

    def __init__(self, file: Path) -> None:
        """Open ``file`` to append to it.

        :raises AnswersUnwritable: when it cannot be opened.
        """
        self._file = file
        try:
            self._stream: IO[bytes] = file.open("ab", buffering=0)
            names_to_disk(file.parent)
        except OSError as error:
            raise unwritable(file, error) from error

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row, and return when it is on the disk.

        :raises AnswersUnwritable: when it cannot be written whole; what was written of it is taken back.
        """
        line = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode()
        end = os.fstat(self._stream.fileno()).st_size
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._stream.write(rest) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            self._stream.truncate(end)
            raise unwritable(self._file, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        return row_in(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _last_line(stream: IO[bytes]) -> int:
    """Where the last line begins; a line end at the very end belongs to it."""
    end = stream.seek(0, os.SEEK_END)
    block = 1 << 16
    place = end
    while place > 0:
        size = min(block, place)
        stream.seek(place - size)
        data = stream.read(size)
        found = data.rfind(b"\n", 0, size - 1 if place == end else size)
        if found >= 0:
            return place - size + found + 1
        place -= size
    return 0


def _to_disk(stream: IO[bytes]) -> None:
    stream.flush()
    os.fsync(stream.fileno())
