"""An optional cross-encoder that reads question and passage together. Off unless the user names one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelFileError
from retrieval.fusion import RRF_K

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

#: Best hits that are read again.
DEPTH = 20


class CrossEncoderReranker:
    """A cross-encoder by sentence-transformers, loaded when first used.

    :param name: a folder on disk, or the name of a model that is on this machine.
    """

    def __init__(self, name: str, *, offline: bool = True) -> None:
        self.name, self._offline = name, offline

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how well each text answers; only the order means something.

        :raises ModelFileError: the model cannot be loaded.
        """
        pairs = [(question, text) for text in texts]
        return np.asarray(self._model.predict(pairs, show_progress_bar=False), np.float32)

    @cached_property
    def _model(self) -> CrossEncoder:
        from retrieval.embedding.quiet import quiet_loading

        try:
            with quiet_loading():
                from sentence_transformers import CrossEncoder

                return CrossEncoder(self.name, local_files_only=self._offline)
        except (OSError, ValueError) as error:
            raise ModelFileError(
                f"The reranker {self.name!r} cannot be loaded",
                " ".join(str(error).split())[:200],
                "Give the path of a cross-encoder folder, or the name of a model on this machine",
            ) from error


def blended(scores: NDArray[np.float32]) -> list[int]:
    """Return the places in their new order: reciprocal ranks of the old and the reranker's order, summed.

    Not the reranker's order alone: it sees no hops, and would throw out evidence that answers only
    together with another passage.
    """
    by_reranker = np.lexsort((np.arange(len(scores)), -scores))
    place = np.empty(len(scores), np.int64)
    place[by_reranker] = np.arange(len(scores))
    total = 1 / (RRF_K + 1 + np.arange(len(scores))) + 1 / (RRF_K + 1 + place)
    order: list[int] = np.lexsort((np.arange(len(scores)), -total)).tolist()
    return order
