"""Recall of the search beside plain BM25, plain dense retrieval and their fusion, in one run.

    python tests/benchmarks/retrieval_recall.py DATA --work WORK [--all]

Prints recall@5 and the share of questions with all evidence in the top 5, on the odd questions,
which nothing was tuned on (``--all``: on all questions, the tuned ones included). No language model.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from question_sets import SETS, QuestionSet, load, recall

from retrieval.embedding import embedder_named
from retrieval.fusion import fuse
from retrieval.indexes.tokens import tokens
from retrieval.library import Library
from retrieval.parts import Parts
from retrieval.store.pointer import check_files, read_pointer
from retrieval.syncing import sync

Figures = dict[str, list[tuple[float, bool]]]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes; kept for the next run")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    print(f"{'':26}" + "".join(f"{name:>22}" for name in SETS))
    measured = []
    for name in SETS:
        questions = load(name, options.data, options.work)
        measured.append(
            measure(questions, options.work, range(len(questions.questions)) if options.all else questions.half(1))
        )
    for system in measured[0][0]:
        cells = []
        for figures, _ in measured:
            five, every = np.mean(figures[system], axis=0)
            cells.append(f"{five:.3f} / {every:.3f}")
        print(f"{system:26}" + "".join(f"{cell:>22}" for cell in cells))
    print(f"{'search, ms a question':26}" + "".join(f"{ms:>22.1f}" for _, ms in measured))


def measure(questions: QuestionSet, work: Path, indices: list[int] | range) -> tuple[Figures, float]:
    """Return the figures of each system, and the time of the whole search in ms a question."""
    state = work / f"{questions.name}.state"
    sync(questions.corpus, state=state)
    texts = [questions.questions[index].text for index in indices]
    golds = [questions.questions[index].gold for index in indices]
    with Library.open(questions.corpus, state=state) as library:
        documents = np.asarray([passage.document for passage in library.passages()])
        library.search(texts[:3])
        begun = time.perf_counter()
        hits = [[hit.passage.document for hit in library.search([text])[0].hits] for text in texts]
        took = (time.perf_counter() - begun) / len(texts) * 1000
    parts = Parts.load(check_files(state, read_pointer(state)))
    # The dense baseline embeds its questions in full precision, as LogicRAG's retriever does.
    embedder = embedder_named()
    full, small = embedder.embed_passages(texts), embedder.embed_questions(texts)
    words = [parts.words.scored(tokens(text)).best(100) for text in texts]
    dense = [rows for rows, _ in parts.nearest.search(full, 100)]
    int8 = [rows for rows, _ in parts.nearest.search(small, 100)]
    both = [
        sorted(fused := fuse([a, b], [1.0, 1.0]), key=lambda row: (-fused[row], row))
        for a, b in zip(words, dense, strict=True)
    ]
    systems = {"BM25": words, "dense MiniLM": dense, "dense, int8 questions": int8, "RRF of BM25 and dense": both}
    figures = {
        system: [
            recall(list(dict.fromkeys(documents[list(rows)].tolist())), gold)
            for rows, gold in zip(ranked, golds, strict=True)
        ]
        for system, ranked in systems.items()
    }
    figures["search, with hops"] = [recall(found, gold) for found, gold in zip(hits, golds, strict=True)]
    return figures, took


if __name__ == "__main__":
    main()
