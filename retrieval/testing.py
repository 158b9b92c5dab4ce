"""Help for tests: an embedder that needs no model and gives the same vectors everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from retrieval.indexes.tokens import tokens
from retrieval.protocols import Vectors


class HashEmbedder:
    """Each word has a fixed pseudo-random direction; a text is the sum of its words, made a unit vector.

    :param name: part of the fingerprint; embedders of different names live in different spaces.
    """

    dimension = 64

    def __init__(self, name: str = "hash") -> None:
        self.fingerprint = f"test-{name}"
        self.embedded = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, and count the texts in ``embedded``."""
        self.embedded += len(texts)
        return self.embed_questions(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors; a text without words gets the first axis."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in tokens(text):
                vectors[row] += self._direction(word)
            norm = float(np.linalg.norm(vectors[row]))
            if norm == 0.0:
                vectors[row, 0] = norm = 1.0
            vectors[row] /= norm
        return vectors

    def _direction(self, word: str) -> Vectors:
        digest = hashlib.blake2b(f"{self.fingerprint}/{word}".encode(), digest_size=self.dimension).digest()
        return np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
