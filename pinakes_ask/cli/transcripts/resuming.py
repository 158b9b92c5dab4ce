"""Closing and taking up unfinished runs, with the model that each of them needs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.endpoint import checked_url, named_model
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.cli.transcripts.place import Place
    from pinakes_ask.config import Config
    from pinakes_ask.recovering import Recovered
    from pinakes_ask.seams import LanguageModel
    from retrieval.library import Library
    from transcripts.record import Transcript


def close_one(place: Place, run_id: str, *, commit: bool) -> Recovered:
    """Close one run with what it has."""
    from pinakes_ask.recovering import close
    from pinakes_ask.seams import SystemClock

    return asyncio.run(close(place.asks, run_id, clock=SystemClock(), commit=commit))


def resume_all(
    place: Place, run_ids: Sequence[str], models: ResumingModels, *, state: Path | None, commit: bool
) -> list[Recovered]:
    """Take up every run that can be, and close the others.

    :raises UsageError: when a model is not named, or nobody agreed to what it may cost.
    """
    from pinakes_ask.recovering import to_resume

    checkpoints = {run_id: to_resume(place.asks, run_id) for run_id in run_ids}
    going = [one for one in checkpoints.values() if one is not None]
    if not going:
        return [close_one(place, run_id, commit=commit) for run_id in run_ids]
    models.agree(going)
    common.quiet_native_libraries()
    from retrieval.library import Library

    with Library.open(place.library, state=state, uri=common.shared_index(place.library)) as library:
        return [
            close_one(place, run_id, commit=commit)
            if checkpoint is None
            else asyncio.run(_go_on(place, checkpoint, models, library, commit=commit))
            for run_id, checkpoint in checkpoints.items()
        ]


async def _go_on(
    place: Place, checkpoint: Transcript, models: ResumingModels, library: Library, *, commit: bool
) -> Recovered:
    from pinakes_ask.recovering import go_on
    from pinakes_ask.seams import SystemClock

    model, close = models.open(checkpoint)
    try:
        return await go_on(
            checkpoint, model, searcher=library, clock=SystemClock(), asks=place.asks, commit=commit
        )
    finally:
        await close()


class ResumingModels:
    """Finds the model of a run: the extractive one where it began with that, else the one that is named."""

    def __init__(self, library: Path, name: str | None, base_url: str | None, *, yes: bool) -> None:
        given: dict[str, Any] = {"name": name, "base_url": base_url}
        flags = {"model": {key: value for key, value in given.items() if value is not None}}
        self._config: Config = common.read_config(library, flags).config
        self._forced = name is not None
        self._yes = yes

    def agree(self, checkpoints: Sequence[Transcript]) -> None:
        """See that the runs have a model, and that somebody agreed to what it may cost.

        :raises UsageError: when one is not named, or nobody is here to be asked.
        """
        paid = [one for one in checkpoints if not self._local(one)]
        if not paid:
            return
        named = self._config.model
        if named.local:
            raise UsageError(
                "The run was not taken up",
                f"it began with the model {paid[0].model}, and that is not named",
                "Name it with --model and --base-url, or leave out --resume to close the run",
            )
        checked_url(named.name, named.base_url)
        if self._yes:
            return
        what = f"{len(paid)} run{'s' if len(paid) != 1 else ''} would go on with {named.name} at {named.base_url}"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UsageError("No run was taken up", f"{what}, and nobody is here to agree to that", "Say --yes")
        typer.confirm(f"{what}. Go on?", abort=True, err=True)

    def open(self, checkpoint: Transcript) -> tuple[LanguageModel, Callable[[], Awaitable[None]]]:
        """Return the model for a run, and what closes it."""
        if self._local(checkpoint):
            from pinakes_ask.models.extractive.model import ExtractiveModel

            return ExtractiveModel(), _nothing
        endpoint = named_model(self._config.model)
        return endpoint, endpoint.aclose

    def _local(self, checkpoint: Transcript) -> bool:
        from pinakes_ask.config import EXTRACTIVE

        return checkpoint.model == EXTRACTIVE and (not self._forced or self._config.model.local)


async def _nothing() -> None:
    return None
