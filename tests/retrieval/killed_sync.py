"""Sync a library slowly, so that a test can kill it anywhere. Run as a program."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import retrieval.generation
from retrieval.protocols import Vectors
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder


class Slow(HashEmbedder):
    """Takes its time, so that kills fall into every stage."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.02)
        return super().embed_passages(texts)


if __name__ == "__main__":
    retrieval.generation.BATCH = 8
    print("begin", flush=True)
    sync(Path(sys.argv[1]), embedder=Slow())
    print("done", flush=True)
