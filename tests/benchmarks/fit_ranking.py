"""Fit the ranking's three linear models on the even questions of each set; print what they reach.

    python tests/benchmarks/fit_ranking.py DATA --work WORK [--write]

Each set weighs the same. A model is a logistic regression over standardised features, folded back
into weights of the raw ones. ``--leave-out SET`` fits without a set, to see how the fit carries over.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from question_sets import SETS, QuestionSet, load, recall
from sklearn.linear_model import LogisticRegression

import retrieval.ranking
from retrieval.embedding import embedder_named
from retrieval.indexes.tokens import tokens
from retrieval.parts import Parts
from retrieval.ranking import direct, hop
from retrieval.ranking import rank as ranking
from retrieval.ranking.direct import Direct
from retrieval.ranking.model import NAME, Linear, probability
from retrieval.ranking.query import Query, read_query
from retrieval.store.pointer import check_files, read_pointer
from retrieval.store.reader import GenerationReader
from retrieval.syncing import sync

Example = tuple[np.ndarray, np.ndarray]  # features, labels


@dataclass
class Bench:
    """A question set with its opened index."""

    set: QuestionSet
    parts: Parts
    documents: np.ndarray  # document id of each row
    queries: list[Query]
    found: list[Direct]
    firsts: list[np.ndarray] = field(default_factory=list)

    def labels(self, index: int, rows: np.ndarray) -> np.ndarray:
        """Return whether each row belongs to evidence of the question."""
        return np.isin(self.documents[rows], list(self.set.questions[index].gold))


def open_bench(questions: QuestionSet, work: Path) -> Bench:
    """Sync the set's corpus into ``work`` and read all its questions against it."""
    state = work / f"{questions.name}.state"
    embedder = embedder_named()
    sync(questions.corpus, state=state, embedder=embedder)
    folder = check_files(state, read_pointer(state))
    parts = Parts.load(folder)
    documents = np.asarray([passage.document for passage in GenerationReader(folder).all()])
    texts = [question.text for question in questions.questions]
    vectors = embedder.embed_questions(texts)
    queries = [
        read_query(text, vector, parts.words, parts.hops) for text, vector in zip(texts, vectors, strict=True)
    ]
    found = [direct.look_up(parts, query, tokens(query.text), 100, None) for query in queries]
    bench = Bench(questions, parts, documents, queries, found)
    bench.firsts = [direct.candidates(parts, query, one, None) for query, one in zip(queries, found, strict=True)]
    return bench


def fit(names: tuple[str, ...], sets: list[list[Example]], strength: float = 1.0) -> Linear:
    """Fit one model; ``sets`` holds the examples of each question set."""
    features = np.vstack([x for examples in sets for x, _ in examples])
    labels = np.concatenate([y for examples in sets for _, y in examples])
    weights = np.concatenate([np.full(n, 1 / n) for n in (sum(len(y) for _, y in examples) for examples in sets)])
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit((features - mean) / scale, labels, sample_weight=weights * len(labels) / weights.sum())
    coefficients = model.coef_[0] / scale
    return Linear(names, coefficients, float(model.intercept_[0] - coefficients @ mean))


def evaluate(benches: list[Bench], orders: dict[str, list[np.ndarray]], label: str) -> None:
    """Print recall@5 and all-evidence@5 on both halves."""
    for bench in benches:
        cells = []
        for half in (0, 1):
            scored = []
            for index in bench.set.half(half):
                ranked = list(dict.fromkeys(bench.documents[orders[bench.set.name][index]]))
                scored.append(
                    (
                        *recall(ranked, bench.set.questions[index].gold),
                        recall(ranked, bench.set.questions[index].gold, 10)[0],
                    )
                )
            r, a, ten = np.mean(scored, axis=0)
            cells.append(f"{r:.3f} / {a:.3f} (@10 {ten:.3f})")
        print(f"{label:8} {bench.set.name:18} tuned {cells[0]}   held out {cells[1]}", flush=True)


def main() -> None:
    """Run the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--leave-out", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    benches = [open_bench(load(name, options.data, options.work), options.work) for name in SETS]
    tuned = [bench for bench in benches if bench.set.name != options.leave_out]

    first = {
        bench.set.name: [
            direct.features(bench.parts, query, found, rows)
            for query, found, rows in zip(bench.queries, bench.found, bench.firsts, strict=True)
        ]
        for bench in benches
    }
    by_itself = fit(
        direct.NAMES,
        [[(first[b.set.name][i], b.labels(i, b.firsts[i])) for i in b.set.half(0)] for b in tuned],
    )
    scores = {b.set.name: [probability(by_itself(x)) for x in first[b.set.name]] for b in benches}
    evaluate(
        benches,
        {
            b.set.name: [
                rows[np.lexsort((rows, -s))] for rows, s in zip(b.firsts, scores[b.set.name], strict=True)
            ]
            for b in benches
        },
        "direct",
    )

    hops, examples = {}, {}
    for b in benches:
        name = b.set.name
        hops[name] = [
            hop.follow(b.parts, b.queries[i], b.firsts[i], scores[name][i], None) for i in range(len(b.queries))
        ]
        examples[name] = [
            ranking.hop_features(b.parts, b.queries[i], b.found[i], hops[name][i]) for i in range(len(b.queries))
        ]
    by_hop = fit(
        (*hop.NAMES, *(f"target:{name}" for name in direct.NAMES)),
        [
            [(examples[b.set.name][i], b.labels(i, hops[b.set.name][i].targets)) for i in b.set.half(0)]
            for b in tuned
        ],
    )

    combined = {
        b.set.name: [
            ranking.combine(
                b.parts,
                b.queries[i],
                b.found[i],
                b.firsts[i],
                scores[b.set.name][i],
                hops[b.set.name][i],
                by_hop(examples[b.set.name][i]),
            )
            for i in range(len(b.queries))
        ]
        for b in benches
    }
    both = fit(
        ranking.NAMES,
        [
            [(combined[b.set.name][i][1], b.labels(i, combined[b.set.name][i][0])) for i in b.set.half(0)]
            for b in tuned
        ],
    )
    orders = {
        name: [rows[np.lexsort((rows, -both(features)))] for rows, features, _ in found]
        for name, found in combined.items()
    }
    evaluate(benches, orders, "both")
    if options.write:
        stored = {
            "provenance": {
                "fitted_on": "even-numbered questions of " + ", ".join(b.set.name for b in tuned),
                "licences": "2WikiMultiHopQA Apache-2.0, HotpotQA CC BY-SA 4.0, MuSiQue CC BY 4.0",
                "embedder": embedder_named().fingerprint,
                "script": "tests/benchmarks/fit_ranking.py",
            }
        }
        for name, model in (("direct", by_itself), ("hop", by_hop), ("both", both)):
            weights = {key: round(float(value), 6) for key, value in zip(model.names, model.weights, strict=True)}
            stored[name] = {"weights": weights, "bias": round(model.bias, 6)}
        target = Path(retrieval.ranking.__file__).with_name(NAME)
        target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
