"""What the extractive model answers to plain questions over small libraries of notes.

    python tests/benchmarks/plain_answers.py --work WORK [--only NAME ...] [--each]

``seen`` libraries were looked at when rules were made, or fitted on; ``unseen`` ones were only measured. With
``--each`` every question is printed with what became of it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from ask_answers import ask, holds, same
from plain_libraries import SEEN, UNSEEN, PlainQuestion, opened, questions_of

from pinakes_ask.models.extractive.model import ExtractiveModel
from retrieval.library import Library

COLUMNS = ("questions", "given", "right", "right, forced", "quoted")


def main() -> None:
    """Ask every question and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes; kept for the next run")
    parser.add_argument("--only", nargs="+", choices=(*SEEN, *UNSEEN), default=(*SEEN, *UNSEEN))
    parser.add_argument("--each", action="store_true")
    given = parser.parse_args()
    counts = {name: measure(name, given.work, given.each) for name in given.only}
    print("| library | " + " | ".join(COLUMNS) + " | unanswerable | of these answered |")
    print("|---|" + "---|" * (len(COLUMNS) + 2))
    for name, own in counts.items():
        print(_row(name, own))
    for title, names in (("all seen", SEEN), ("all unseen", UNSEEN)):
        of = [counts[name] for name in names if name in counts]
        for kind in ("plain", "chain", "yesno"):
            both = sum((_of_kind(one, kind) for one in of), Counter[str]())
            print(_row(f"{title}: {kind}", both))
        print(_row(title, sum(of, Counter[str]())))


def measure(name: str, work: Path, each: bool) -> Counter[str]:
    """Count what became of the questions of one library; ``kind column`` counts those of a kind."""
    counts: Counter[str] = Counter()
    with opened(name, work) as library:
        for one in questions_of(name):
            for column in _outcome(library, one, each):
                counts[column] += 1
                counts[f"{one.type} {column}"] += 1
    return counts


def _outcome(library: Library, one: PlainQuestion, each: bool) -> list[str]:
    model = ExtractiveModel()
    run, forced = (ask(library, model, one.text, force=force) for force in (False, True))
    short, guess = run.answer.short_answer, forced.answer.short_answer
    quoted = holds(" ".join(statement.text for statement in run.answer.statements), list(one.answers))
    right, guessed = (said is not None and any(same(said, own) for own in one.answers) for said in (short, guess))
    if each:
        mark = "right" if right else "WRONG" if short is not None else "guess" if guessed else "-"
        print(f"{mark:5} {one.type:12} {one.text} | {one.answers[:1]} | {short} | {guess} | {quoted}")
    if not one.answers:
        return ["unanswerable"] + ["answered"] * (short is not None)
    found = dict(zip(COLUMNS, (True, short is not None, right, guessed, quoted), strict=True))
    return [column for column, yes in found.items() if yes]


def _of_kind(counts: Counter[str], kind: str) -> Counter[str]:
    start = f"{kind} "
    return Counter({key.removeprefix(start): count for key, count in counts.items() if key.startswith(start)})


def _row(title: str, counts: Counter[str]) -> str:
    cells = [counts[column] for column in (*COLUMNS, "unanswerable", "answered")]
    return f"| {title} | " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    main()
