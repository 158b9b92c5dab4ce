"""A question read for its structure: its names, and a dependency parse that names cannot confuse.

Titles of works and rare names derail a parser ("the performer of song Changed It"), so each name
is replaced by a plain first name before parsing, and every span is mapped back afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pinakes_ask.models.extractive.kinds import noun_kind
from retrieval.text import STOPWORDS, Mention, bare_title, find_names, fold
from retrieval.text.parser import english_parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

#: Stand-ins that every parser knows as proper nouns.
_MASKS = ("Mary", "Peter", "Susan", "David", "Anna", "Robert", "Linda", "Thomas")
#: What the parser calls question words and relative pronouns.
WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})


@dataclass(frozen=True)
class ParsedQuestion:
    """A question and its parse. ``doc`` is None where no parser serves the language.

    :param names: the names in the question, in order.
    :param spans: for each name its ``(start, end)`` in the masked text that ``doc`` was made of.
    :param wide: for each name the ``(start, end)`` in ``text`` that its mask stands for.
    """

    text: str
    names: tuple[Mention, ...]
    doc: Doc | None
    spans: tuple[tuple[int, int], ...]
    wide: tuple[tuple[int, int], ...]

    def original(self, start: int, end: int) -> str:
        """Return the question's own text for a span of the masked text."""
        return self.text[self._back(start) : self._back(end)]

    def without_names(self) -> str:
        """The question without its names and what only says what they are."""
        kept, position = "", 0
        for start, end in self.wide:
            kept += self.text[position:start] + " "
            position = end
        return kept + self.text[position:]

    def name_of(self, token: Token) -> Mention | None:
        """Return the name that ``token`` stands for, or None."""
        for name, (start, end) in zip(self.names, self.spans, strict=True):
            if start <= token.idx < end:
                return name
        return None

    def name_tokens(self) -> list[Token]:
        """The tokens that stand for names, in order."""
        return [token for token in self.doc or () if self.name_of(token) is not None]

    def _back(self, offset: int) -> int:
        shift = 0
        for (first, last), (start, end) in zip(self.wide, self.spans, strict=True):
            if offset <= start:
                break
            if offset < end:
                return first
            shift = last - end
        return offset + shift


def read_question(question: str, titles: Sequence[str] = (), *, parse: bool = True) -> ParsedQuestion:
    """Parse ``question``; ``titles`` of documents at hand are recognised as names in any case.

    With ``parse`` False only the names are found, which takes no parser.
    """
    names: list[Mention] = []
    masked, spans, wide, position = "", [], [], 0
    for index, name in enumerate(_joined(question, question_names(question, titles))):
        if name.start < position:
            continue  # it stands in the parenthesis behind the name before
        names.append(name)
        start, end = _with_its_type(question, name, position)
        masked += question[position:start]
        spans.append((len(masked), len(masked) + len(_MASKS[index % len(_MASKS)])))
        wide.append((start, end))
        masked += _MASKS[index % len(_MASKS)]
        position = end
    masked += question[position:]
    doc = _parsed(masked) if parse and _looks_english(question) else None
    return ParsedQuestion(question, tuple(names), doc, tuple(spans), tuple(wide))


@lru_cache(maxsize=256)
def _parsed(masked: str) -> Doc | None:
    """The parse of a text, which every part of the model asks for; None where there is no parser."""
    parser = english_parser()
    return parser(masked) if parser else None


def question_names(question: str, titles: Sequence[str] = ()) -> list[Mention]:
    """Return the names in ``question``: those its form shows, and the ``titles`` that stand in it.

    A title (its closing parenthesis apart) wins over shorter names inside it. In small letters it
    needs two words, since a one-word title is mostly a common noun there.
    """
    found: list[Mention] = []
    bare_titles = {bare for title in titles if len(bare := bare_title(title)) > 2}
    for bare in sorted(bare_titles, key=lambda title: (-len(title), title)):
        for match in re.finditer(rf"(?<!\w){re.escape(bare)}(?!\w)", question, re.IGNORECASE):
            capital = match.group()[0].isupper() or not match.group()[0].isalpha()
            if (capital or " " in bare) and fold(bare) not in _ASKING:
                _add(found, Mention(match.group(), match.start(), match.end()))
    for mention in find_names(question):
        _add(found, mention)
    return sorted(found, key=lambda mention: mention.start)


def _joined(question: str, names: list[Mention]) -> list[Mention]:
    """Join a name and the title or rank after its comma ("Anna, Countess of X"), outside lists."""
    joined: list[Mention] = []
    alternatives = re.search(r"\b(?:or|and|both|between)\b", question)
    for name in names:
        last = joined[-1] if joined else None
        if last is not None and not alternatives and question[last.end : name.start] == ", ":
            joined[-1] = Mention(question[last.start : name.end], last.start, name.end)
        else:
            joined.append(name)
    return joined


def _with_its_type(question: str, name: Mention, after: int) -> tuple[int, int]:
    """Return the span of a name with what only says what it is: quotes, type noun, parenthesis.

    "the poem NAME" and "film NAME (1923 film)" are one thing to a parser, once they are one word.
    """
    start, end = name.start, name.end
    if (
        question[start - 1 : start] in _QUOTES
        and question[end : end + 1] in _QUOTES
        and start
        and end < len(question)
    ):
        start, end = start - 1, end + 1
    tail = _TAIL.match(question, end)
    if tail:
        end = tail.end()
    head = _HEAD.search(question, after, start)
    if head:
        noun, article = head.group("noun"), head.group("article")
        if noun not in STOPWORDS and (article or noun_kind(noun)):
            start = head.start()
    return start, end


_QUOTES = ('"', "\u201c", "\u201d", "'", "\u2018", "\u2019")
_TAIL = re.compile(r"[!?]?\s?\([^()]{1,40}\)|[!?](?=\s+[a-z])")
_HEAD = re.compile(
    r"(?<![Ww]hich )(?<![Ww]hat )(?<![Ww]hose )"
    r"(?:(?<!\w)(?P<article>the|a|an)\s+)?(?<!\w)(?P<noun>[a-z][\w-]+)\s+\Z"
)
_ASKING = frozenset({"who", "what", "when", "where", "which", "why", "how", "whose", "is", "are", "was", "were"})


def _add(found: list[Mention], new: Mention) -> None:
    for old in list(found):
        if new.start < old.end and old.start < new.end:
            if new.end - new.start <= old.end - old.start:
                return
            found.remove(old)
    found.append(new)


def _looks_english(question: str) -> bool:
    """Whether the English parser may read it: an English function word stands in it."""
    return bool(_ENGLISH.search(question))


_ENGLISH = re.compile(
    r"\b(?:who|what|when|where|which|whose|whom|how|why|the|of|did|does|do|is|are|was|were|has|have|had)\b",
    re.IGNORECASE,
)
