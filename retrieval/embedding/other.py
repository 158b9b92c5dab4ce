"""Any other embedding model, through sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.errors import ModelFileError
from retrieval.protocols import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceTransformerEmbedder:
    """A model named by the user: a folder on disk, or a name in the local cache of a hub.

    :param name: what ``SentenceTransformer(name)`` accepts.
    :param offline: do not fetch a model that is not on this machine.
    """

    def __init__(self, name: str, *, offline: bool = True) -> None:
        self.name, self._offline = name, offline

    @property
    def fingerprint(self) -> str:
        """The model's name; for a folder its last part with the size of its weights."""
        folder = Path(self.name)
        if folder.is_dir():
            sizes = sorted(
                path.stat().st_size for path in folder.rglob("*") if path.suffix in {".safetensors", ".bin"}
            )
            return f"{folder.name}@{'+'.join(map(str, sizes))}"
        return self.name

    @property
    def dimension(self) -> int:
        """Length of every vector; loads the model."""
        model = self._model
        # The method was renamed in sentence-transformers 5.
        ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(ask() or 0)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors; raises :class:`ModelFileError` where the model cannot be loaded."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        encoded = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.ascontiguousarray(encoded, dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, by the same path as passages."""
        return self.embed_passages(texts)

    @cached_property
    def _model(self) -> SentenceTransformer:
        from retrieval.embedding.quiet import quiet_loading

        try:
            with quiet_loading():
                from sentence_transformers import SentenceTransformer

                return SentenceTransformer(self.name, local_files_only=self._offline)
        except (OSError, ValueError) as error:
            raise ModelFileError(
                f"The embedding model {self.name!r} cannot be loaded",
                " ".join(str(error).split())[:200],
                "Give the path of a sentence-transformers folder, or the name of a model on this machine",
            ) from error
