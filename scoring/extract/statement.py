"""What extraction is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a long answer.

    :ivar title: the title of the document that the sentence is quoted from, where it is a quotation:
        a pronoun or a short form at its subject may then stand for that title.
    """

    text: str
    title: str | None = None


def as_statement(statement: Statement | str) -> Statement:
    """Return a plain text as a statement without context."""
    return statement if isinstance(statement, Statement) else Statement(statement)
