"""How often an answer is right that a sentence tells in the question's own words.

    python tests/benchmarks/told_answers.py DATA --work WORK

Asked are the even-numbered questions of the three sets and each of their steps, over the evidence of a run, and
the plain questions of ``tests/ask/plain/house``. ``fit_answers.py`` stores the figure.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from answer_tasks import Case, cases
from ask_answers import same
from question_sets import SETS

from pinakes_ask.evidence import Evidence
from pinakes_ask.models.extractive.solve import Solver
from pinakes_ask.models.extractive.think import READ
from pinakes_ask.tasks import OfferedPassage
from retrieval.library import Library
from retrieval.syncing import sync

PLAIN = Path(__file__).parents[1] / "ask" / "plain" / "house"
#: A source, a question, its right answers and its evidence.
Asked = tuple[str, str, tuple[str, ...], Sequence[OfferedPassage]]


def told(seen: Sequence[Case], work: Path) -> dict[str, Any]:
    """Return the probability (with one right and one wrong answer added), the counts, and those of each source."""
    right, of, solver = Counter[str](), Counter[str](), Solver()
    for source, question, answers, passages in [*_of_sets(seen), *_plain(work)]:
        found = solver.tells(question, passages)
        if found is not None:
            of[source] += 1
            right[source] += any(same(found.answer, one) for one in answers)
    total, good = sum(of.values()), sum(right.values())
    sources = {name: [right[name], count] for name, count in sorted(of.items())}
    return {"probability": round((good + 1) / (total + 2), 4), "right": good, "of": total, "sources": sources}


def _of_sets(seen: Iterable[Case]) -> Iterator[Asked]:
    for case in seen:
        read = sorted(case.task.passages, key=lambda one: one.number)[:READ]
        asked = {(text, (answer,)) for text, answer, _ in case.steps}
        if not case.yes_no:
            asked.add((case.question, case.answers))
        yield from ((case.set, question, answers, read) for question, answers in sorted(asked))


def _plain(work: Path) -> Iterator[Asked]:
    sync(PLAIN / "library", state=work / "plain.state")
    with Library.open(PLAIN / "library", state=work / "plain.state") as library:
        for line in (PLAIN / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            evidence = Evidence()
            evidence.add(library.search([row["question"]], k=5)[0].hits)
            answers = tuple(one for one in (row["answer"], *row["aliases"]) if one)
            yield "plain", row["question"], answers, evidence.offer(evidence.numbers())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    given = parser.parse_args()
    print(json.dumps(told([case for name in SETS for case in cases(name, given.data, given.work, 0)], given.work)))


if __name__ == "__main__":
    main()
