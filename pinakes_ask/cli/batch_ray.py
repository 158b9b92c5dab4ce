"""``pnk batch --ray``: workers for the questions of a batch, and each one's part of the limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from pinakes_ask.cli.endpoint import read_key
from pinakes_ask.cli.ray import worker_library, worker_model

if TYPE_CHECKING:
    from pinakes_ask.batch.asking import Answering, Setup
    from pinakes_ask.batch.ledger import Caps
    from pinakes_ask.config import ModelSection
    from retrieval.library import Library


@asynccontextmanager
async def on_workers(
    setup: Setup,
    *,
    model: ModelSection,
    library: Library,
    path: Path,
    state: Path | None,
    uri: str | None,
    caps: Caps,
    questions: int,
    workers: int | None,
    watch: Callable[[str], None],
) -> AsyncIterator[tuple[Answering, int]]:
    """Yield what answers on the workers of the cluster that was joined, and how many questions at once.

    :param path: of the library, as every machine must see it.
    :param uri: where the tables of its index lie, None where the index is local and every machine must see it too.
    :param questions: how many there are to answer.
    :param workers: how many are wanted; None for one on each processor.
    """
    from pinakes_ask.batch.ledger import Total
    from pinakes_ask.batch.price import largest_write, worst_case
    from pinakes_ask.distributed.answering import OnWorkers
    from pinakes_ask.distributed.fleet import Fleet
    from pinakes_ask.distributed.machines import processors
    from pinakes_ask.distributed.worker import Opening
    from pinakes_ask.memory import CHARACTERS_PER_TOKEN, estimate_tokens

    longest = 0 if model.local or not caps.limit() else max(len(one.text) for one in library.passages())

    # Tokens are estimated, so questions of as many tokens can take the same.
    @cache
    def worst(tokens: int) -> Total:
        found = worst_case("x" * (CHARACTERS_PER_TOKEN * tokens), setup.model, setup.settings, longest)
        return Total.of(found.usage, found.calls)

    @cache
    def write(tokens: int) -> Total:
        question = "x" * (CHARACTERS_PER_TOKEN * tokens)
        return Total.of(setup.model.worst_case(largest_write(question, setup.settings.loop)))

    count = min(workers or processors(), questions)
    part, count = part_of(model, count, write(0).tokens)
    opening = Opening(
        partial(worker_library, path, state, uri),
        partial(worker_model, part, not model.local and read_key() is not None),
    )
    fleet = Fleet(opening, count, model.concurrency, setup.searcher.fingerprint, watch=watch)
    async with fleet:
        answering = OnWorkers(
            fleet,
            setup.asks,
            lambda question: worst(estimate_tokens(question)),
            lambda question: write(estimate_tokens(question)),
            limited=caps.limit(),
        )
        watch(f"{fleet.size} workers, {model.concurrency} questions at once on each")
        yield answering, fleet.size * model.concurrency


def part_of(model: ModelSection, workers: int, request: int) -> tuple[ModelSection, int]:
    """Return each worker's part of what the model's server takes in a minute, and how many workers share it.

    :param request: tokens of a large request; more workers than such requests in a minute would go beyond it.
    """
    requests, tokens = model.requests_per_minute, model.tokens_per_minute
    if requests is not None:
        workers = min(workers, requests)
    if tokens is not None:
        workers = min(workers, max(1, tokens // max(1, request)))
    part = {
        "requests_per_minute": None if requests is None else requests // workers,
        "tokens_per_minute": None if tokens is None else max(1, tokens // workers),
    }
    return model.model_copy(update=part), workers
