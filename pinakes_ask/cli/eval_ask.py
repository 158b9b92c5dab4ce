"""Running a model over a question set: a batch, whose rows and transcripts lie in the run's folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pinakes_ask.batch.errors import BatchRunning
from pinakes_ask.batch.lock import only_writer
from pinakes_ask.batch.questions import Item
from pinakes_ask.budget import Limits
from pinakes_ask.cli import batch_night, common
from pinakes_ask.cli.batch_report import Report
from pinakes_ask.cli.endpoint import checked_url
from pinakes_ask.config import Config, IndexSection
from pinakes_ask.evaluation.question import EvalQuestion
from pinakes_ask.evaluation.run_folder import RunFolder
from retrieval.errors import UsageError
from retrieval.state import state_dir
from retrieval.types import Filters

if TYPE_CHECKING:
    from pinakes_ask.cli.eval_run import Wanted
    from retrieval.library import Library


@contextmanager
def open_corpus(library: Path, state: Path | None) -> Iterator[Library]:
    """Index a library where that is still to do, and open it."""
    from retrieval.library import Library
    from retrieval.syncing import sync

    with common.progress_bar() as bar:
        sync(library, state=state, progress=bar)
    with Library.open(library, state=state) as opened:
        yield opened


def ask_all(chosen: Sequence[EvalQuestion], run: RunFolder, library: Path, config: Config, wanted: Wanted) -> int:
    """Ask what has no row yet, as a batch does, and return its exit code.

    :raises UsageError: when another process does the same.
    """
    records = config.transcripts.model_copy(update={"folder": str(run.asks.absolute()), "commit": False})
    night = batch_night.Wanted(
        items=tuple(Item(one.id, one.text, line) for line, one in enumerate(chosen, start=1)),
        out=run.answers,
        library=library,
        state=wanted.state,
        # Whatever the configuration says of an index, the corpus of an evaluation has one of its own.
        config=config.model_copy(update={"transcripts": records, "index": IndexSection()}),
        filters=Filters(),
        limits=Limits(*wanted.limits),
        form="native",
        ordered=False,
        retry_failed=True,
        yes=wanted.yes,
    )
    place = state_dir(library.resolve(), wanted.state, writing=True)
    try:
        with (
            Report(quiet=False, verbose=False, log_file=None, summary=None) as report,
            only_writer(run.answers, place),
        ):
            return batch_night.Night(night, report).run()
    except BatchRunning as running:
        raise UsageError(
            f"The run in {run.path} is under way", "another process asks its questions", "Wait for it to end"
        ) from running


def confirm_judge(calls: int, config: Config, wanted: Wanted) -> None:
    """See that somebody agreed to what judging may cost.

    :raises UsageError: when nobody is here to be asked and nothing was allowed.
    """
    checked_url(config.model.name, config.model.base_url)
    if wanted.yes or any(limit is not None for limit in wanted.limits) or not calls:
        return
    what = f"{config.model.name} at {config.model.base_url} would judge {calls} answers, a call each"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "The answers were not judged",
            f"{what}, and nobody is here to agree to that",
            "Say --yes, set a budget such as --max-calls, or say --no-judge",
        )
    typer.confirm(f"{what}. Go on?", abort=True, err=True)
