"""What the extractive model answers on public questions.

    python tests/benchmarks/ask_answers.py DATA --work WORK [--limit N] [--sets NAME ...]

On the odd questions, which no rule and no coefficient was made on. A short answer is right when it equals
the gold answer or an alias after lower case, punctuation and articles are taken away (SQuAD's exact match).
Beside it stands a baseline that quotes the five sentences most similar to the question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from question_sets import SETS, load

from pinakes_ask.check import SelfCheck
from pinakes_ask.evaluation.metrics.exact_match import exact_match
from pinakes_ask.evaluation.metrics.normal import normal_form
from pinakes_ask.loop import Loop
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.run import Run
from pinakes_ask.seams import SystemClock
from pinakes_ask.settings import LoopSettings, Settings
from retrieval.embedding import embedder_named
from retrieval.library import Library
from retrieval.protocols import Embedder
from retrieval.syncing import sync


def same(left: str, right: str) -> bool:
    """Whether two short answers are one."""
    return exact_match(left, right) == 1


@dataclass(frozen=True)
class Outcome:
    """What came of one question."""

    type: str
    answered: bool
    right: bool
    forced_right: bool
    stated: bool
    gold_cited: bool
    baseline_stated: bool
    seconds: float


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes; kept for the next run")
    parser.add_argument("--limit", type=int, help="only so many questions of each set")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    given = parser.parse_args()
    found = {name: measure(name, given.data, given.work, given.limit) for name in given.sets}
    columns = {name: column(outcomes) for name, outcomes in found.items()}
    print("| | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for row in next(iter(columns.values())):
        print(f"| {row} | " + " | ".join(each[row] for each in columns.values()) + " |")
    print("\n| by type | questions | given | right where given | right, forced | in the statements |")
    print("|---|---|---|---|---|---|")
    for name, outcomes in found.items():
        for kind in sorted({one.type for one in outcomes}):
            row = column([one for one in outcomes if one.type == kind])
            print(f"| {name}: {kind} | " + " | ".join(list(row.values())[:5]) + " |")


def measure(name: str, data: Path, work: Path, limit: int | None) -> list[Outcome]:
    """Ask the odd questions of one set."""
    questions = load(name, data, work)
    records = [json.loads(line) for line in (data / name / "questions.jsonl").open(encoding="utf-8")]
    state = work / f"{name}.state"
    sync(questions.corpus, state=state)
    embedder = embedder_named()
    outcomes: list[Outcome] = []
    with Library.open(questions.corpus, state=state) as library:
        for index in questions.half(1)[:limit]:
            record, gold = records[index], questions.questions[index].gold
            accepted = [record["answer"], *record["aliases"]]
            model = ExtractiveModel()
            start = time.perf_counter()
            run = ask(library, model, record["question"], force=False)
            seconds = time.perf_counter() - start
            forced = ask(library, model, record["question"], force=True)
            short, guess = run.answer.short_answer, forced.answer.short_answer
            cited = {
                forced.evidence.passage(c.passage).document for s in forced.answer.statements for c in s.citations
            }
            outcomes.append(
                Outcome(
                    type=kind_of(record),
                    answered=short is not None,
                    right=short is not None and any(same(short, one) for one in accepted),
                    forced_right=guess is not None and any(same(guess, one) for one in accepted),
                    stated=holds(" ".join(one.text for one in forced.answer.statements), accepted),
                    gold_cited=gold <= cited,
                    baseline_stated=holds(baseline(library, embedder, record["question"]), accepted),
                    seconds=seconds,
                )
            )
    return outcomes


def kind_of(record: dict[str, Any]) -> str:
    """The set's own type of a question; those answered by yes or no apart, since no sentence holds that."""
    return f"{record['type']}, yes/no" if record["answer"].lower() in ("yes", "no") else record["type"]


def column(outcomes: list[Outcome]) -> dict[str, str]:
    """Return one column of the table."""
    total = len(outcomes)
    answered = sum(one.answered for one in outcomes)

    def share(of: str) -> str:
        return f"{sum(getattr(one, of) for one in outcomes) / total:.2f}"

    return {
        "questions": str(total),
        "short answer given": share("answered"),
        "right where given": f"{sum(one.right for one in outcomes) / answered:.2f}" if answered else "–",
        "right with --force-answer": share("forced_right"),
        "answer string in the statements (forced)": share("stated"),
        "the same, five most similar sentences": share("baseline_stated"),
        "all gold passages cited (forced)": share("gold_cited"),
        "ms a question, median": f"{1000 * statistics.median(one.seconds for one in outcomes):.0f}",
    }


def ask(library: Library, model: ExtractiveModel, question: str, *, force: bool) -> Run:
    """One run. The model remembers only what it read, which saves the second run of a question its parses."""
    settings = Settings(LoopSettings(force_answer=force))
    return asyncio.run(Loop(library, model, SelfCheck(), settings, SystemClock()).ask(question))


def holds(text: str, answers: list[str]) -> bool:
    """Whether one of the answers stands in a text, as words."""
    return any(f" {normal_form(one)} " in f" {normal_form(text)} " for one in answers)


def baseline(library: Library, embedder: Embedder, question: str) -> str:
    """The five sentences of the first five passages that are most similar to the question."""
    sentences = [text for hit in library.search([question])[0].hits for text in hit.passage.sentence_texts]
    vectors = embedder.embed_questions([question, *sentences])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:5]
    return " ".join(sentences[place] for place in order)


if __name__ == "__main__":
    main()
