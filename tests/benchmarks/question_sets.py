"""The question sets that the benchmarks read, from a folder given as an argument.

HotpotQA and MuSiQue come without a corpus; theirs is the de-duplicated union of the passages of
their questions, written into the working folder. Nothing is copied into the repository.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

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
    records = [json.loads(line) for line in (data / name / "questions.jsonl").open(encoding="utf-8")]
    corpus = data / name / "corpus.jsonl"
    known: dict[tuple[str, str], str] = {}
    if corpus.exists():
        for line in corpus.open(encoding="utf-8"):
            record = json.loads(line)
            known.setdefault((record["title"], record["text"]), str(record["idx"]))
    else:
        for record in records:
            for passage in record["passages"]:
                known.setdefault((passage["title"], passage["text"]), str(len(known)))
        work.mkdir(parents=True, exist_ok=True)
        corpus = work / f"{name}.jsonl"
        lines = (json.dumps({"id": key, "title": title, "text": text}) for (title, text), key in known.items())
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return QuestionSet(name, corpus, tuple(_question(record, known) for record in records))


def _question(record: dict, known: dict[tuple[str, str], str]) -> Question:
    gold = record.get("supporting_corpus_idx")
    if gold:
        ids = frozenset(map(str, gold))
    else:
        ids = frozenset(
            known[passage["title"], passage["text"]] for passage in record["passages"] if passage["is_supporting"]
        )
    return Question(str(record["id"]), record["question"], ids, record.get("type") or "")


def recall(ranked: list[str], gold: frozenset[str], k: int = 5) -> tuple[float, bool]:
    """Return the share of ``gold`` among the first ``k``, and whether all of it is there."""
    found = gold & set(ranked[:k])
    return len(found) / len(gold), len(found) == len(gold)
