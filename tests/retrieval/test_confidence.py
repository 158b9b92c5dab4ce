from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.confidence.calibration import OWN, Calibration, for_library, shipped
from retrieval.confidence.fit import fit, measure, threshold
from retrieval.confidence.own import Labelled, covers, refit
from retrieval.confidence.signals import signals
from retrieval.embedding.minilm import MiniLM
from retrieval.errors import UsageError
from retrieval.library import Library
from retrieval.ranking.model import shipped as models
from retrieval.ranking.rank import NAMES
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from retrieval.types import Confidence, Found


def drawn(count: int, seed: int = 0) -> tuple[list[Mapping[str, float]], list[bool]]:
    """Draw questions whose chance of being covered is known: logistic in ``a``."""
    random = np.random.default_rng(seed)
    a, noise = random.normal(size=count), random.normal(size=count)
    covered = random.random(count) < 1 / (1 + np.exp(-2 * a))
    return [{"a": float(x), "noise": float(y)} for x, y in zip(a, noise, strict=True)], covered.tolist()


def test_a_fit_recovers_known_probabilities() -> None:
    seen, covered = drawn(4000)
    calibration = fit(seen, covered, "e")
    assert calibration.weights["a"] == pytest.approx(2, abs=0.25)
    assert calibration.weights["noise"] == pytest.approx(0, abs=0.15)
    fresh, truth = drawn(4000, seed=1)
    result = measure([calibration.probability(one) for one in fresh], truth, calibration.threshold)
    assert result.ece < 0.03
    assert result.auroc is not None
    assert result.auroc > 0.8
    assert result.false_confidence is not None
    assert result.false_confidence < 0.14


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=40))
def test_the_threshold_lets_through_no_more_than_tolerated(pairs: list[tuple[float, bool]]) -> None:
    chances = np.asarray([round(chance, 3) for chance, _ in pairs])
    covered = np.asarray([label for _, label in pairs])
    at = threshold(chances, covered, np.ones(len(pairs)), 0.10)
    through = chances >= at
    # Ties at the threshold come in together, so only distinct probabilities keep the promise exactly.
    if through.any() and len(set(chances.tolist())) == len(chances):
        assert (~covered[through]).mean() <= 0.10


def test_measures_on_known_cases() -> None:
    result = measure([0.95, 0.95, 0.15, 0.15], [True, True, False, False], 0.5)
    assert (result.auroc, result.let_through, result.false_confidence) == (1.0, 0.5, 0.0)
    assert result.ece == pytest.approx(0.1)
    assert [row[2] for row in result.table] == [2, 2]
    alone = measure([0.2, 0.2], [True, True], 0.5)
    assert (alone.auroc, alone.false_confidence) == (None, None)
    assert measure([0.5, 0.5], [True, False], 0.5).auroc == 0.5


def test_too_few_questions_are_refused() -> None:
    seen, covered = drawn(30)
    with pytest.raises(UsageError, match="at least 40"):
        fit(seen, covered, "e")
    seen, _ = drawn(60)
    with pytest.raises(UsageError, match="of each kind"):
        fit(seen, [True] * 60, "e")


def test_unknown_has_a_reason() -> None:
    calibration = Calibration({"a": 1.0}, 0.0, 0.5, {"a": (0.0, 1.0)}, "e")
    assert calibration.unknown({"a": 0.5}, "e") == ""
    assert "embedder" in calibration.unknown({"a": 0.5}, "other")
    assert "'a' is 2, outside" in calibration.unknown({"a": 2.0}, "e")
    assert not Confidence(None, "unknown", 0.5).enough
    assert Confidence(0.5, "", 0.5).enough


def test_a_calibration_survives_the_disk_and_a_bad_one_is_refused(tmp_path: Path) -> None:
    calibration = shipped()
    assert Calibration.parse(calibration.dump()) == calibration
    assert for_library(tmp_path) == calibration
    own = replace(calibration, bias=1.0)
    (tmp_path / OWN).write_text(own.dump())
    assert for_library(tmp_path) == own
    for text in ("", "[]", "{}", json.dumps({"schema_version": 1, "bias": 2}), calibration.dump()[:-20]):
        (tmp_path / OWN).write_text(text)
        with pytest.raises(UsageError, match="calibrate --write"):
            for_library(tmp_path)


def test_what_ships_fits_the_code() -> None:
    assert shipped().embedder == MiniLM.fingerprint
    assert 0 < shipped().threshold < 1
    assert set(shipped().weights) == set(shipped().ranges)
    assert shipped().provenance["held_out"]["all"]["false_confidence"] <= 0.10
    assert models().both.names == NAMES


@pytest.fixture
def library(make, embedder: HashEmbedder):
    root = make({f"{n}.md": f"# Person{n} Smith\n\nPerson{n} Smith lived in Town{n % 3}." for n in range(12)})
    sync(root, embedder=embedder)
    with Library.open(root, embedder=embedder) as opened:
        yield opened


def test_another_embedder_than_the_fitted_one_is_unknown(library: Library) -> None:
    confidence = library.search(["Where did Person3 Smith live?"])[0].confidence
    assert confidence.probability is None
    assert "embedder" in confidence.reason
    assert set(confidence.signals) == set(shipped().weights)


def test_fewer_hits_than_calibrated_is_unknown(library: Library) -> None:
    assert "calibrated for 5" in library.search(["Where did Person3 Smith live?"], k=2)[0].confidence.reason


def test_nothing_found_is_unknown_or_unlikely_but_no_error(library: Library) -> None:
    from retrieval.types import Filters

    found = library.search(["zzz"], 5, Filters(path_prefix="none"))[0]
    assert found.hits == ()
    assert found.confidence.probability is None or found.confidence.probability < 0.5


def test_own_questions_refit(library: Library) -> None:
    questions = [f"Where did Person{n % 12} Smith live?" for n in range(60)]
    labelled = [Labelled(q, (f"{n % 12}.md",) if n % 3 else ()) for n, q in enumerate(questions)]
    found = library.search(questions)
    result = refit(found, labelled, library.embedder_fingerprint)
    assert result.present is None
    assert result.calibration.embedder == library.embedder_fingerprint
    assert result.expected.questions == 60
    (library.state / OWN).write_text(result.calibration.dump())
    with Library.open(library.state.parent, embedder=HashEmbedder()) as again:
        confidence = again.search(["Where did Person3 Smith live?"])[0].confidence
    assert confidence.probability is not None or "outside" in confidence.reason


def test_covering_is_by_id_title_or_location(library: Library) -> None:
    found: Found = library.search(["Where did Person3 Smith live?"])[0]
    assert covers(found, ["3.md"])
    assert covers(found, ["Person3 Smith"])
    assert not covers(found, ["3.md", "none.md"])
    assert not covers(found, [])
    assert signals.__doc__
