"""Fit the ranking's three linear models on the even questions of each set; print what they reach.

    python tests/benchmarks/fit_ranking.py DATA --work WORK [--write]

A set that is harder weighs more (WEIGHTS). A model is a logistic regression over standardised features,
folded back into weights of the raw ones. ``--leave-out SET`` fits without a set, to see how the fit
carries over.
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
from retrieval.ranking.model import NAME, Linear, Models, probability
from retrieval.ranking.query import Query, read_query
from retrieval.store.pointer import check_files, read_pointer
from retrieval.store.reader import GenerationReader
from retrieval.syncing import sync

Example = tuple[np.ndarray, np.ndarray]  # features, labels
#: What each set weighs, chosen by the figures on the tuned halves.
WEIGHTS = {"2wikimultihopqa": 0.5, "hotpotqa": 1.0, "musique": 2.0}


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

    def direct_features(self, index: int) -> np.ndarray:
        """Return the direct features of a question's direct candidates."""
        return direct.features(self.parts, self.queries[index], self.found[index], self.firsts[index])

    def rank(self, index: int, models: Models) -> ranking.Ranked:
        """Rank a question as a search does."""
        return ranking.rank(self.parts, self.queries[index], self.found[index], models, None)


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


def fit(names: tuple[str, ...], sets: list[tuple[float, list[Example]]], strength: float = 1.0) -> Linear:
    """Fit one model; ``sets`` holds the weight and the examples of each question set."""
    features = np.vstack([x for _, examples in sets for x, _ in examples])
    labels = np.concatenate([y for _, examples in sets for _, y in examples])
    sizes = [sum(len(y) for _, y in examples) for _, examples in sets]
    weights = np.concatenate([np.full(size, weight / size) for size, (weight, _) in zip(sizes, sets, strict=True)])
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit((features - mean) / scale, labels, sample_weight=weights * len(labels) / weights.sum())
    coefficients = model.coef_[0] / scale
    return Linear(names, coefficients, float(model.intercept_[0] - coefficients @ mean))


def fit_models(benches: list[Bench], part: dict[str, list[int]]) -> Models:
    """Fit the three models on the questions ``part`` names for each set, one after the other."""
    by_itself: list[tuple[float, list[Example]]] = []
    hopping, together = [], []
    first = [[b.direct_features(i) for i in part[b.set.name]] for b in benches]
    for b, found in zip(benches, first, strict=True):
        examples = [(x, b.labels(i, b.firsts[i])) for i, x in zip(part[b.set.name], found, strict=True)]
        by_itself.append((WEIGHTS[b.set.name], examples))
    alone = fit(direct.NAMES, by_itself)
    kept = []
    for b, found in zip(benches, first, strict=True):
        examples = []
        for i, x in zip(part[b.set.name], found, strict=True):
            scores = probability(alone(x))
            hops = hop.follow(b.parts, b.queries[i], b.firsts[i], scores, None)
            features = ranking.hop_features(b.parts, b.queries[i], b.found[i], hops)
            examples.append((features, b.labels(i, hops.targets)))
            kept.append((b, i, scores, hops, features))
        hopping.append((WEIGHTS[b.set.name], examples))
    by_hop = fit((*hop.NAMES, *(f"target:{name}" for name in direct.NAMES)), hopping)
    for b in benches:
        examples = []
        for other, i, scores, hops, features in kept:
            if other is b:
                own = (b.firsts[i], scores)
                rows, x, _ = ranking.combine(
                    b.parts, b.queries[i], b.found[i], b.firsts[i], own, hops, by_hop(features)
                )
                examples.append((x, b.labels(i, rows)))
        together.append((WEIGHTS[b.set.name], examples))
    return Models(alone, by_hop, fit(ranking.NAMES, together))


def evaluate(benches: list[Bench], models: Models) -> None:
    """Print recall@5, all-evidence@5 and recall@10 on both halves."""
    for bench in benches:
        cells = []
        for half in (0, 1):
            scored = []
            for index in bench.set.half(half):
                rows = bench.rank(index, models).rows
                ranked = list(dict.fromkeys(bench.documents[rows]))
                gold = bench.set.questions[index].gold
                scored.append((*recall(ranked, gold), recall(ranked, gold, 10)[0]))
            five, every, ten = np.mean(scored, axis=0)
            cells.append(f"{five:.3f} / {every:.3f} (@10 {ten:.3f})")
        print(f"{bench.set.name:18} tuned {cells[0]}   held out {cells[1]}", flush=True)


def write(models: Models, sets: list[str]) -> None:
    """Write the models into the package, with their provenance."""
    stored: dict[str, object] = {
        "provenance": {
            "fitted_on": "even-numbered questions of " + ", ".join(sets),
            "set_weights": WEIGHTS,
            "licences": "2WikiMultiHopQA Apache-2.0, HotpotQA CC BY-SA 4.0, MuSiQue CC BY 4.0",
            "embedder": embedder_named().fingerprint,
            "script": "tests/benchmarks/fit_ranking.py",
        }
    }
    for name in ("direct", "hop", "both"):
        model: Linear = getattr(models, name)
        weights = {key: round(float(value), 6) for key, value in zip(model.names, model.weights, strict=True)}
        stored[name] = {"weights": weights, "bias": round(model.bias, 6)}
    target = Path(retrieval.ranking.__file__).with_name(NAME)
    target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes; kept for the next run")
    parser.add_argument("--leave-out", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    benches = [open_bench(load(name, options.data, options.work), options.work) for name in SETS]
    tuned = [bench for bench in benches if bench.set.name != options.leave_out]
    models = fit_models(tuned, {bench.set.name: bench.set.half(0) for bench in tuned})
    evaluate(benches, models)
    if options.write:
        write(models, [bench.set.name for bench in tuned])


if __name__ == "__main__":
    main()
