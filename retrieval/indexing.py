"""Building the indexes of a generation from its passages: words, names, links."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path

from retrieval.hops.collect import Text, collect
from retrieval.hops.index import Finder, HopIndex, build
from retrieval.hops.links import Linking, resolve
from retrieval.indexes.tokenised import Tokeniser
from retrieval.indexes.words import Bm25sIndex
from retrieval.passages import head_of
from retrieval.store.writer import GenerationWriter
from retrieval.types import Link


def build_indexes(writer: GenerationWriter, folder: Path) -> None:
    """Write the word index and the hop index of the finished ``writer`` into ``folder``."""
    hops, tokeniser = read_names(writer)
    hops.save(folder)
    tokeniser.tokenised().save(folder)
    Bm25sIndex.build_numbered(tokeniser.rows(), tokeniser.vocabulary).save(folder)


def read_names(writer: GenerationWriter) -> tuple[HopIndex, Tokeniser]:
    """Return the hop index of the finished ``writer``, and its passages as numbered words."""
    tokeniser, texts, starts, ordinals = Tokeniser(), list[Text](), list[list[int]](), list[int]()
    for row, document, title, aliases, path, text in writer.rows():
        same = bool(texts) and texts[-1].document == document
        ordinals.append(ordinals[-1] + 1 if same else 0)
        heading = path[-1] if path and path[-1] != title else ""
        texts.append(Text(row, document, title, text, aliases, heading))
        starts.append(tokeniser.add(head_of(title, path), text))
    names = collect(texts)
    finder = Finder(names)
    mentions = [
        [
            (found.name, bisect_left(places, found.start), bisect_left(places, found.end))
            for found in finder.find(text.text)
        ]
        for text, places in zip(texts, starts, strict=True)
    ]
    links = [
        ((row, bisect_left(starts[row], place)), shown, rows)
        for (row, place), shown, rows in resolve(_linking(writer, texts), {text.row: text.text for text in texts})
    ]
    return build(names, mentions, links, ordinals), tokeniser


def _linking(writer: GenerationWriter, texts: list[Text]) -> list[Linking]:
    rows: dict[str, list[int]] = defaultdict(list)
    for text in texts:
        rows[text.document].append(text.row)
    return [
        Linking(
            identity,
            location,
            title,
            tuple(json.loads(aliases)),
            external,
            tuple(Link(target, kind) for target, kind in json.loads(links)),
            tuple(rows[identity]),
        )
        for identity, location, title, aliases, external, links in writer.linked_documents()
    ]
