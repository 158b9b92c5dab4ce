"""From the name of a model to an embedder."""

from __future__ import annotations

from retrieval.protocols import Embedder

#: The name of the model that comes with the program.
DEFAULT = "all-MiniLM-L6-v2"


def embedder_named(name: str = DEFAULT, *, offline: bool = True) -> Embedder:
    """Return the embedder called ``name``: the built-in one, or a path or name for sentence-transformers.

    Nothing is loaded before the first text is embedded.

    :param offline: refuse to fetch a model that is not on this machine.
    """
    if name == DEFAULT:
        from retrieval.embedding.minilm import MiniLM

        return MiniLM()
    from retrieval.embedding.other import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(name, offline=offline)
