"""Facts by dependency rules: every mention is tied to what its clause or phrase says it belongs to.

From a mention the parse is climbed towards the root. The first other mention that is met on the way
(of which the first is a modifier, an apposition or part of a relative clause), or else the subject of
the first clause that has one, is the fact's subject. The words on the way are its relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoring.extract.mentions import Mention
from scoring.identity import is_reference
from scoring.types import Triple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS = {"nsubj", "nsubjpass", "csubj", "expl"}
_SKIP = {"the", "a", "an", "also", ",", "and", "or"}


class Clause:
    """Mentions of one parsed sentence, by token."""

    def __init__(self, doc: Doc, mentions: Sequence[Mention]) -> None:
        self.doc = doc
        self.heads: list[tuple[Mention, Token]] = []
        self.at: dict[int, Mention] = {}
        for mention in mentions:
            span = doc.char_span(mention.start, mention.end, alignment_mode="expand")
            if span is None or not len(span):
                continue
            self.heads.append((mention, span.root))
            for token in span:
                self.at[token.i] = mention

    def subject_of(self, clause: Token) -> list[Token]:
        """Return the subjects of a verb, with those joined to it by "and"; empty where it has none."""
        for child in clause.children:
            if child.dep_ in _SUBJECTS:
                return [child, *_conjuncts(child)]
        return []


def _conjuncts(token: Token) -> list[Token]:
    found: list[Token] = []
    pending = [token]
    while pending:
        for child in pending.pop().children:
            if child.dep_ == "conj":
                found.append(child)
                pending.append(child)
    return found


def dependency_triples(doc: Doc, mentions: Sequence[Mention]) -> list[Triple]:
    """Return the facts about ``mentions`` in ``doc``, the parse of one sentence.

    A subject that is a pronoun or a plain noun phrase ("the film") is kept as written: whether it
    stands for an entity is for :mod:`scoring.extract.references` to say.
    """
    clause = Clause(doc, mentions)
    triples: list[Triple] = []
    for mention, head in clause.heads:
        for subject, relation, negated in _owners(clause, mention, head):
            if subject != mention.text:
                triples.append(Triple(subject, relation, mention.text, negated))
    return list(dict.fromkeys([*triples, *_left_over(clause, triples)]))


def _left_over(clause: Clause, triples: Sequence[Triple]) -> list[Triple]:
    """Tie what no rule could tie to what the sentence begins with: a broken parse still is one sentence.

    Not so a mention that is a subject itself: it begins a fact of its own.
    """
    if not clause.heads:
        return []
    tied = {triple.object for triple in triples}
    first, *others = clause.heads
    pronouns = [
        token.text for token in clause.doc[: first[1].i] if token.dep_ in _SUBJECTS and is_reference(token.text)
    ]
    subject = pronouns[0] if pronouns else first[0].text
    return [
        Triple(subject, "is", mention.text)
        for mention, head in ([first, *others] if pronouns else others)
        if mention.text not in tied
        and mention.text != subject
        and not any(token.dep_ in _SUBJECTS for token in (head, *head.ancestors))
    ]


def _owners(clause: Clause, mention: Mention, head: Token) -> list[tuple[str, str, bool]]:
    """Return ``(subject, relation, negated)`` of the fact that the mention at ``head`` completes."""
    words: list[Token] = []
    negated = False
    token = head
    while True:
        possessor = [] if token == head else _possessors(clause, token, mention)
        subjects = clause.subject_of(token) if token.pos_ in {"VERB", "AUX"} or token.dep_ == "ROOT" else []
        if any(child.dep_ == "neg" for child in token.children):
            negated = True
        below = _contains(subjects, head)
        if possessor and not below:
            return [(text, _relation(words, token), negated) for text in possessor]
        if subjects and not below:
            named = [text for subject in subjects for text in _subject_texts(clause, subject, mention)]
            if named:
                return [(text, _relation(words, token), negated) for text in named]
        parent = token.head
        if parent == token or (below and token.dep_ != "relcl"):
            # A subject begins a fact of its own, and belongs to no other clause's.
            return []
        other = clause.at.get(parent.i)
        if other is not None and other is not mention and not (token.dep_ == "conj" and token == head):
            words.append(token)
            return [(other.text, _relation(words, parent), negated)]
        if other is not None and token.dep_ == "conj" and other is not mention:
            # "A and B": B belongs to what A belongs to.
            return [owner for owner in _owners(clause, other, parent) if owner[0] != mention.text]
        if token != head:
            words.append(token)
        token = parent


def _contains(subjects: Sequence[Token], head: Token) -> bool:
    return any(subject == head or subject.is_ancestor(head) for subject in subjects)


def _possessors(clause: Clause, token: Token, mention: Mention) -> list[str]:
    """Whose ``token`` is: "his" in "his mother", the director in "the director's wife"."""
    texts: list[str] = []
    for child in token.children:
        if child.dep_ != "poss":
            continue
        other = clause.at.get(child.i)
        if other is mention:
            continue
        if other is not None:
            texts.append(other.text)
        elif is_reference(child.text):
            texts.append(child.text)
        elif any(left.lower_ == "the" for left in child.lefts):
            texts.append(f"the {child.text}")
    return texts


def _subject_texts(clause: Clause, subject: Token, mention: Mention) -> list[str]:
    """The mentions that a subject is or holds, else its words, which may stand for an entity."""
    at = clause.at.get(subject.i)
    if at is not None:
        return [] if at is mention else [at.text]
    if subject.lower_ in {"who", "which", "that", "whom"} and subject.head.dep_ == "relcl":
        return _subject_texts(clause, subject.head.head, mention)
    held = [
        clause.at[token.i] for token in subject.subtree if token.i in clause.at and not _in_clause(token, subject)
    ]
    named = list(dict.fromkeys(one.text for one in held if one is not mention))
    if named:
        return named
    possessors = _possessors(clause, subject, mention)
    if possessors:
        return possessors
    if is_reference(subject.text):
        return [subject.text]
    if subject.lemma_ == "answer":
        # "For A the answer is B" is about A, not about an answer.
        return []
    left = [child for child in subject.lefts if child.dep_ in {"det", "amod", "compound", "nummod"}]
    return [clause.doc[min([subject.i, *(child.i for child in left)]) : subject.i + 1].text]


def _in_clause(token: Token, top: Token) -> bool:
    """Whether a relative clause lies between ``token`` and ``top``: its names say other things."""
    while token != top and token.head != token:
        if token.dep_ in {"relcl", "acl", "advcl"}:
            return True
        token = token.head
    return False


def _relation(words: Sequence[Token], last: Token) -> str:
    tokens = sorted({token.i: token for token in [*words, last]}.values(), key=lambda token: token.i)
    parts = [token.lemma_.lower() if token.pos_ in {"AUX"} else token.lower_ for token in tokens]
    return " ".join(part for part in parts if part not in _SKIP) or "is"
