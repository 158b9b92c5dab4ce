"""Own time of scoring: an answer of 20 propositions, one of 10,000, a chain of 500 hops.

Run by hand: ``python tests/benchmarks/scoring_speed.py``. Extraction is not in these times.
"""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

from scoring.logicscore import score
from scoring.types import Extraction, Proposition, Triple


def chain(length: int) -> tuple[Extraction, str]:
    names = [f"Place {length}-{place}" for place in range(length + 1)]
    facts = tuple(Proposition(f"{a} leads to {b}.", (Triple(a, "leads to", b),)) for a, b in pairwise(names))
    return Extraction(facts, (names[0],), form="chain"), names[-1]


def main() -> None:
    for length, repeats in ((20, 200), (500, 20), (10_000, 3)):
        times = []
        for _ in range(repeats):
            extraction, answer = chain(length)
            started = perf_counter()
            verdict = score(extraction, short_answer=answer, gold=[answer])
            times.append(perf_counter() - started)
            if verdict.essentiality != 1.0:
                raise SystemExit("the chain was not scored as complete")
        print(
            f"{length:>6} propositions: first {times[0] * 1000:8.2f} ms, "
            f"median {sorted(times)[repeats // 2] * 1000:8.2f} ms"
        )


if __name__ == "__main__":
    main()
