"""Embedders: the default one from packages, and any other that sentence-transformers can load."""

from retrieval.embedding.choose import DEFAULT, embedder_named

__all__ = ["DEFAULT", "embedder_named"]
