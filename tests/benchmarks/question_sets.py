"""The question sets that the benchmarks read, from a folder given as an argument.

HotpotQA and MuSiQue come without a corpus; theirs is the de-duplicated union of the passages of
their questions, written into the working folder. Nothing is copied into the repository.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.evaluation.documents import Catalogue, corpus_documents, gold_of, own_documents, write_corpus
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.evaluation.reading import read_set

SETS = ("2wikimultihopqa", "hotpotqa", "musique")


@dataclass(frozen=True)
class Question:
    """A question, and the ids of the documents that hold its evidence."""

    id: str
    text: str
    gold: frozenset[str]
    type: str


@dataclass(frozen=True)
class QuestionSet:
    """Questions over one corpus file. ``half(0)`` are the even indices (tuning), ``half(1)`` the odd."""

    name: str
    corpus: Path
    questions: tuple[Question, ...]

    def half(self, which: int) -> list[int]:
        """Return the indices of one half."""
        return list(range(which, len(self.questions), 2))


def load(name: str, data: Path, work: Path) -> QuestionSet:
    """Read one of :data:`SETS` from ``data``; a corpus that must be made goes to ``work``."""
    questions = read_set(data / name).questions
    corpus = data / name / "corpus.jsonl"
    if corpus.exists():
        documents = corpus_documents(corpus)
    else:
        documents = own_documents(questions)
        corpus = write_corpus(documents, work, f"{name}.jsonl")
    catalogue = Catalogue(documents)
    return QuestionSet(name, corpus, tuple(_question(one, catalogue) for one in questions))


def _question(one: EvalQuestion, catalogue: Catalogue) -> Question:
    gold, why = gold_of(one, catalogue)
    assert gold is not None, f"{one.id}: {why}"
    return Question(one.id, one.text, gold, one.type or "")


def recall(ranked: list[str], gold: frozenset[str], k: int = 5) -> tuple[float, bool]:
    """Return the share of ``gold`` among the first ``k``, and whether all of it is there."""
    found = gold & set(ranked[:k])
    return len(found) / len(gold), len(found) == len(gold)
