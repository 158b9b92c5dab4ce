"""Embedding the passages of a sync on all processors of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from pinakes_ask.distributed.errors import ClusterUnusable
from retrieval.embedding import DEFAULT, embedder_named
from retrieval.protocols import Embedder, Vectors

#: Passages that one processor embeds at a time, and how often so many each gets before they are written.
CHUNK, ROUNDS = 64, 4
#: Seconds that one round may take; a cluster that lost its machines would be waited for without an end.
PATIENCE = 600.0


class ClusterEmbedder:
    """An embedder whose passages are embedded on the cluster that was joined; questions are embedded here.

    A machine that dies costs nothing but time, since embedding again gives the same vectors.

    :param processors: that embed at once.
    :param name: of the model, see :func:`retrieval.embedding.embedder_named`.
    """

    def __init__(self, processors: int, name: str = DEFAULT, *, patience: float = PATIENCE) -> None:
        self._name = name
        self._here: Embedder = embedder_named(name)
        self._patience = patience
        self.at_once = CHUNK * ROUNDS * processors

    @property
    def fingerprint(self) -> str:
        """Identifies the vector space."""
        return self._here.fingerprint

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._here.dimension

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, equal to those of the model here but for rounding.

        :raises ModelFileError: the model is not on a machine of the cluster.
        :raises ClusterUnusable: the cluster did not embed them in time.
        """
        import ray
        from ray.exceptions import GetTimeoutError, RayError, RayTaskError

        if not texts:
            return self._here.embed_passages(texts)
        embed: Any = ray.remote(num_cpus=1, max_retries=-1)(_embed)
        parts = [embed.remote(self._name, list(texts[at : at + CHUNK])) for at in range(0, len(texts), CHUNK)]
        refuse = partial(ClusterUnusable, "The passages were not embedded")
        again = "Look after the cluster and sync again; what was embedded before is kept"
        try:
            return np.concatenate(ray.get(parts, timeout=self._patience))
        except RayTaskError as error:
            raise error.cause from error
        except GetTimeoutError as error:
            raise refuse(f"the cluster did not answer within {self._patience:.0f} seconds", again) from error
        except RayError as error:
            raise refuse(str(error).strip().splitlines()[0], again) from error

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, embedded here."""
        return self._here.embed_questions(texts)


def _embed(name: str, texts: list[str]) -> Vectors:
    """Embed on a machine of the cluster."""
    return _embedder(name).embed_passages(texts)


@cache
def _embedder(name: str) -> Embedder:
    """Load a model once in a process of the cluster, which embeds one part after another."""
    return embedder_named(name)
