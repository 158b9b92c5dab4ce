"""The numbered words of passages, apart for titles with headings and for texts."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.lance.page import Numbers, Passages, Rows


@dataclass(frozen=True)
class _Part:
    passages: Passages
    of_heads: bool

    def gather(self, rows: Rows, /) -> tuple[Rows, Numbers]:
        """Return ``(places, numbers)`` of these rows end to end; places index into ``rows``."""
        return self.passages.words(rows, heads=self.of_heads, bodies=not self.of_heads)

    def __len__(self) -> int:
        return len(self.passages)


class LanceTokens:
    """Word numbers of each row: of its title and headings (``heads``) and of its text (``bodies``)."""

    def __init__(self, passages: Passages) -> None:
        self.heads = _Part(passages, of_heads=True)
        self.bodies = _Part(passages, of_heads=False)
