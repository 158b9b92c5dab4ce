"""Files of answers: JSON Lines (or one JSON list) of answers to score, in two shapes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from retrieval.text import sentence_spans
from scoring.citations import CitedStatement
from scoring.errors import AnswerFileError
from scoring.types import Branch, Extraction, Form, Proposition, Role, Triple


def _as_list(value: object) -> object:
    return [] if value is None or value == "" else [value] if isinstance(value, str) else value


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Texts = Annotated[list[str], BeforeValidator(_as_list)]
Text = Annotated[str, BeforeValidator(_as_text)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class GivenProposition(_Shape):
    """``{text, triples: [[subject, relation, object]], role?}``; a fourth true element negates."""

    text: str
    triples: list[tuple[Text, Text, Text] | tuple[Text, Text, Text, bool]] = []
    role: Role | None = None
    statement: int | None = None

    def proposition(self, place: int) -> Proposition:
        """Return it as a proposition; without its own number it is statement ``place``."""
        triples = tuple(Triple(t[0], t[1], t[2], len(t) > 3 and bool(t[-1])) for t in self.triples)
        return Proposition(
            self.text, triples, place if self.statement is None else self.statement, self.role or "body"
        )


class GivenBranch(_Shape):
    """``{entity, value}``; no value where the answer states none."""

    entity: str
    value: Text | None = None


class GivenStatement(_Shape):
    """A statement with its citations ``[[passage, sentence]]``, as numbers from 0."""

    text: str
    citations: list[tuple[int, int]] = []
    title: str | None = None


class Row(_Shape):
    """One answer to score."""

    id: Text
    question: str
    long_answer: str | None = None
    statements: list[GivenStatement] | None = None
    short_answer: Text | None = None
    gold: Texts = []
    aliases: list[Texts] = []
    passages: list[Any] = []
    propositions: list[GivenProposition] | None = None
    question_entities: list[str] | None = None
    form: Form | None = None
    plan_hops: int | None = Field(default=None, ge=0)
    branches: list[GivenBranch] | None = None
    operator: Literal["least", "greatest"] | None = None
    reinferred: Text | None = None

    def texts(self) -> list[GivenStatement]:
        """Return the statements, or the long answer's sentences."""
        if self.statements is not None:
            return self.statements
        answer = self.long_answer or ""
        return [GivenStatement(text=answer[start:end]) for start, end in sentence_spans(answer)]

    def extraction(self, *, use_parser: bool = True) -> Extraction:
        """Return the given extraction, or the one that rules find in the statements."""
        from scoring.extract.extractor import extract
        from scoring.extract.given import from_propositions
        from scoring.extract.statement import Statement

        branches = [Branch(one.entity, one.value) for one in self.branches] if self.branches is not None else None
        if self.propositions is not None:
            return from_propositions(
                self.question,
                [one.proposition(place) for place, one in enumerate(self.propositions)],
                self.short_answer,
                with_role=[one.role is not None for one in self.propositions],
                entities=self.question_entities,
                form=self.form,
                plan_hops=self.plan_hops,
                aliases=self.aliases,
                branches=branches,
                operator=self.operator,
                reinferred=self.reinferred,
            )
        found = extract(
            self.question,
            [Statement(one.text, one.title) for one in self.texts()],
            self.short_answer,
            form=self.form,
            plan_hops=self.plan_hops,
            aliases=[*self.aliases, *([self.gold] if len(self.gold) > 1 else [])],
            branches=branches,
            use_parser=use_parser,
        )
        more: dict[str, Any] = {"reinferred": self.reinferred}
        if self.question_entities is not None:
            more["question_entities"] = self.question_entities
        return Extraction.from_json(found.to_json() | more)

    def cited(self) -> list[CitedStatement]:
        """Return the statements as the citation checks take them."""
        return [CitedStatement(one.text, tuple(one.citations), one.title) for one in self.texts()]

    def evidence(self) -> dict[int, list[str]]:
        """Return the sentences of every passage by its number; a passage is a text or ``{title, text}``."""
        return {place: _sentences(passage) for place, passage in enumerate(self.passages)}

    def titles(self) -> dict[int, str]:
        """Return the passages' titles by number."""
        return {
            place: str(passage.get("title") or "")
            for place, passage in enumerate(self.passages)
            if isinstance(passage, dict)
        }


def _sentences(passage: Any) -> list[str]:
    if isinstance(passage, dict) and isinstance(passage.get("sentences"), list):
        return [str(one) for one in passage["sentences"]]
    text = str(passage.get("text") or "") if isinstance(passage, dict) else str(passage)
    return [text[start:end] for start, end in sentence_spans(text)]


def read_rows(lines: Iterable[str], name: str) -> Iterator[Row]:
    """Yield the rows of a file of answers, given line by line.

    :param name: what to call the file in errors.
    :raises AnswerFileError: at the first line that is no JSON object of a known shape, or at a
        repeated id. Nothing is guessed.
    """
    seen: set[str] = set()
    for number, data in _objects(lines, name):
        try:
            row = Row.model_validate(_unified(data, number))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "the row"
            raise AnswerFileError(
                f"Cannot score {name}",
                f"line {number}: {field}: {first['msg']}",
                "See docs/logicscore.md for the fields",
            ) from None
        if row.id in seen:
            raise AnswerFileError(
                f"Cannot score {name}",
                f"line {number}: the id {row.id!r} is used twice",
                "Give each answer its own id",
            )
        seen.add(row.id)
        yield row


def _objects(lines: Iterable[str], name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    whole = numbered[0][1].lstrip().startswith("[") if numbered else False
    sources = [(1, "\n".join(line for _, line in numbered))] if whole else numbered
    for number, text in sources:
        try:
            value = json.loads(text)
        except ValueError as error:
            raise AnswerFileError(
                f"Cannot score {name}", f"line {number} is no JSON ({error})", "Mend or remove it"
            ) from None
        items = value if whole and isinstance(value, list) else [value]
        for place, item in enumerate(items, start=number):
            if not isinstance(item, dict):
                raise AnswerFileError(
                    f"Cannot score {name}", f"line {place} is no JSON object", "Mend or remove it"
                )
            yield place, item


def _unified(data: dict[str, Any], number: int) -> dict[str, Any]:
    """Bring a row of the original pipeline's stage files into the other shape."""
    row = dict(data)
    if "query" in row and "question" not in row:
        row["question"] = row["query"]
        row["short_answer"] = row.get("predict_answer")
        row["gold"] = row.get("gold_answer")
        row["reinferred"] = row.get("logic_answer")
        context = row.get("context")
        row["passages"] = context if isinstance(context, list) else [context] if context else []
    row.setdefault("id", str(number))
    if isinstance(row.get("statements"), str):
        row["long_answer"] = row.pop("statements")
    if isinstance(row.get("statements"), list):
        row["statements"] = [{"text": one} if isinstance(one, str) else one for one in row["statements"]]
    groups = row.get("aliases")
    if isinstance(groups, list) and groups and all(isinstance(one, str) for one in groups):
        # A flat list names the gold answer once more.
        row["gold"] = [*(_as_list(row.get("gold")) or []), *groups]  # type: ignore[misc]
        row["aliases"] = []
    elif groups is None:
        row["aliases"] = []
    return {key: value for key, value in row.items() if value is not None}
