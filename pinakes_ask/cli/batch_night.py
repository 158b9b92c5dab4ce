"""One start of ``pnk batch``, from the questions to the summary."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pinakes_ask.batch.answers import repair_end, take_out
from pinakes_ask.batch.questions import Item
from pinakes_ask.batch.rows import Format, settings_hash
from pinakes_ask.batch.runner import Ended, Runner
from pinakes_ask.batch.todo import Todo, find_todo
from pinakes_ask.budget import Limits
from pinakes_ask.cli import common
from pinakes_ask.cli.batch_report import Report, counted, in_one_line
from pinakes_ask.config import Config
from retrieval.errors import UsageError
from retrieval.types import Filters

if TYPE_CHECKING:
    from pinakes_ask.batch.asking import Answering, Setup
    from pinakes_ask.batch.ledger import Caps, Total
    from pinakes_ask.seams import LanguageModel
    from retrieval.library import Library


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for. ``limits`` are those of the whole batch, ``ray`` a cluster's address."""

    items: tuple[Item, ...]
    out: Path
    library: Path
    state: Path | None
    config: Config
    filters: Filters
    limits: Limits
    form: Format
    ordered: bool
    retry_failed: bool
    yes: bool
    ray: str = ""
    workers: int | None = None


class Night:
    """Answers what has no row yet, commits the transcripts and says how it went."""

    def __init__(self, wanted: Wanted, report: Report) -> None:
        self._wanted = wanted
        self._report = report
        self._settings = wanted.config.settings()
        self._hash = settings_hash(wanted.config.model.name, self._settings, wanted.filters)
        self._signal = 0
        self._start = time.monotonic()

    def run(self) -> int:
        """Answer, and return the exit code. The caller is the only writer of the answers."""
        wanted, report = self._wanted, self._report
        repaired = repair_end(wanted.out)
        if repaired:
            report.say(repaired, always=True)
        todo = self._todo()
        ended, spent = Ended(), None
        if todo.ask:
            self._confirm(todo)
            model = wanted.config.model.name
            report.log(f"{len(todo.ask)} of {counted(len(wanted.items))} to ask of {model}")
            common.quiet_native_libraries()
            from pinakes_ask.cli.ray import on_cluster
            from retrieval.library import Library

            uri = wanted.config.index.shared
            with (
                Library.open(wanted.library, state=wanted.state, uri=uri) as library,
                on_cluster(wanted.ray),
            ):
                ended, spent = asyncio.run(self._answer(todo, library))
        self._commit(todo, ended)
        summary = self._summary(todo, ended, spent)
        report.write_summary(summary)
        failed = summary["total"]["failed"]
        all_is_well = not failed and not ended.left
        report.say(in_one_line(summary), always=not all_is_well)
        if self._signal:
            return 128 + self._signal
        if ended.error is not None:
            report.say(f"error: {ended.error}", always=True)
            return ended.error.exit_code
        return 5 if failed else 0

    def dry_run(self) -> int:
        """Print what a start would do and what it can take at worst."""
        from pinakes_ask.batch.price import worst_case

        wanted = self._wanted
        todo = self._todo()
        longest = 0
        if todo.ask:
            common.quiet_native_libraries()
            from retrieval.library import Library

            with Library.open(wanted.library, state=wanted.state, uri=wanted.config.index.shared) as library:
                longest = max(len(one.text) for one in library.passages())
        asked = [item for item in todo.ask if not item.problem]
        model, _ = self._open_model()
        worst = [worst_case(item.question, model, self._settings, longest) for item in asked]
        costs = [one.usage.cost for one in worst]
        cost = None if None in costs else sum(one for one in costs if one is not None)
        caps = self._caps()
        common.print_json(
            {
                "schema_version": 1,
                "questions": len(wanted.items),
                "had_a_row": todo.before.rows,
                "to_ask": len(todo.ask),
                "to_ask_again": len(todo.retry),
                "changed": todo.changed,
                "model": wanted.config.model.name,
                "calls_at_most": sum(one.calls for one in worst),
                "tokens_at_most": sum(one.usage.prompt_tokens + one.usage.completion_tokens for one in worst),
                "cost_at_most": None if cost is None else round(cost, 6),
                "limits": {
                    name: {"calls": one.calls, "tokens": one.tokens, "cost": one.cost}
                    for name, one in (("batch", caps.team), ("day", caps.day), ("month", caps.month))
                },
            }
        )
        return 0

    def _todo(self) -> Todo:
        wanted = self._wanted
        todo = find_todo(
            wanted.items, self._hash, wanted.out, retry_failed=wanted.retry_failed, note=self._report.say
        )
        if todo.changed:
            self._report.say(
                f"Rows of another wording or other settings are kept beside the new ones: {counted(todo.changed)}."
            )
        return todo

    async def _answer(self, todo: Todo, library: Library) -> tuple[Ended, dict[str, Total]]:
        from pinakes_ask.asking import asks_folder
        from pinakes_ask.batch.asking import Setup
        from pinakes_ask.batch.preflight import check_budget
        from pinakes_ask.batch.session import Manner, answer_all
        from pinakes_ask.seams import SystemClock, UlidIds
        from retrieval.state import state_dir

        wanted, clock = self._wanted, SystemClock()
        root = wanted.library.resolve()
        seconds = wanted.limits.seconds
        model, close = self._open_model()
        try:
            check_budget(todo.ask, model, self._settings, self._caps())
            setup = Setup(
                searcher=library,
                library_name=root.name,
                model=model,
                settings=self._settings,
                filters=wanted.filters,
                hash=self._hash,
                asks=asks_folder(root, wanted.config.transcripts.folder, Path.cwd()),
                clock=clock,
                ids=UlidIds(),
                until=None if seconds is None else clock.monotonic() + seconds - (time.monotonic() - self._start),
                shown=lambda folder: shown_from(wanted.out, folder),
            )
            if todo.retry:
                take_out(wanted.out, todo.retry)
            async with AsyncExitStack() as opened:
                answering, jobs = None, wanted.config.model.concurrency
                if wanted.ray:
                    answering, jobs = await opened.enter_async_context(self._workers(setup, library, todo))
                bar = opened.enter_context(common.progress_bar(enabled=not self._report.quiet))
                return await answer_all(
                    todo,
                    setup,
                    answers=wanted.out,
                    state=state_dir(root, wanted.state, writing=True),
                    caps=self._caps(),
                    manner=Manner(wanted.form, jobs, wanted.ordered),
                    answering=answering,
                    begun=self._obey_signals,
                    watch=self._report.event,
                    progress=lambda done: bar("questions", done, len(todo.ask)),
                )
        finally:
            await close()

    def _workers(
        self, setup: Setup, library: Library, todo: Todo
    ) -> AbstractAsyncContextManager[tuple[Answering, int]]:
        """Workers of the cluster, and how many questions are under way on them at once."""
        from pinakes_ask.cli.batch_ray import on_workers

        wanted = self._wanted
        return on_workers(
            setup,
            model=wanted.config.model,
            library=library,
            path=wanted.library.resolve(),
            state=None if wanted.state is None else wanted.state.resolve(),
            uri=wanted.config.index.shared,
            caps=self._caps(),
            questions=len(todo.ask),
            workers=wanted.workers,
            watch=self._report.event,
        )

    def _obey_signals(self, runner: Runner) -> None:
        """Let SIGTERM and SIGINT stop the batch; a second one does so at once."""

        def stop(number: int) -> None:
            self._signal = self._signal or number
            self._report.say(
                f"Stopped by {signal.Signals(number).name}: calls under way are waited for. Once more ends now.",
                always=True,
            )
            runner.stop()

        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop, number)

    def _caps(self) -> Caps:
        from pinakes_ask.batch.ledger import Caps

        batch = self._wanted.config.batch
        return Caps(self._wanted.limits, batch.day(), batch.month())

    def _open_model(self) -> tuple[LanguageModel, Callable[[], Awaitable[None]]]:
        """Return the model that the configuration names, and what closes it."""
        if self._wanted.config.model.local:
            from pinakes_ask.models.extractive.model import ExtractiveModel

            async def nothing() -> None:
                return None

            return ExtractiveModel(), nothing
        from pinakes_ask.cli.endpoint import named_model

        endpoint = named_model(self._wanted.config.model)
        return endpoint, endpoint.aclose

    def _confirm(self, todo: Todo) -> None:
        """See that somebody agreed to what a model on a server may cost.

        :raises UsageError: when nobody is here to be asked and nothing was allowed.
        """
        config = self._wanted.config
        if config.model.local:
            return
        from pinakes_ask.cli.endpoint import checked_url

        checked_url(config.model.name, config.model.base_url)
        caps = self._caps()
        bounded = any(
            one is not None
            for limits in (caps.team, caps.day, caps.month)
            for one in (limits.calls, limits.tokens, limits.cost)
        )
        if self._wanted.yes or bounded:
            return
        what = f"{counted(len(todo.ask))} would go to {config.model.name} at {config.model.base_url}"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UsageError(
                "The questions were not asked",
                f"{what}, and nobody is here to agree to that",
                "Say --yes, or set a budget such as --max-calls; --dry-run shows what they can take",
            )
        typer.confirm(
            f"{what}, without a budget (--dry-run shows what they can take). Go on?", abort=True, err=True
        )

    def _commit(self, todo: Todo, ended: Ended) -> None:
        """Commit the transcripts of all rows in one commit, those of an earlier start that was killed included."""
        wanted = self._wanted
        named = [*todo.transcripts, *ended.transcripts]
        if not wanted.config.transcripts.commit or not named:
            return
        from pinakes_ask.asking import asks_folder
        from transcripts.git import commit_new

        asks = asks_folder(wanted.library.resolve(), wanted.config.transcripts.folder, Path.cwd())
        folders = [(wanted.out.resolve().parent / one).resolve() for one in named]
        committed = commit_new(
            asks.resolve(), folders, lambda count: f"Ask: {counted(count)} of {wanted.out.name}"
        )
        if not committed.done:
            self._report.say(f"warning: The transcripts were not committed: {committed.note}.", always=True)

    def _summary(self, todo: Todo, ended: Ended, spent: dict[str, Total] | None) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "answers": self._wanted.out.name,
            "questions": len(self._wanted.items),
            "skipped": {"had_a_row": todo.before.rows, "left": ended.left},
            "why": ended.why if ended.left else None,
            "changed": todo.changed,
            "start": ended.tally.to_json(),
            "total": (todo.before + ended.tally).to_json(),
            "spent": None
            if spent is None
            else {
                name: {"calls": one.calls, "tokens": one.tokens, "cost": round(one.cost, 6)}
                for name, one in spent.items()
            },
            "error": str(ended.error) if ended.error is not None else None,
            "seconds": round(time.monotonic() - self._start, 3),
        }


def shown_from(out: Path, folder: Path) -> Path:
    """Return a folder as a row of ``out`` names it: from where the answers lie, so that both can move together."""
    return Path(os.path.relpath(folder.resolve(), out.resolve().parent))
