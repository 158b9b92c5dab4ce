"""The passages as numbered words: what the word index is built from, and where names stand among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from retrieval.hops.csr import Ragged
from retrieval.indexes.tokens import tokens, tokens_at


@dataclass(frozen=True)
class Tokenised:
    """Word numbers of each row: of its title and headings (``heads``) and of its text (``bodies``)."""

    heads: Ragged
    bodies: Ragged

    def save(self, folder: Path) -> None:
        """Write ``tokens.*`` files."""
        self.heads.save(folder, "tokens.heads")
        self.bodies.save(folder, "tokens.bodies")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open what :meth:`save` wrote, memory-mapped."""
        return cls(Ragged.load(folder, "tokens.heads"), Ragged.load(folder, "tokens.bodies"))


@dataclass
class Tokeniser:
    """Numbers words by their first appearance.

    The numbers are kept as the very objects that the vocabulary holds, so that a row costs eight
    bytes a word.
    """

    vocabulary: dict[str, int] = field(default_factory=dict)
    heads: list[list[int]] = field(default_factory=list)
    bodies: list[list[int]] = field(default_factory=list)

    def add(self, head: str, body: str) -> list[int]:
        """Take in the next row; return the offset of each of its body's tokens in the folded body."""
        found, starts = tokens_at(body)
        self.heads.append(self._numbers(tokens(head)))
        self.bodies.append(self._numbers(found))
        return starts

    def rows(self) -> list[list[int]]:
        """Return all word numbers of each row, title and headings included."""
        return [head + body for head, body in zip(self.heads, self.bodies, strict=True)]

    def tokenised(self) -> Tokenised:
        """Return the rows in the form in which they are kept."""
        return Tokenised(Ragged.of(self.heads), Ragged.of(self.bodies))

    def _numbers(self, found: list[str]) -> list[int]:
        vocabulary = self.vocabulary
        return [vocabulary.setdefault(token, len(vocabulary)) for token in found]
