"""Reading answers: rows of ``pnk batch`` or ``pnk ask --json``, or any engine's ``{id, answer}``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pinakes_ask.batch.errors import BadLine
from pinakes_ask.batch.lines import Unusable
from pinakes_ask.batch.rows import row_in
from pinakes_ask.evaluation.answer import Answer
from pinakes_ask.evaluation.own_rows import answer_of_row, is_own
from pinakes_ask.evaluation.plain_rows import answer_of_plain, from_predictions
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.evaluation.reading import read_bytes, records
from retrieval.errors import UsageError


@dataclass(frozen=True)
class Answers:
    """The answers by the ids of their questions; ``strangers`` counts those to other questions."""

    by_id: dict[str, Answer]
    strangers: int


class AnswersUnusable(UsageError):
    """Some lines of the answers cannot be measured. ``lines`` are all of them."""

    def __init__(self, source: str, lines: Sequence[BadLine]) -> None:
        first = f"line {lines[0].line}: {lines[0].why}"
        why = first if len(lines) == 1 else f"{len(lines)} lines cannot be read, the first is {first}"
        do = "Correct or remove them; docs/eval.md shows the shapes"
        super().__init__(f"The answers in {source} were not measured", why, do)
        self.lines = tuple(lines)


def read_answers(
    file: Path, questions: Sequence[EvalQuestion], progress: Callable[[int], None] = lambda done: None
) -> Answers:
    """Read a file of answers.

    Of several rows with one id the last is taken where they are our own (an earlier one was retried), and
    other files must not repeat an id.

    :raises UsageError: when the file cannot be read, or holds answers to none of ``questions``.
    :raises AnswersUnusable: when lines of it are no answers; all of them are named.
    """
    asked = {one.id: one for one in questions}
    texts = {one.text: one for one in questions}
    found: dict[str, Answer] = {}
    bad: list[BadLine] = []
    strangers = 0
    for line, value in _records(read_bytes(file)):
        try:
            row = _object(value)
            own = is_own(row)
            question = _question(row, own, asked, texts)
            if question is None:
                strangers += 1
                continue
            if question.id in found and not own:
                raise Unusable(f"the id {question.id!r} has an answer already")
            answer = answer_of_row(row, question, file.parent) if own else answer_of_plain(row, question)
            found[question.id] = answer
            progress(len(found))
        except Unusable as unusable:
            bad.append(BadLine(line, str(unusable)))
    if bad:
        raise AnswersUnusable(str(file), bad)
    if not found:
        why = f"none of its {strangers} rows answers one of the questions" if strangers else "it holds no answer"
        raise UsageError(f"The answers in {file} were not measured", why, "Name the questions that they answer")
    if any(answer.cites for answer in found.values()):
        # An engine that names sources names none where it has no statement: that is a finding, not a gap.
        found = {name: replace(answer, cites=answer.statements is not None) for name, answer in found.items()}
    return Answers(found, strangers)


def _records(data: bytes) -> Iterator[tuple[int, Any]]:
    """The rows; a single object that spans the file is the prediction file of HotpotQA, or one answer."""
    if data.lstrip()[:1] == b"{" and data.count(b"\n{") == 0:
        whole = next(records(b"[" + data.removeprefix(b"\xef\xbb\xbf") + b"]"))[1]
        if not isinstance(whole, Unusable):
            rows = from_predictions(whole)
            yield from enumerate(rows, start=1) if rows is not None else [(1, whole)]
            return
    yield from records(data)


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, Unusable):
        raise value
    if not isinstance(value, dict):
        raise Unusable("it is no JSON object")
    return row_in(value) or value


def _question(
    row: dict[str, Any], own: bool, asked: dict[str, EvalQuestion], texts: dict[str, EvalQuestion]
) -> EvalQuestion | None:
    given = row.get("id", row.get("_id"))
    if given is None:
        if not own and "question" not in row:
            raise Unusable("it has no id under 'id'")
        return texts.get(" ".join(str(row.get("question") or "").split()))
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise Unusable("its id is neither a text nor a whole number")
    question = asked.get(str(given))
    said = row.get("question")
    if question is not None and isinstance(said, str) and " ".join(said.split()) != question.text:
        raise Unusable(f"it answers another question than the one with the id {question.id!r}")
    return question
