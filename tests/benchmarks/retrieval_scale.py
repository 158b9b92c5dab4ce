"""Search time and memory at 200,000 generated passages, and what a sync costs.

    python tests/benchmarks/retrieval_scale.py --work WORK [--passages 200000]

Texts and vectors are generated (a skewed vocabulary, names that recur), so no model is loaded but
the one for questions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from peak_memory import peak_memory

from retrieval.embedding.minilm import MiniLM
from retrieval.library import Library
from retrieval.protocols import Vectors
from retrieval.syncing import sync

WORDS, NAMES, LENGTH = 60_000, 40_000, 70


class Generated(MiniLM):
    """Real vectors for questions, random unit vectors for passages."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return random unit vectors."""
        vectors = np.random.default_rng(len(texts)).normal(size=(len(texts), self.dimension)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def write_corpus(path: Path, passages: int) -> None:
    """Write a corpus of generated records."""
    random = np.random.default_rng(1)
    words = [f"w{number}" for number in range(WORDS)]
    names = [f"Name{number} Of{number % 997}" for number in range(NAMES)]
    chance = 1 / np.arange(1, WORDS + 1)
    drawn = random.choice(WORDS, size=(passages, LENGTH), p=chance / chance.sum())
    named = random.integers(0, NAMES, size=(passages, 4))
    with path.open("w", encoding="utf-8") as file:
        for row in range(passages):
            text = " ".join([words[word] for word in drawn[row]] + [names[name] + "." for name in named[row]])
            file.write(json.dumps({"id": row, "title": f"Title{row} {names[row % NAMES]}", "text": text}) + "\n")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=200_000)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    corpus, state = (
        options.work / f"scale-{options.passages}.jsonl",
        options.work / f"scale-{options.passages}.state",
    )
    embedder = Generated()
    if not corpus.exists():
        write_corpus(corpus, options.passages)
    begun = time.perf_counter()
    report = sync(corpus, state=state, embedder=embedder)
    print(f"sync {time.perf_counter() - begun:.1f} s, {report.embedded} embedded, peak {peak_memory():.0f} MiB")
    begun = time.perf_counter()
    sync(corpus, state=state, embedder=embedder)
    print(f"sync, unchanged {time.perf_counter() - begun:.2f} s")
    begun = time.perf_counter()
    with Library.open(corpus, state=state, embedder=embedder) as library:
        print(f"open {time.perf_counter() - begun:.2f} s")
        questions = [
            f"Where did Name{n} Of{n % 997} meet w{n % 50} w{n * 7 % 5000} and w{n * 31 % 60000}?"
            for n in range(60)
        ]
        library.search(questions[:5])
        times = []
        for question in questions:
            begun = time.perf_counter()
            library.search([question])
            times.append((time.perf_counter() - begun) * 1000)
    print(
        f"search {np.median(times):.1f} ms median, {np.percentile(times, 95):.1f} ms at 95 %, "
        f"peak {peak_memory():.0f} MiB"
    )


if __name__ == "__main__":
    main()
