"""Reading a file of questions. Every line that cannot be asked is found before anything is spent."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from pinakes_ask.batch.errors import BadLine
from pinakes_ask.batch.lines import Unusable, read_line

#: Byte order marks of encodings that are not UTF-8, the longer ones first.
_OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


@dataclass(frozen=True)
class Item:
    """One question. ``line`` counts from 1; ``problem`` says why it cannot be asked, empty where it can."""

    id: str
    question: str
    line: int
    problem: str = ""


@dataclass(frozen=True)
class Reading:
    """What a file of questions holds: those that can be asked, and the lines that cannot."""

    items: tuple[Item, ...]
    bad: tuple[BadLine, ...]


def read_questions(data: bytes) -> Reading:
    """Read questions, one a line: plain text, ``{"id", "question"}``, or a row of an OpenAI batch.

    Empty lines are passed over. A line without an id gets one from its question, so that it keeps it
    when lines are added above.

    :param data: UTF-8, with or without a byte order mark, with any line ends.
    """
    for mark, name in _OTHER_MARKS.items():
        if data.startswith(mark):
            return Reading((), (BadLine(1, f"the file is {name}; write it as UTF-8"),))
    items: list[Item] = []
    bad: list[BadLine] = []
    seen: dict[str, int] = {}
    for number, line in _lines(data):
        try:
            read = read_line(line)
        except Unusable as unusable:
            bad.append(BadLine(number, str(unusable)))
            continue
        identity = read.id or id_of(read.question)
        if identity in seen:
            same = f"the id {identity!r}" if read.id else "the same question"
            bad.append(BadLine(number, f"{same} stands in line {seen[identity]} already"))
            continue
        seen[identity] = number
        items.append(Item(identity, read.question, number))
    return Reading(tuple(items), tuple(bad))


def with_bad_lines(reading: Reading) -> tuple[Item, ...]:
    """Return all lines in order, those that cannot be asked with their problem, so that each gets a row."""
    bad = (Item(f"line-{one.line}", "", one.line, one.why) for one in reading.bad)
    return tuple(sorted((*reading.items, *bad), key=lambda item: item.line))


def id_of(question: str) -> str:
    """Return the id of a question that came without one."""
    return f"q-{hashlib.sha256(question.encode()).hexdigest()[:12]}"


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that hold anything, with their numbers."""
    text = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(text.split(b"\n"), start=1):
        if line.strip():
            yield number, line
