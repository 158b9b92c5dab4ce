"""The hop index: which names stand in which passages, and which passages a name leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import ahocorasick_rs
import numpy as np
from numpy.typing import NDArray

from retrieval.hops.collect import Names
from retrieval.hops.csr import Ints, Ragged
from retrieval.hops.surface import hash_of, is_whole, plain, spans
from retrieval.mapped import load_mapped
from retrieval.text import fold


@dataclass(frozen=True)
class Standing:
    """A name where it stands in a text: ``start`` and ``end`` are offsets into the folded text."""

    name: int
    start: int
    end: int


@dataclass(frozen=True)
class HopIndex:
    """Names and where they lead; built at sync, memory-mapped in a search.

    :param mentions: for each row, triples ``name, first token, token after the last``, flattened.
    :param holders: for each name, the rows whose text holds it.
    :param places: beside ``holders``, the token at which the name first stands in the row.
    :param called: for each name, the rows that are called so, or that a link leads to.
    :param owned: for each row, the names it is called.
    :param owners: for each name, how many documents are called so.
    :param rarity: for each name, ``1 - ln(1 + n) / ln(5001)``, at least 0, with n the rows it concerns.
        Not an idf: what a name is worth must not depend on the size of the library.
    :param ordinal: for each row, its place in its document; a name leads first to the beginning.
    :param length: for each name, its number of words.
    :param is_link: for each name, whether it stands for an explicit link.
    :param hashes: sorted; with ``hashed`` the lookup from a plain name to its number.
    :param common: for each name, whether it is mostly an ordinary word.
    """

    mentions: Ragged
    holders: Ragged
    places: Ragged
    called: Ragged
    owned: Ragged
    owners: NDArray[np.int32]
    rarity: NDArray[np.float32]
    ordinal: NDArray[np.int32]
    length: NDArray[np.int32]
    is_link: NDArray[np.bool_]
    common: NDArray[np.bool_]
    hashes: Ints
    hashed: NDArray[np.int32]
    spelling: NDArray[np.uint8]
    spelled: Ints

    def shown(self, name: int) -> str:
        """Return a name as a person would write it."""
        return self.spelling[self.spelled[name] : self.spelled[name + 1]].tobytes().decode("utf-8")

    def calling(self, name: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how strongly each name calls for its row, in (0, 1].

        Less where several documents are called so, and less the further the passage is from the
        beginning of its document.
        """
        owners = np.maximum(self.owners[name], 1).astype(np.float64)
        return owners**-0.5 * (1.0 + self.ordinal[row]) ** -0.5

    def in_question(self, question: str) -> list[Standing]:
        """Return the names that stand in a question, in order; of overlapping ones the longest.

        In a question with capitals a name needs one; in one typed without, none does. An ordinary
        word counts as a name only where it has a capital and is not the first word.
        """
        folded = fold(question)
        same = len(folded) == len(question)
        capitals = same and any(char.isupper() for char in question[1:])
        found: list[tuple[int, Standing]] = []
        for text, start, end, count in spans(question):
            name = self._lookup(text)
            if name is None:
                continue
            written = question[start:end] if same else ""
            if capitals and written.islower() and written.upper() != written:
                continue
            if count == 1 and self.common[name] and (start == 0 or not written[:1].isupper()):
                continue
            found.append((end - start, Standing(name, start, end)))
        taken = bytearray(len(folded))
        kept = []
        for _, standing in sorted(found, key=lambda item: (-item[0], item[1].start)):
            if not any(taken[standing.start : standing.end]):
                taken[standing.start : standing.end] = b"\x01" * (standing.end - standing.start)
                kept.append(standing)
        return sorted(kept, key=lambda standing: standing.start)

    def _lookup(self, text: str) -> int | None:
        wanted = hash_of(text)
        place = int(np.searchsorted(self.hashes, wanted))
        if place < len(self.hashes) and int(self.hashes[place]) == wanted:
            return int(self.hashed[place])
        return None

    def save(self, folder: Path) -> None:
        """Write the index into ``folder`` as ``hops.*`` files."""
        for name in _RAGGED:
            getattr(self, name).save(folder, f"hops.{name}")
        for name in _ARRAYS:
            np.save(folder / f"hops.{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open what :meth:`save` wrote."""
        parts: dict[str, Any] = {name: Ragged.load(folder, f"hops.{name}") for name in _RAGGED}
        parts |= {name: load_mapped(folder / f"hops.{name}.npy") for name in _ARRAYS}
        return cls(**parts)


#: Rows that a name concerns when it says nothing any more.
_COMMONEST = 5000
_RAGGED = ("mentions", "holders", "places", "called", "owned")
_ARRAYS = ("owners", "rarity", "ordinal", "length", "is_link", "common", "hashes", "hashed", "spelling", "spelled")


class Finder:
    """Finds all names of a library in a text, in one pass."""

    def __init__(self, names: Names) -> None:
        surfaces = list(names.surfaces)
        self._names = [names.surfaces[surface] for surface in surfaces]
        self._common = names.common
        self._automaton = ahocorasick_rs.AhoCorasick(surfaces, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)

    def find(self, text: str) -> list[Standing]:
        """Return the names that stand in ``text`` as whole words, without overlap, in order.

        A name needs a capital or a digit in it, in scripts that have them. A single ordinary word
        is passed over where it begins a sentence, since any word has a capital there.
        """
        folded = fold(text)
        same = len(folded) == len(text)
        found = []
        for pattern, start, end in self._automaton.find_matches_as_indexes(folded):
            if not is_whole(folded, start, end):
                continue
            name = self._names[pattern]
            if same:
                written = text[start:end]
                if written.islower() and written.upper() != written:
                    continue
                if self._common[name] and _begins_sentence(text, start):
                    continue
            found.append(Standing(name, start, end))
        return found


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in ".!?:\n"


def build(
    names: Names,
    mentions: Sequence[Sequence[tuple[int, int, int]]],
    links: Sequence[tuple[tuple[int, int], str, Sequence[int]]],
    ordinals: Sequence[int],
) -> HopIndex:
    """Build the index.

    :param mentions: for each row, ``(name, first token, token after the last)`` in order.
    :param links: explicit links, as ``(row and token where it stands, how it is shown, rows it leads to)``.
    :param ordinals: of each row, its place in its document.
    """
    count = len(mentions)
    shown = [*names.shown, *(text for _, text, _ in links)]
    called = [*names.called, *(list(rows) for _, _, rows in links)]
    all_mentions = [list(row) for row in mentions]
    for number, ((row, token), _, _) in enumerate(links, start=len(names.keys)):
        all_mentions[row].append((number, token, token))
    holders: list[list[int]] = [[] for _ in shown]
    places: list[list[int]] = [[] for _ in shown]
    for row, standing in enumerate(all_mentions):
        first = {name: token for name, token, _ in reversed(standing)}
        for name, token in first.items():
            holders[name].append(row)
            places[name].append(token)
    owned: list[list[int]] = [[] for _ in range(count)]
    for name, rows in enumerate(called[: len(names.keys)]):
        for row in rows:
            owned[row].append(name)
    concerned = np.asarray([max(len(a), len(b)) for a, b in zip(holders, called, strict=True)], np.float64)
    lookup = {
        hash_of(form): name for surface, name in names.surfaces.items() for form in (plain(surface), surface)
    }
    hashes = np.asarray(sorted(lookup), np.int64)
    spelling = [text.encode("utf-8", "replace") for text in shown]
    return HopIndex(
        mentions=Ragged.of([[part for standing in row for part in standing] for row in all_mentions]),
        holders=Ragged.of(holders),
        places=Ragged.of(places),
        called=Ragged.of(called),
        owned=Ragged.of(owned),
        owners=np.asarray([*names.owners, *(1 for _ in links)], np.int32),
        rarity=np.maximum(1 - np.log1p(concerned) / np.log1p(_COMMONEST), 0).astype(np.float32),
        ordinal=np.asarray(ordinals, np.int32),
        length=np.asarray([len(plain(fold(text)).split()) for text in shown], np.int32),
        is_link=np.asarray([False] * len(names.keys) + [True] * len(links), np.bool_),
        common=np.asarray([*names.common, *(False for _ in links)], np.bool_),
        hashes=hashes,
        hashed=np.asarray([lookup[int(item)] for item in hashes], np.int32),
        spelling=np.frombuffer(b"".join(spelling), np.uint8),
        spelled=np.cumsum([0, *map(len, spelling)]).astype(np.int64),
    )
