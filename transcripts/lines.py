"""Files of JSON lines that only ever grow: several processes may add to one at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from transcripts.errors import TranscriptError
from transcripts.record import Part, canonical

PartT = TypeVar("PartT", bound=Part)


def append_line(file: Path, part: Part) -> None:
    """Add ``part`` as one line to the end of ``file``. It is on the disk when this returns.

    A line is one write to the end of the file, so that lines neither mix nor get lost. After a line
    that was cut short it begins on a new one.

    :raises OSError: when the file cannot be written.
    """
    line = canonical(part.model_dump(mode="json")).encode(errors="replace") + b"\n"
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            # Of two that see this at once both add a line break; blank lines mean nothing.
            line = b"\n" + line
        if os.write(descriptor, line) != len(line):
            raise OSError(0, "the disk took only a part of the line")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_lines(file: Path, kind: type[PartT]) -> tuple[tuple[PartT, ...], tuple[str, ...]]:
    """Return the lines of ``file`` in order, and a problem for each that is cut short or foreign.

    :raises TranscriptError: when the file is there and cannot be read.
    """
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return (), ()
    except OSError as error:
        raise TranscriptError(f"{file} cannot be read", error.strerror or str(error), "Check the file") from error
    read: list[PartT] = []
    problems: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            read.append(kind.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            problems.append(f"{file}, line {number} was skipped: {where}: {first['msg']}")
    return tuple(read), tuple(problems)
