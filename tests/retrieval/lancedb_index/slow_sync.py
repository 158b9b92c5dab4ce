"""Sync a library into shared tables slowly, so that others can come in between. Run as a program.

python slow_sync.py LIBRARY URI SECONDS
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import retrieval.lance.vectors
from retrieval.protocols import Vectors
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder


class Slow(HashEmbedder):
    """Waits a while for every batch."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        print("embedding", flush=True)
        time.sleep(float(sys.argv[3]))
        return super().embed_passages(texts)


if __name__ == "__main__":
    retrieval.lance.vectors.BATCH = 8
    print("begin", flush=True)
    report = sync(Path(sys.argv[1]), embedder=Slow(), uri=sys.argv[2])
    print(f"done {report.documents} {report.embedded}", flush=True)
