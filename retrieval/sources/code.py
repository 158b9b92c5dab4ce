"""Program text: where its definitions stand, and what can be cited of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from retrieval.sources.markdown import Heading
from retrieval.text import sentence_spans

if TYPE_CHECKING:
    from pygments.token import _TokenType

# Words that stand before the name of what they define, over all languages that have them.
_DEFINING = frozenset(
    "class def defmodule enum fn fun func function impl interface module object struct sub trait type".split()
)
_LINE = re.compile(r"[^\n]+")
_WHOLE_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
# Comments and decorators, which belong to the definition below them.
_ABOVE = re.compile(r"[ \t]*(?:@|#|//|/?\*|--)")
_Span = tuple[int, int]


@dataclass(frozen=True)
class Code:
    """A program's text, taken apart.

    :param definitions: in order; the level of each is its indentation in columns, and it starts at the comments
        and decorators directly above it.
    :param spans: what can be cited, in order: the sentences of comments and documentation, and lines of code.
    """

    definitions: tuple[Heading, ...]
    spans: tuple[_Span, ...]


@dataclass(frozen=True)
class _Token:
    kind: _TokenType
    text: str
    start: int


def read_code(text: str, name: str) -> Code:
    """Take ``text`` apart by its language, which the file's ``name`` tells; of an unknown one lines are all."""
    tokens = _tokens(text, name)
    return Code(tuple(_definitions(text, tokens)), tuple(_joined(text, _spans(text, tokens))))


def _tokens(text: str, name: str) -> list[_Token]:
    from pygments.lexers import get_lexer_for_filename
    from pygments.token import Text
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_for_filename(name)
    except ClassNotFound:
        return [_Token(Text, text, 0)]
    return [_Token(kind, value, start) for start, kind, value in lexer.get_tokens_unprocessed(text) if value]


def _definitions(text: str, tokens: Iterable[_Token]) -> Iterator[Heading]:
    lines = [match.span() for match in _WHOLE_LINE.finditer(text)]
    waiting = iter(tokens)
    token = next(waiting, None)
    known = ""
    for number, (start, end) in enumerate(lines):
        inside: list[_Token] = []
        while token is not None and token.start < end:
            inside.append(token)
            token = next(waiting, None)
        title = _defined(inside)
        # Some languages define one name in several equations.
        if title and title != known:
            above = number
            while above and _ABOVE.match(text, *lines[above - 1]):
                above -= 1
            indent = len(text[start:end]) - len(text[start:end].lstrip())
            yield Heading(indent, title, lines[above][0], end)
        known = title or known


def _defined(line: list[_Token]) -> str:
    """What a line of tokens defines; empty where it defines nothing."""
    from pygments.token import Keyword, Name

    line = [token for token in line if token.text.strip()]
    names = [index for index, token in enumerate(line) if token.kind in Name]
    keywords = [index for index, token in enumerate(line) if token.kind in Keyword]
    for index in keywords:
        if line[index].text.lower() in _DEFINING:
            later = [at for at in names if at > index]
            called = [at for at in later if at + 1 < len(line) and line[at + 1].text.startswith("(")]
            return line[(called or later)[0]].text if later else ""
    functions = [index for index in names if line[index].kind in Name.Function]
    if functions and (functions[0] == 0 or (keywords and keywords[0] < functions[0])):
        return line[functions[0]].text
    return ""


def _spans(text: str, tokens: Iterable[_Token]) -> Iterator[_Span]:
    for prose, group in groupby(tokens, key=_is_prose):
        run = list(group)
        start, end = run[0].start, run[-1].start + len(run[-1].text)
        if prose:
            yield from ((start + first, start + last) for first, last in sentence_spans(text[start:end]))
        else:
            yield from (line.span() for line in _LINE.finditer(text, start, end))


def _is_prose(token: _Token) -> bool:
    from pygments.token import Comment, String

    return (token.kind in Comment and token.kind not in Comment.Preproc) or token.kind in String.Doc


def _joined(text: str, spans: Iterable[_Span]) -> list[_Span]:
    """Join what stands on one line, but for sentences; and take off what is blank."""
    tight = [_tight(text, start, end) for start, end in spans]
    kept = [span for span in tight if span[0] < span[1]]
    joined = kept[:1]
    for before, span in pairwise(kept):
        apart = "\n" in text[before[1] : span[0]]
        sentences = text[before[1] - 1] in ".!?" and any(map(str.isalnum, text[slice(*span)]))
        if apart or sentences:
            joined.append(span)
        else:
            joined[-1] = joined[-1][0], span[1]
    return joined


def _tight(text: str, start: int, end: int) -> _Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
