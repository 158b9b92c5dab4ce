"""Every passage a run has seen, under a number that never changes during the run."""

from __future__ import annotations

from collections.abc import Iterable

from pinakes_ask.memory import estimate_tokens
from pinakes_ask.tasks import Cite, OfferedPassage
from retrieval.types import Hit, Passage


class Evidence:
    """Numbered passages. Numbers start at 1 and follow the order of arrival."""

    def __init__(self) -> None:
        self._passages: list[Passage] = []
        self._numbers: dict[str, int] = {}
        self._hits: dict[int, Hit] = {}

    def __len__(self) -> int:
        return len(self._passages)

    def add(self, hits: Iterable[Hit]) -> tuple[int, ...]:
        """Take in ``hits`` and return their numbers, in the same order."""
        numbers: list[int] = []
        for hit in hits:
            number = self._numbers.get(hit.passage.id)
            if number is None:
                self._passages.append(hit.passage)
                number = len(self._passages)
                self._numbers[hit.passage.id] = number
                self._hits[number] = hit
            numbers.append(number)
        return tuple(numbers)

    def passage(self, number: int) -> Passage:
        """Return passage ``number``; the number must be one that was handed out."""
        return self._passages[number - 1]

    def first_hit(self, number: int) -> Hit:
        """Return the hit by which passage ``number`` first arrived."""
        return self._hits[number]

    def numbers(self) -> range:
        """All numbers handed out so far."""
        return range(1, len(self._passages) + 1)

    def quote(self, cite: Cite) -> str | None:
        """Return the cited sentence, or None where there is no such sentence."""
        if not 1 <= cite.passage <= len(self._passages):
            return None
        passage = self._passages[cite.passage - 1]
        if not 1 <= cite.sentence <= len(passage.sentences):
            return None
        return passage.sentence(cite.sentence - 1)

    def offer(self, numbers: Iterable[int]) -> tuple[OfferedPassage, ...]:
        """Return the passages with these numbers as a task offers them, each once."""
        return tuple(
            OfferedPassage(
                number=number,
                title=self.passage(number).title,
                sentences=self.passage(number).sentence_texts,
                aliases=self.passage(number).aliases,
            )
            for number in dict.fromkeys(numbers)
        )


def all_sentences(passages: Iterable[OfferedPassage]) -> frozenset[Cite]:
    """Return every sentence of ``passages``, as it would be cited."""
    return frozenset(
        Cite(passage=passage.number, sentence=number)
        for passage in passages
        for number in range(1, len(passage.sentences) + 1)
    )


def fitting(passages: Iterable[OfferedPassage], tokens: int) -> tuple[OfferedPassage, ...]:
    """Return the first passages that together stay within ``tokens``; at least one sentence of the first.

    The last one may lose sentences from its end; ``left_out`` then counts them.
    """
    kept: list[OfferedPassage] = []
    left = tokens
    for passage in passages:
        sentences: list[str] = []
        left -= estimate_tokens(passage.title)
        for sentence in passage.sentences:
            left -= estimate_tokens(sentence)
            if left < 0 and (kept or sentences):
                break
            sentences.append(sentence)
        if sentences:
            cut = len(passage.sentences) - len(sentences)
            kept.append(passage.model_copy(update={"sentences": tuple(sentences), "left_out": cut}))
        if left < 0:
            break
    return tuple(kept)
