"""What a question takes with a language model: calls, prompt tokens by task, own time, latency.

A server of its own process answers every task rightly, from invented documents of about 139 tokens each;
five are retrieved for each query. Tokens are estimated at four characters each, as the run's budget does.

    python -m tests.benchmarks.ask_calls [--questions 20] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import statistics
import tempfile
import time
from collections import Counter
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pinakes_ask.check import SelfCheck
from pinakes_ask.loop import Loop
from pinakes_ask.memory import estimate_tokens
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.run import Run
from pinakes_ask.seams import SystemClock
from pinakes_ask.settings import LoopSettings, Settings
from retrieval.library import Library
from retrieval.types import Confidence, Filters, Found
from tests.endpoint.oracle import Oracle, Step, World

PASSAGE_TOKENS = 139
SYLLABLES = ("bar", "mel", "tor", "vin", "sal", "run", "kes", "dol", "fen", "gar")
#: As long as sentences of encyclopedias are, about 30 tokens.
FILLER = (
    "The archive of the district keeps four letters, two ledgers and a notice from that time, none of them dated.",
    "Visitors came by the new road on market days, and the bridge was mended in the spring after the flood.",
    "A later account disagrees about the weather, the harvest and the price of rope, and names no clerk.",
    "Neighbours remembered long evenings, a blue door and the sound of the mill, which stood still in the winter.",
    "Nothing else from these years has been printed, and the drawings that were made for the hall are lost.",
    "The bell was recast twice by a foundry in the north, and the second casting cracked in the first frost.",
    "Two clerks copied the lists by hand over several weeks, and one of them left a note in the margin.",
    "An inventory of the house names eleven chairs, a clock, three lamps and a locked box with unsorted papers.",
)
ENOUGH = Confidence(0.95, "set by the benchmark", threshold=0.9)
UNKNOWN = Confidence(None, "set by the benchmark")


def worlds(count: int) -> list[World]:
    """Two-hop questions over documents of one library: a book, its author, the author's teacher."""
    rng = random.Random(7)
    documents: dict[str, str] = {}
    found: list[World] = []
    names = ["".join(parts).capitalize() for parts in product(SYLLABLES, repeat=3)]
    rng.shuffle(names)
    for number in range(count):
        book, author, teacher = (f"{kind} {names.pop()}" for kind in ("The Book of", "Ann", "Ivo"))
        wrote, taught = f"{book} was written by {author}.", f"{author} was taught by {teacher}."
        documents |= {title: _text(rng, fact) for title, fact in ((book, wrote), (author, taught))}
        documents[teacher] = _text(rng, f"{teacher} kept a school in district {number}.")
        steps = (
            Step(f"Who wrote {book}?", author, wrote, (book, "was written by", author)),
            Step("Who taught {1}?", teacher, taught, (author, "was taught by", teacher), (1,)),
        )
        found.append(World(f"Who taught the author of {book}?", documents, steps, teacher))
    return found


def _text(rng: random.Random, fact: str) -> str:
    sentences = [fact]
    enough = PASSAGE_TOKENS - rng.choice((20, 20, 10, 10, 10))
    while estimate_tokens(" ".join(sentences)) < enough:
        sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(FILLER))
    return " ".join(sentences)


def serve(asked: list[World], delay: float, pipe: Connection) -> None:
    """Answer the questions of ``asked`` until the process is ended; each call takes ``delay`` seconds."""
    from pytest_httpserver import HTTPServer

    from tests.endpoint.server import ChatServer

    oracles = {world.question: Oracle(world, delay) for world in asked}

    def answer(body: dict[str, Any]) -> Any:
        text = body["messages"][1]["content"]
        return next(oracle for question, oracle in oracles.items() if question in text)(body)

    server = HTTPServer(host="127.0.0.1", threaded=True)
    server.start()
    chat = ChatServer(server)
    chat.script(answer)
    pipe.send(chat.url)
    pipe.recv()


class Gated:
    """A library whose confidence is set, so that easy and hard questions can be told apart."""

    def __init__(self, library: Library, confidence: Confidence) -> None:
        self._library, self._confidence = library, confidence
        self.fingerprint = library.fingerprint

    def search(self, queries: list[str], k: int = 5, filters: Filters | None = None) -> list[Found]:
        found = self._library.search(queries, k, filters)
        return [Found(one.query, one.hits, self._confidence) for one in found]


async def run_all(library: Library, asked: list[World], url: str, confidence: Confidence) -> list[dict[str, Any]]:
    rows = []
    async with EndpointModel(Endpoint(url, "scripted")) as model:
        for world in [asked[0], *asked]:  # the first warms up
            settings = Settings(LoopSettings())
            loop = Loop(Gated(library, confidence), model, SelfCheck("model"), settings, SystemClock())  # type: ignore[arg-type]
            wall, cpu = time.perf_counter(), time.process_time()
            run = await loop.ask(world.question)
            rows.append(_row(run, world, time.perf_counter() - wall, time.process_time() - cpu))
    return rows[1:]


def _row(run: Run, world: World, wall: float, cpu: float) -> dict[str, Any]:
    tokens: Counter[str] = Counter()
    for one in run.exchanges:
        tokens[one.kind] += one.usage.prompt_tokens
    check = [one for one in run.exchanges if one.kind in ("propositions", "reinfer")]
    return {
        "right": run.answer.short_answer == world.short_answer,
        "calls": len(run.exchanges),
        "calls_without_check": len(run.exchanges) - len(check),
        "prompt_tokens": dict(tokens),
        "prompt_tokens_without_check": sum(tokens.values()) - sum(one.usage.prompt_tokens for one in check),
        "completion_tokens": sum(one.usage.completion_tokens for one in run.exchanges),
        "wall": wall,
        "wall_without_check": wall - sum(one.seconds for one in check),
        "cpu": cpu,
    }


def mean(rows: list[dict[str, Any]], key: str) -> float:
    return statistics.fmean(row[key] for row in rows)


def main() -> None:
    """Measure, print tables, and write the figures where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--json", type=Path, default=None)
    options = parser.parse_args()
    asked = worlds(options.questions)
    measured: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        rows = [{"title": title, "text": text} for title, text in asked[0].documents.items()]
        corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        from retrieval.syncing import sync

        sync(corpus)
        lengths = [estimate_tokens(row["text"]) for row in rows]
        print(f"{len(rows)} passages of {statistics.fmean(lengths):.0f} tokens, k = 5, {len(asked)} questions")
        with Library.open(corpus) as library:
            for name, confidence, delay, some in (
                ("easy", ENOUGH, 0.0, asked),
                ("two hops", UNKNOWN, 0.0, asked),
                ("two hops, 1 s a call", UNKNOWN, 1.0, asked[:3]),
            ):
                here, there = multiprocessing.get_context("spawn").Pipe()
                server = multiprocessing.get_context("spawn").Process(target=serve, args=(some, delay, there))
                server.start()
                try:
                    measured[name] = asyncio.run(run_all(library, some, here.recv(), confidence))
                finally:
                    here.send("stop")
                    server.join(10)
                    server.terminate()
    report(measured)
    if options.json:
        options.json.write_text(json.dumps(measured, indent=1), encoding="utf-8")


def report(measured: dict[str, list[dict[str, Any]]]) -> None:
    """Print the two tables as Markdown."""
    print("\n| question | right | calls | without check | wall s | without check | own CPU ms |")
    print("|---|---|---|---|---|---|---|")
    for name, rows in measured.items():
        cells = [
            f"{mean(rows, 'right'):.0%}",
            f"{mean(rows, 'calls'):.1f}",
            f"{mean(rows, 'calls_without_check'):.1f}",
        ]
        cells += [
            f"{mean(rows, 'wall'):.3f}",
            f"{mean(rows, 'wall_without_check'):.3f}",
            f"{1000 * mean(rows, 'cpu'):.0f}",
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\n| question | plan | solve | write | propositions | reinfer | sum without check | reply tokens |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rows in list(measured.items())[:2]:
        by_task = [
            statistics.fmean(row["prompt_tokens"].get(kind, 0) for row in rows)
            for kind in ("plan", "solve", "write", "propositions", "reinfer")
        ]
        sums = [mean(rows, "prompt_tokens_without_check"), mean(rows, "completion_tokens")]
        print(f"| {name} | {' | '.join(f'{value:,.0f}' for value in [*by_task, *sums])} |")


if __name__ == "__main__":
    main()
