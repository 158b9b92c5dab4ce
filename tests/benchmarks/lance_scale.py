"""The index in LanceDB tables beside the local one: what is found, how fast, and with what memory.

    python tests/benchmarks/lance_scale.py DATA/2wikimultihopqa --work WORK              found on the set itself
    python tests/benchmarks/lance_scale.py DATA/2wikimultihopqa --work WORK --passages 100000     times at scale

At scale the passages are those of the set again and again, each time with another title and a fifth of
their words drawn from the whole set. Vectors are those of the set's passages with noise added, so that
they lie as real ones do and nothing but the set itself is embedded. Each step is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from peak_memory import peak_memory

from retrieval.embedding.minilm import MiniLM
from retrieval.library import Library
from retrieval.protocols import Vectors
from retrieval.syncing import sync

CHANGED, NOISE, DEPTH, K, ASKED = 0.2, 0.03, 100, 5, 200
BACKENDS = ("local", "lance")


class Noisy(MiniLM):
    """Vectors of passages from those of the set: a record tells in its last line which one it is made from."""

    def __init__(self, vectors: Vectors) -> None:
        super().__init__()
        self._known = vectors

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors near those that the records were made from."""
        made = [self._made_from(text) for text in texts]
        noise = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=self.dimension) for text in texts]
        vectors = self._known[made] + NOISE * np.asarray(noise, np.float32)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def _made_from(self, text: str) -> int:
        number = text.rpartition(" ")[2].removesuffix(".")
        # The few records that are cut into several passages have their number in the last one.
        return int(number) if number.isdigit() and int(number) < len(self._known) else len(text)


def records(folder: Path) -> list[dict[str, str]]:
    """Return the passages of the set."""
    return [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]


def questions(folder: Path) -> list[dict[str, object]]:
    """Return the questions of the set."""
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def write_corpus(folder: Path, path: Path, count: int) -> None:
    """Write a corpus of ``count`` records."""
    random = np.random.default_rng(1)
    found = records(folder)
    words = " ".join(one["text"] for one in found).split()
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            base = found[number % len(found)]
            own = base["text"].split()
            for place in np.flatnonzero(random.random(len(own)) < CHANGED * (number >= len(found))):
                own[place] = words[random.integers(len(words))]
            title = base["title"] if number < len(found) else f"{base['title']} {number // len(found)}"
            text = f"{' '.join(own)} {number % len(found)}."
            file.write(json.dumps({"id": number, "title": title, "text": text}) + "\n")


def known_vectors(folder: Path, work: Path) -> Vectors:
    """Return the vectors of the set's passages, computed once."""
    file = work / "vectors.npy"
    if not file.exists():
        np.save(file, MiniLM().embed_passages([f"{one['title']}\n{one['text']}" for one in records(folder)]))
    found: Vectors = np.load(file)
    return found


def timed_sync(corpus: Path, state: Path, uri: str | None, embedder: MiniLM, what: str) -> None:
    """Sync, and print what it took."""
    begun = time.perf_counter()
    report = sync(corpus, state=state, uri=uri, embedder=embedder)
    print(
        f"  sync, {what}: {time.perf_counter() - begun:.1f} s, {report.passages} passages, "
        f"{report.embedded} embedded, peak {peak_memory():.0f} MiB, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def step_sync(options: argparse.Namespace, corpus: Path, state: Path, uri: str | None) -> None:
    """Sync a new library, then the same, then with one record changed."""
    embedder = embedder_of(options)
    timed_sync(corpus, state, uri, embedder, "new")
    timed_sync(corpus, state, uri, embedder, "unchanged")


def step_change(options: argparse.Namespace, corpus: Path, state: Path, uri: str | None) -> None:
    """Change one record, and sync."""
    lines = corpus.read_text(encoding="utf-8").splitlines()
    changed = json.loads(lines[7])
    changed["text"] = f"Changed for {state.name}. {changed['text']}"
    other = corpus.with_suffix(f".{options.backend}.jsonl")
    lines[7] = json.dumps(changed)
    corpus.rename(other)
    try:
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
        timed_sync(corpus, state, uri, embedder_of(options), "one record changed")
    finally:
        other.replace(corpus)


def step_search(options: argparse.Namespace, corpus: Path, state: Path, uri: str | None) -> None:
    """Ask questions one by one; keep what was found."""
    asked = questions(options.set)
    if options.passages:
        asked = asked[1::2][:ASKED]
    begun = time.perf_counter()
    with Library.open(corpus, state=state, uri=uri, embedder=embedder_of(options)) as library:
        opened, empty = time.perf_counter() - begun, peak_memory()
        library.search([str(one["question"]) for one in asked[:5]], K)
        times, found, recalls = [], [], []
        for one in asked:
            begun = time.perf_counter()
            hits = library.search([str(one["question"])], K)[0].hits
            times.append((time.perf_counter() - begun) * 1000)
            found.append([hit.passage.id for hit in hits])
            gold = set(map(str, one["supporting_corpus_idx"]))  # type: ignore[call-overload]
            recalls.append(len(gold & {hit.passage.document for hit in hits}) / len(gold))
        index = library._index
        vectors = index.embedder.embed_questions([str(one["question"]) for one in asked])
        nearest = [index.parts.nearest.search(vector[None], DEPTH)[0][0].tolist() for vector in vectors]
    print(
        f"  open {opened:.2f} s, then {empty:.0f} MiB; search {np.median(times):.1f} ms median, "
        f"{np.percentile(times, 95):.1f} ms at 95 %, peak {peak_memory():.0f} MiB, load {os.getloadavg()[0]:.1f}"
    )
    if not options.passages:
        print(f"  recall@5: {np.mean(recalls):.4f} of all questions, {np.mean(recalls[1::2]):.4f} of the odd ones")
    (options.work / f"found-{options.backend}.json").write_text(json.dumps([found, nearest]))


def compare(work: Path) -> None:
    """Print how far the two indexes found the same."""
    (local, exact), (lance, near) = (
        json.loads((work / f"found-{backend}.json").read_text(encoding="utf-8")) for backend in BACKENDS
    )
    same = np.mean([a == b for a, b in zip(local, lance, strict=True)])
    shared = np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(local, lance, strict=True)])
    meaning = np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(exact, near, strict=True)])
    print(
        f"the same first {K} in the same order: {same:.1%}; shared among the first {K}: {shared:.1%}; "
        f"of the {DEPTH} nearest by meaning: {meaning:.1%}"
    )


def embedder_of(options: argparse.Namespace) -> MiniLM:
    """Return the embedder: the real one on the set itself."""
    return Noisy(known_vectors(options.set, options.work)) if options.passages else MiniLM()


STEPS = {"sync": step_sync, "change": step_change, "search": step_search}


def main() -> None:
    """Run the benchmark, or one step of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=0)
    parser.add_argument("--backend", choices=BACKENDS)
    parser.add_argument("--step", choices=STEPS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    corpus = options.set / "corpus.jsonl"
    if options.passages:
        corpus = options.work / f"corpus-{options.passages}.jsonl"
        if not corpus.exists():
            write_corpus(options.set, corpus, options.passages)
        known_vectors(options.set, options.work)
    if options.step:
        state = options.work / f"state-{options.passages}"
        uri = str(options.work / f"lance-{options.passages}") if options.backend == "lance" else None
        STEPS[options.step](options, corpus, state, uri)
        return
    for backend in BACKENDS:
        print(backend, flush=True)
        for step in STEPS if options.passages else ("sync", "search"):
            command = [sys.executable, __file__, *sys.argv[1:], "--backend", backend, "--step", step]
            subprocess.run(command, check=True)
    compare(options.work)


if __name__ == "__main__":
    main()
