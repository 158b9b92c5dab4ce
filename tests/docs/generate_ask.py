"""Write the run that docs/ask.md walks through, and its transcript: ``python -m tests.docs.generate_ask``.

The model is a scripted server, so that the run can be made again; everything else is as for any user.
"""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import tempfile
from pathlib import Path

from pytest_httpserver import HTTPServer
from rich.console import Console

from pinakes_ask.asking import Outcome, ask_and_record
from pinakes_ask.cli.show import show
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.settings import Settings
from retrieval.library import Library
from retrieval.syncing import sync
from tests.ask.fakes import CountingIds, TestClock
from tests.endpoint.oracle import Oracle, Step, World
from tests.endpoint.server import ChatServer
from transcripts.record import ExchangeInfo, Transcript

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ask.md"
ASKS = ROOT / "docs" / "sample" / "asks"
#: What is generated in the page.
BLOCK = re.compile(r"(?<=<!-- the run -->\n).*?(?=\n<!-- the end of the run -->)", re.DOTALL)
_LIBRARY = ROOT / "docs" / "sample" / "library"
_BUILT = "The Grey Heron was built by the Quist Shipyard and launched on 4 May 1895."
_FOUNDED = "The Quist Shipyard was founded in 1864 by Corwin Quist."
WORLD = World(
    "Who founded the shipyard that built the ferry Grey Heron?",
    {},
    (
        Step(
            "Which shipyard built the ferry Grey Heron?",
            "Quist Shipyard",
            _BUILT,
            ("Grey Heron", "was built by", "Quist Shipyard"),
        ),
        Step(
            "Who founded {1}?",
            "Corwin Quist",
            _FOUNDED,
            ("Quist Shipyard", "was founded by", "Corwin Quist"),
            (1,),
        ),
    ),
    "Corwin Quist",
)


def walk(asks: Path) -> tuple[str, Path]:
    """Make the run, with its transcript in ``asks``; return the page's text on it, and the transcript's folder."""
    lines: list[str] = []
    server = HTTPServer(host="127.0.0.1", threaded=True)
    server.start()
    try:
        chat = ChatServer(server)
        chat.script(Oracle(WORLD))
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "library"
            shutil.copytree(_LIBRARY, copy, ignore=shutil.ignore_patterns(".pinakes-ask", "asks"))
            sync(copy)
            outcome = asyncio.run(_ask(chat.url, copy, asks, lines))
    finally:
        server.clear()
        server.stop()
    assert outcome.folder is not None
    return _page(outcome.transcript, outcome.folder, lines), outcome.folder


async def _ask(url: str, copy: Path, asks: Path, lines: list[str]) -> Outcome:
    with Library.open(copy) as library:
        async with EndpointModel(Endpoint(url, "scripted")) as model:
            return await ask_and_record(
                WORLD.question,
                searcher=library,
                library_name="sample",
                model=model,
                settings=Settings(extractor="model"),
                clock=TestClock(),
                ids=CountingIds(),
                asks=asks,
                watch=lambda progress: lines.append(str(progress)),
            )


def _page(transcript: Transcript, folder: Path, lines: list[str]) -> str:
    screen = io.StringIO()
    relative = "/".join(folder.parts[-4:])
    show(Console(file=screen, width=100, color_system=None, highlight=False), transcript, Path(relative))
    shown = "\n".join(line.rstrip() for line in screen.getvalue().strip().splitlines())
    return f"""\
```sh
pnk ask --deep -v --kb docs/sample/library --model NAME --base-url http://127.0.0.1:8080/v1 \\
  "{transcript.question}"
```

Each step is said on standard error as it is made:

```text
{chr(10).join(lines)}
```

and the answer on standard output:

```text
{shown}
```

Six calls were made: a plan, one for each of the two ranks, the answer, and two for its check. What was asked and
what came back stands in the [transcript](sample/{relative}/transcript.json), beside
[the answer for people](sample/{relative}/answer.md) and [the path](sample/{relative}/path.json):

| call | asked | came back | prompt tokens |
|---|---|---|---|
{chr(10).join(_row(one) for one in transcript.exchanges)}
"""


def _row(exchange: ExchangeInfo) -> str:
    request, reply = exchange.request, exchange.reply or {}
    match exchange.kind:
        case "plan":
            asked = f"{len(request['passages'])} titles, each with its best sentence"
            came = " / ".join(one["question"] for one in reply["sub_questions"])
        case "solve":
            asked = " / ".join(one["question"] for one in request["sub_questions"])
            found = [(one["answer"], one["citations"]) for one in reply["findings"]]
            came = " / ".join(f"{answer}, {_cites(cites)}" for answer, cites in found)
        case "write":
            asked = "the cited sentences and what was established"
            came = f"{len(reply['statements'])} statements; {reply['short_answer']}"
        case "propositions":
            asked = "the facts that the statements state"
            facts = [fact for one in reply["propositions"] for fact in one["triples"]]
            came = " / ".join(f"{fact['subject']} – {fact['relation']} – {fact['object']}" for fact in facts)
        case _:
            asked = "the short answer, from the statements alone"
            came = reply["short_answer"]
    return f"| {exchange.kind} | {asked} | {came} | {exchange.usage.prompt_tokens} |"


def _cites(cites: list[dict[str, int]]) -> str:
    return " ".join(f"[{one['passage']}.{one['sentence']}]" for one in cites)


def write() -> None:
    """Replace the page's block and the transcript."""
    shutil.rmtree(ASKS, ignore_errors=True)
    text, _ = walk(ASKS)
    for hidden in ASKS.glob(".*"):
        shutil.rmtree(hidden)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: text.rstrip(), page, count=1), encoding="utf-8")


if __name__ == "__main__":
    write()
