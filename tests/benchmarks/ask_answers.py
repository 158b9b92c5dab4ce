"""What the extractive model answers on public questions.

    python tests/benchmarks/ask_answers.py DATA --work WORK [--limit N]

On the odd questions, which no rule and no coefficient was made on. A short answer is right when it equals
the gold answer or an alias after lower case, punctuation and articles are taken away (SQuAD's exact match).
Beside it stands a baseline that quotes the five sentences most similar to the question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import time
from collections import Counter
from pathlib import Path

import numpy as np
from question_sets import SETS, load

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.run import Run
from pinakes_ask.seams import SystemClock
from pinakes_ask.settings import LoopSettings, Settings
from retrieval.embedding import embedder_named
from retrieval.library import Library
from retrieval.protocols import Embedder
from retrieval.syncing import sync

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normal(text: str) -> str:
    """SQuAD's normal form."""
    return " ".join(_ARTICLES.sub(" ", re.sub(r"[^\w\s]", "", text.lower())).split())


def same(left: str, right: str) -> bool:
    """Whether two short answers are one."""
    return normal(left) == normal(right)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes; kept for the next run")
    parser.add_argument("--limit", type=int, help="only so many questions of each set")
    given = parser.parse_args()
    columns = {name: measure(name, given.data, given.work, given.limit) for name in SETS}
    rows = list(next(iter(columns.values())))
    print("| | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for row in rows:
        print(f"| {row} | " + " | ".join(column[row] for column in columns.values()) + " |")


def measure(name: str, data: Path, work: Path, limit: int | None) -> dict[str, str]:
    """Return one column of the table."""
    questions = load(name, data, work)
    records = [json.loads(line) for line in (data / name / "questions.jsonl").open(encoding="utf-8")]
    state = work / f"{name}.state"
    sync(questions.corpus, state=state)
    embedder = embedder_named()
    counts: Counter[str] = Counter()
    seconds: list[float] = []
    with Library.open(questions.corpus, state=state) as library:
        for index in questions.half(1)[:limit]:
            record, gold = records[index], questions.questions[index].gold
            accepted = [record["answer"], *record["aliases"]]
            start = time.perf_counter()
            run = ask(library, record["question"], force=False)
            seconds.append(time.perf_counter() - start)
            forced = ask(library, record["question"], force=True)
            counts["questions"] += 1
            short = run.answer.short_answer
            counts["answered"] += short is not None
            counts["right"] += short is not None and any(same(short, one) for one in accepted)
            guess = forced.answer.short_answer
            counts["forced right"] += guess is not None and any(same(guess, one) for one in accepted)
            counts["stated"] += holds(" ".join(one.text for one in forced.answer.statements), accepted)
            cited = {
                forced.evidence.passage(c.passage).document for s in forced.answer.statements for c in s.citations
            }
            counts["gold cited"] += gold <= cited
            counts["baseline stated"] += holds(baseline(library, embedder, record["question"]), accepted)
    total = counts["questions"]
    return {
        "questions": str(total),
        "short answer given": f"{counts['answered'] / total:.2f}",
        "right where given": f"{counts['right'] / max(1, counts['answered']):.2f}",
        "right with --force-answer": f"{counts['forced right'] / total:.2f}",
        "answer string in the statements (forced)": f"{counts['stated'] / total:.2f}",
        "the same, five most similar sentences": f"{counts['baseline stated'] / total:.2f}",
        "all gold passages cited (forced)": f"{counts['gold cited'] / total:.2f}",
        "ms a question, median": f"{1000 * statistics.median(seconds):.0f}",
    }


def ask(library: Library, question: str, *, force: bool) -> Run:
    """One run with a fresh model, so that nothing is remembered between questions."""
    settings = Settings(LoopSettings(force_answer=force))
    return asyncio.run(Loop(library, ExtractiveModel(), SelfCheck(), settings, SystemClock()).ask(question))


def holds(text: str, answers: list[str]) -> bool:
    """Whether one of the answers stands in a text, as words."""
    return any(f" {normal(one)} " in f" {normal(text)} " for one in answers)


def baseline(library: Library, embedder: Embedder, question: str) -> str:
    """The five sentences of the first five passages that are most similar to the question."""
    sentences = [text for hit in library.search([question])[0].hits for text in hit.passage.sentence_texts]
    vectors = embedder.embed_questions([question, *sentences])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:5]
    return " ".join(sentences[place] for place in order)


if __name__ == "__main__":
    main()
