"""Cutting a document into passages: at headings or definitions, then at sentences, never inside a word."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from retrieval.sources.code import read_code
from retrieval.sources.markdown import headings
from retrieval.text import sentence_spans
from retrieval.text.language import language_of
from retrieval.types import Document, Passage

#: A section up to this many words stays whole.
WHOLE = 220
#: A longer one is cut into passages of about this many words; the embedder reads about 190.
TARGET = 160
#: A record of a corpus was cut by whoever made the corpus; only an outlandish one is cut again.
WHOLE_RECORD = 400
#: So few lines of code do not stand for themselves; they are read with what follows.
SHORT_CODE = 2

# A word; two characters of a script without spaces; or a piece of a very long run of anything.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\s{_UNSPACED}]{{1,100}}")
_Span = tuple[int, int]


def split(document: Document) -> list[Passage]:
    """Return the passages of ``document`` in order.

    Every passage's text is ``document.text[start:end]`` without outer white space, and passages
    together hold every word of the body. A heading line belongs to the passage that follows it.
    """
    passages: list[Passage] = []
    whole = WHOLE_RECORD if document.source_type == "record" else WHOLE
    for spans, path in _sections(document):
        for sentences in _groups(document.text, _short(document.text, spans), whole):
            first, last = sentences[0][0], sentences[-1][1]
            passages.append(
                Passage(
                    id=f"{document.id}#{len(passages)}",
                    document=document.id,
                    title=document.title,
                    location=document.location,
                    ordinal=len(passages),
                    start=first,
                    end=last,
                    text=document.text[first:last],
                    sentences=tuple((a - first, b - first) for a, b in sentences),
                    heading_path=path,
                    source_type=document.source_type,
                )
            )
    return passages


def embedded_text(title: str, heading_path: tuple[str, ...], text: str) -> str:
    """Return what the embedder and the word index see of a passage: its title and headings come first."""
    return f"{head_of(title, heading_path)}\n{text}"


def head_of(title: str, heading_path: tuple[str, ...]) -> str:
    """Return what stands above a passage: its title, and its headings where they say more."""
    above = [title, *(heading for heading in heading_path if heading != title)]
    return " - ".join(part for part in above if part)


def _sections(document: Document) -> Iterator[tuple[list[_Span], tuple[str, ...]]]:
    """Yield the sentences of each section, and its heading path."""
    if document.source_type == "code":
        yield from _code_sections(document)
        return
    whole = (document.body_start, len(document.text), ())
    language = language_of(document.text[document.body_start :])
    for start, end, path in _headed(document) if document.source_type == "markdown" else [whole]:
        spans = sentence_spans(document.text[start:end], language)
        yield [(start + first, start + last) for first, last in spans], path


def _code_sections(document: Document) -> Iterator[tuple[list[_Span], tuple[str, ...]]]:
    """Cut before each definition, unless there is only a line or two since the last cut."""
    code = read_code(document.text, document.location)
    path: list[tuple[int, str]] = []
    spans = list(code.spans)
    for definition in code.definitions:
        here = bisect_left(spans, (definition.start, 0))
        if here > SHORT_CODE:
            yield spans[:here], tuple(title for _, title in path)
            spans = spans[here:]
        path = [item for item in path if item[0] < definition.level] + [(definition.level, definition.title)]
    yield spans, tuple(title for _, title in path)


def _headed(document: Document) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield ``(start, end, heading path)``; a section without text of its own is joined to the next."""
    found = [heading for heading in headings(document.text) if heading.start >= document.body_start]
    path: list[tuple[int, str]] = []
    start = document.body_start
    for index, heading in enumerate(found):
        if document.text[start : heading.start].strip() and not (
            index and _bare(document.text, start, found, index)
        ):
            yield start, heading.start, tuple(title for _, title in path)
            start = heading.start
        path = [item for item in path if item[0] < heading.level] + [(heading.level, heading.title)]
    yield start, len(document.text), tuple(title for _, title in path)


def _bare(text: str, start: int, found: list, index: int) -> bool:  # type: ignore[type-arg]
    """Whether the section from ``start`` to heading ``index`` consists of heading lines only."""
    position = start
    for heading in found[:index]:
        if heading.start >= start:
            if text[position : heading.start].strip():
                return False
            position = heading.end
    return not text[position : found[index].start].strip()


def _short(text: str, sentences: list[_Span]) -> list[_Span]:
    """Cut at a word any sentence that alone exceeds :data:`WHOLE`."""
    spans: list[_Span] = []
    for first, last in sentences:
        found = [match.span() for match in _WORD.finditer(text, first, last)]
        step = TARGET if len(found) > WHOLE else WHOLE
        for index in range(0, len(found), step):
            piece = found[index : index + step]
            spans.append((piece[0][0], piece[-1][1]))
    return spans


def _groups(text: str, sentences: list[_Span], whole: int) -> Iterator[list[_Span]]:
    """Group sentences evenly into passages of about :data:`TARGET` words, or one if short enough."""
    counts = [len(_WORD.findall(text, start, end)) for start, end in sentences]
    total = sum(counts)
    if not sentences:
        return
    parts = 1 if total <= whole else -(-total // TARGET)
    group: list[_Span] = []
    seen = inside = 0
    for span, count in zip(sentences, counts, strict=True):
        # Cut where the middle of the sentence falls into the next even share, or there is no more room.
        shares = (seen + count / 2) * parts // total > (seen - 1) * parts // total
        if group and parts > 1 and (shares or inside + count > whole):
            yield group
            group, inside = [], 0
        group.append(span)
        seen, inside = seen + count, inside + count
    if group:
        yield group
