"""Reading a question set: JSON Lines, or one JSON array as HotpotQA and 2WikiMultiHopQA publish theirs."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinakes_ask.batch.errors import BadLine, QuestionsUnusable
from pinakes_ask.batch.lines import Unusable
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.evaluation.shapes import question_of
from retrieval.errors import UsageError


@dataclass(frozen=True)
class QuestionSet:
    """The questions of a file, in its order. ``sha256`` is of the file."""

    name: str
    sha256: str
    questions: tuple[EvalQuestion, ...]


def read_set(path: Path) -> QuestionSet:
    """Read a question set.

    :param path: a file, or a folder that holds ``questions.jsonl``.
    :raises UsageError: when it cannot be read, or holds no question.
    :raises QuestionsUnusable: when some records cannot be asked or measured; all of them are named.
    """
    file = path / "questions.jsonl" if path.is_dir() else path
    data = read_bytes(file)
    questions: list[EvalQuestion] = []
    bad: list[BadLine] = []
    places: dict[str, int] = {}
    for place, value in records(data):
        try:
            question = question_of(_usable(value))
        except Unusable as unusable:
            bad.append(BadLine(place, str(unusable)))
            continue
        if question.id in places:
            bad.append(BadLine(place, f"the id {question.id!r} stands in line {places[question.id]} already"))
            continue
        places[question.id] = place
        questions.append(question)
    if bad:
        raise QuestionsUnusable(str(file), bad, "Correct or remove them; docs/eval.md shows the shapes")
    if not questions:
        raise UsageError(f"There is nothing to measure in {file}", "it holds no question", "Name another file")
    name = file.resolve().parent.name if file.name == "questions.jsonl" else file.stem
    return QuestionSet(name, hashlib.sha256(data).hexdigest(), tuple(questions))


def choose(questions: Sequence[EvalQuestion], limit: int | None, seed: int) -> tuple[EvalQuestion, ...]:
    """Return ``limit`` of the questions at random, in their order; all of them without a limit."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    return tuple(questions[place] for place in sorted(random.Random(seed).sample(range(len(questions)), limit)))


def read_bytes(file: Path) -> bytes:
    """Return what a file holds.

    :raises UsageError: when it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"Cannot read {file}", error.strerror or str(error), "Check the path") from error


def records(data: bytes) -> Iterator[tuple[int, Any]]:
    """Yield ``(line, value)`` of JSON Lines, or ``(place, value)`` of one array, counted from 1.

    What is no JSON is yielded as an :class:`Unusable`, so that the caller can name all of it.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield data.count(b"\n", 0, error.start) + 1, Unusable(f"byte {error.start + 1} of the file is no UTF-8")
        return
    if text.lstrip().startswith("["):
        whole = _parsed(text)
        yield from enumerate(whole, start=1) if isinstance(whole, list) else [(1, whole)]
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _parsed(line)


def _parsed(text: str) -> Any:
    """A JSON value that a file can hold again, else an :class:`Unusable`."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        return Unusable(f"it is no JSON: {error.msg.lower()} at character {error.pos + 1}")
    except UnicodeEncodeError:
        return Unusable("it holds half of a character, which no file can hold")
    except Unusable as unusable:
        return unusable
    except (RecursionError, ValueError):
        return Unusable("it is no JSON that can be read")
    return value


def _no_constant(name: str) -> Any:
    raise Unusable(f"{name} is no JSON")


def _usable(value: Any) -> Any:
    if isinstance(value, Unusable):
        raise value
    return value
