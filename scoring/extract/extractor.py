"""Extraction without a language model: by dependency rules, or by patterns where they cannot serve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.text import bare_title, name_key
from retrieval.text.language import is_english
from retrieval.text.parser import english_parser
from scoring.extract.branches import find_branches
from scoring.extract.heads import is_answer_line, is_meta, mark_heads
from scoring.extract.mentions import PERSON, Known, Mention, find_mentions
from scoring.extract.parentheses import acronyms, blank, bracket_triples, bracketed
from scoring.extract.parsing import parse
from scoring.extract.patterns import pattern_triples
from scoring.extract.question import comparison_operator, question_entities, question_form
from scoring.extract.references import Referents
from scoring.extract.rules import dependency_triples
from scoring.extract.statement import Statement, as_statement
from scoring.types import Branch, Extraction, Form, Proposition, Triple

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


def extract(
    question: str,
    statements: Sequence[Statement | str],
    short_answer: str | None,
    *,
    form: Form | None = None,
    plan_hops: int | None = None,
    aliases: Sequence[Sequence[str]] = (),
    branches: Sequence[Branch] | None = None,
    use_parser: bool = True,
) -> Extraction:
    """Return the facts of a long answer, found by rules alone.

    Each statement is one proposition. Names, dates and values that it mentions are its facts'
    arguments, besides what the caller knows: the question's entities, the short answer, titles and
    aliases. What is given (form, hops, branches) wins over what the wording shows.

    :param short_answer: None where it was withheld.
    :param branches: the compared things and their values; None or empty to look for them.
    :param use_parser: False to use the patterns even where the parser is installed.
    """
    given = [as_statement(statement) for statement in statements]
    groups = [tuple(group) for group in aliases]
    titles = list(dict.fromkeys(statement.title for statement in given if statement.title))
    groups += [(title, bare_title(title)) for title in _told_apart(titles)]
    texts = [statement.text for statement in given]
    groups += [pair for text in texts for pair in acronyms(text)]
    parser = english_parser() if use_parser and is_english(texts) else None
    branches = tuple(branches or ())
    hints = [*titles, *(name for group in groups for name in group)]
    hints += [text for branch in branches for text in (branch.entity, branch.value) if text]
    asked = question_entities(question, [*hints, *_names_in(texts)], texts)
    known = Known([*hints, *asked, *_named(short_answer)])
    reader = _Reader(parser, known)
    propositions = [reader.read(index, statement) for index, statement in enumerate(given)]
    form = form or question_form(question)
    roles = mark_heads(propositions, asked, short_answer, form=form, plan_hops=plan_hops, aliases=groups)
    persons = tuple(sorted(reader.persons.values()))
    if not branches:
        found = find_branches(question, form, asked, roles, reader.kinds, groups, persons, plan_hops)
    return Extraction(
        propositions=roles,
        question_entities=asked,
        form=form,
        plan_hops=plan_hops,
        aliases=tuple(groups),
        persons=persons,
        branches=branches or found,
        operator=comparison_operator(question) if form == "comparison" else None,
        method="rules" if parser is not None else "patterns",
    )


class _Reader:
    """Reads statements in order, since a pronoun stands for what came before."""

    def __init__(self, parser: Language | None, known: Known) -> None:
        self._parser, self._known = parser, known
        self._referents = Referents()
        self.persons: dict[str, str] = {}
        self.kinds: dict[str, str] = {}

    def read(self, index: int, statement: Statement) -> Proposition:
        text = statement.text
        if is_meta(text):
            return Proposition(text, (), index, "meta")
        doc = parse(self._parser, text, self._known) if self._parser is not None else None
        mentions = find_mentions(text, self._known, doc)
        for one in mentions:
            self.kinds.setdefault(name_key(one.text), one.kind)
            if one.kind == PERSON:
                self.persons.setdefault(name_key(one.text), one.text)
        triples = self._triples(text, doc, mentions)
        coreferences = self._referents.resolve(triples, mentions, statement.title)
        self._referents.remember(text, triples, mentions, coreferences, set(self.persons))
        role = "head" if is_answer_line(text) else "body"
        return Proposition(text, tuple(triples), index, "head" if role == "head" else "body", tuple(coreferences))

    @staticmethod
    def _triples(text: str, doc: Doc | None, mentions: Sequence[Mention]) -> list[Triple]:
        spans = bracketed(text)
        outside = [one for one in mentions if not any(start < one.start < end for start, end in spans)]
        triples = dependency_triples(doc, outside) if doc is not None else pattern_triples(blank(text), outside)
        return list(dict.fromkeys([*triples, *bracket_triples(text, mentions)]))


def _told_apart(titles: Sequence[str]) -> list[str]:
    """Titles with a bracket that no other title shares the rest of."""
    plain = [name_key(bare_title(title)) for title in titles]
    return [
        title for title in titles if bare_title(title) != title and plain.count(name_key(bare_title(title))) == 1
    ]


def _names_in(texts: Sequence[str]) -> list[str]:
    known = Known(())
    return list(dict.fromkeys(one.text for text in texts for one in find_mentions(text, known)))


def _named(short_answer: str | None) -> list[str]:
    """The short answer as a name to look for; "yes" and "no" name nothing."""
    return [short_answer] if short_answer and name_key(short_answer) not in {"yes", "no", ""} else []
