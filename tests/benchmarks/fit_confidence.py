"""Fit the calibration that ships, and print how far it can be trusted.

    python tests/benchmarks/fit_confidence.py DATA --work WORK [--write]

The ranking is fitted on the even questions, so its scores flatter them. The calibration is
therefore fitted on even questions ranked by models of the *other* half of the even questions, and
measured on the odd questions, ranked by the shipped models. The threshold is the largest of those
that the sets ask for each by itself. ``across`` leaves one set out of both.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from fit_ranking import Bench, fit_models, open_bench
from question_sets import SETS, load, recall

from retrieval import confidence
from retrieval.confidence.calibration import OWN, Calibration
from retrieval.confidence.fit import fit, measure, threshold
from retrieval.confidence.signals import HITS, signals
from retrieval.embedding import embedder_named
from retrieval.ranking.model import Models, shipped

Seen = tuple[dict[str, float], bool]


def see(bench: Bench, index: int, models: Models) -> Seen:
    """Return the signals of one question, and whether its hits hold all evidence."""
    ranked = bench.rank(index, models)
    seen = signals(bench.parts, bench.queries[index], ranked)
    hits = [bench.documents[row] for row in ranked.rows[:HITS]]
    return seen, recall(hits, bench.set.questions[index].gold)[1]


def crossed(benches: list[Bench]) -> dict[str, list[Seen]]:
    """Return what is seen of the even questions, each ranked by models that never saw it."""
    quarters = [{b.set.name: b.set.half(0)[which::2] for b in benches} for which in (0, 1)]
    found: dict[str, list[Seen]] = {b.set.name: [] for b in benches}
    for fitted, seen in (quarters, quarters[::-1]):
        models = fit_models(benches, fitted)
        for bench in benches:
            found[bench.set.name] += [see(bench, index, models) for index in seen[bench.set.name]]
    return found


def calibrate(found: dict[str, list[Seen]]) -> Calibration:
    """Fit on several sets, each of which weighs the same."""
    seen = [one for part in found.values() for one, _ in part]
    covered = [label for part in found.values() for _, label in part]
    weights = [1 / len(part) for part in found.values() for _ in part]
    provenance = {
        "fitted_on": "even-numbered questions of "
        + ", ".join(found)
        + ", ranked by models of the other even ones",
        "questions": len(seen),
        "licences": "2WikiMultiHopQA Apache-2.0, HotpotQA CC BY-SA 4.0, MuSiQue CC BY 4.0",
        "script": "tests/benchmarks/fit_confidence.py",
    }
    calibration = fit(seen, covered, embedder_named().fingerprint, weights=weights, provenance=provenance)
    # The promise must hold on the hardest set, not only where evidence is easily found.
    thresholds = {name: threshold_on(part, calibration) for name, part in found.items()}
    provenance["thresholds"] = thresholds
    return replace(calibration, threshold=max(thresholds.values()))


def threshold_on(found: list[Seen], calibration: Calibration) -> float:
    """Return the least probability at which few enough questions of one set lack evidence."""
    chances = np.asarray([calibration.probability(one) for one, _ in found])
    covered = np.asarray([label for _, label in found])
    return threshold(chances, covered, np.ones(len(found)), calibration.tolerated)


def report(label: str, calibration: Calibration, found: list[Seen]) -> dict[str, object]:
    """Print and return the figures on questions that the fit has not seen."""
    known = [(one, covered) for one, covered in found if not calibration.unknown(one, calibration.embedder)]
    result = measure(
        [calibration.probability(one) for one, _ in known],
        [covered for _, covered in known],
        calibration.threshold,
    )
    unknown = 1 - len(known) / len(found)
    false = "none" if result.false_confidence is None else f"{result.false_confidence:.3f}"
    auroc = "n/a" if result.auroc is None else f"{result.auroc:.3f}"
    print(
        f"{label:28} n {len(found):4}  covered {np.mean([c for _, c in found]):.3f}  ECE {result.ece:.3f}  "
        f"AUROC {auroc}  let through {result.let_through:.3f}  false {false}  unknown {unknown:.3f}",
        flush=True,
    )
    return {
        "questions": len(found),
        "ece": round(result.ece, 4),
        "auroc": result.auroc and round(result.auroc, 4),
        "let_through": round(result.let_through, 4),
        "false_confidence": result.false_confidence and round(result.false_confidence, 4),
        "unknown": round(unknown, 4),
    }


def main() -> None:
    """Run the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    benches = [open_bench(load(name, options.data, options.work), options.work) for name in SETS]
    fitted = crossed(benches)
    models = shipped()
    held = {b.set.name: [see(b, index, models) for index in b.set.half(1)] for b in benches}
    calibration = calibrate(fitted)
    print(f"threshold {calibration.threshold}: {calibration.provenance['thresholds']}")
    figures = {name: report(f"held out {name}", calibration, held[name]) for name in SETS}
    figures["all"] = report("held out, all", calibration, [one for part in held.values() for one in part])
    for left_out in SETS:
        other = calibrate({name: part for name, part in fitted.items() if name != left_out})
        figures[f"across: {left_out}"] = report(f"across, on {left_out}", other, held[left_out])
    if options.write:
        calibration.provenance["held_out"] = figures
        target = Path(confidence.__file__).with_name(OWN)
        target.write_text(calibration.dump(), encoding="utf-8")


if __name__ == "__main__":
    main()
