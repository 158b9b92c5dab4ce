"""What a sync costs beside sentence-transformers alone on the same texts, names and indexes included.

    python tests/benchmarks/sync_cost.py CORPUS --work WORK [--passages 1000]

The first N records of a JSON Lines corpus are embedded by sentence-transformers alone, then synced
from nothing; then synced again unchanged, and with one record changed. Wall and processor seconds.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

from retrieval.embedding import embedder_named
from retrieval.library import Library
from retrieval.syncing import sync


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=1000)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    lines = options.corpus.read_text(encoding="utf-8").splitlines()[: options.passages]
    corpus, state = options.work / "cost.jsonl", options.work / "cost.state"
    shutil.rmtree(state, ignore_errors=True)
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    embedder = embedder_named()
    embedder.embed_passages(["load the model first"])

    def timed(label: str, work: object) -> float:
        wall, processor = time.perf_counter(), time.process_time()
        work()  # type: ignore[operator]
        took = time.process_time() - processor
        print(f"{label:34} {time.perf_counter() - wall:8.2f} s   {took:8.2f} s of processor time")
        return took

    first = timed("sync from nothing", lambda: sync(corpus, state=state, embedder=embedder))
    with Library.open(corpus, state=state, embedder=embedder) as library:
        texts = [f"{passage.title}\n{passage.text}" for passage in library.passages()]
    alone = timed("sentence-transformers alone", lambda: embedder.embed_passages(texts))
    print(f"{'ratio':34} {first / alone:8.2f}")
    timed("sync, unchanged", lambda: sync(corpus, state=state, embedder=embedder))
    changed = json.loads(lines[0]) | {"text": "Changed."}
    corpus.write_text("\n".join([json.dumps(changed), *lines[1:]]) + "\n", encoding="utf-8")
    timed("sync, one record changed", lambda: sync(corpus, state=state, embedder=embedder))


if __name__ == "__main__":
    main()
