"""``pnk ask``: an answer from your documents."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import (
    JsonOption,
    KbOption,
    ModifiedAfterOption,
    ModifiedBeforeOption,
    PathPrefixOption,
    SourceTypeOption,
    StateOption,
    TagOption,
)
from pinakes_ask.cli.endpoint import BaseUrlOption, ModelOption, checked_url, named_model, unasked_model
from pinakes_ask.cli.options import (
    AsksOption,
    ForceAnswerOption,
    MaxRoundsOption,
    PassagesOption,
    YesOption,
    given,
)
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.batch.price import Worst
    from pinakes_ask.config import Config
    from pinakes_ask.run import Watch
    from pinakes_ask.seams import LanguageModel
    from retrieval.library import Library
    from retrieval.types import Filters


def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotation marks; - reads standard input.")],
    deep: Annotated[bool, typer.Option("--deep", help="Plan, search in steps, answer and check.")] = False,
    kb: KbOption = None,
    state: StateOption = None,
    k: PassagesOption = None,
    tag: TagOption = None,
    path_prefix: PathPrefixOption = "",
    source_type: SourceTypeOption = "",
    modified_after: ModifiedAfterOption = "",
    modified_before: ModifiedBeforeOption = "",
    as_json: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_rounds: MaxRoundsOption = None,
    max_calls: Annotated[int | None, typer.Option("--max-calls", min=1, help="Model calls at most.")] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, help="Tokens at most, prompts and replies together.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option("--max-seconds", help="Start no new step after this.")
    ] = None,
    force_answer: ForceAnswerOption = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 4 when C or D is 0 or a citation is unresolved.")
    ] = False,
    asks: AsksOption = None,
    save: Annotated[bool, typer.Option("--save/--no-save", help="Save the transcript.")] = True,
    commit: Annotated[
        bool | None,
        typer.Option("--commit/--no-commit", show_default=False, help="Commit the transcript with git."),
    ] = None,
    yes: YesOption = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say each step on standard error.")] = False,
) -> int:
    """Answer a question from your documents.

    Without --deep this only searches: it prints the evidence and how sure the search is. With --deep
    it plans sub-questions, solves them in order, writes an answer in which every statement cites a
    sentence, checks its own reasoning, and saves a transcript.
    """
    if question == "-":
        question = sys.stdin.read()
    from pinakes_ask.run import check_question

    question = check_question(question)
    if not deep:
        _only_with_deep(
            {
                "--strict": strict,
                "--force-answer": force_answer,
                "--model": model is not None,
                "--base-url": base_url is not None,
                "--max-rounds": max_rounds is not None,
                "--max-tokens": max_tokens is not None,
                "--max-calls": max_calls is not None,
                "--max-seconds": max_seconds is not None,
                "--asks": asks is not None,
                "--commit": commit is not None,
                "--no-save": not save,
            }
        )
    filters = common.read_filters(tag, path_prefix, source_type, modified_after, modified_before)
    library_path = common.find_library(kb)
    flags: dict[str, dict[str, Any]] = {
        "ask": given(k=k, max_rounds=max_rounds, force_answer=force_answer or None),
        "model": given(name=model, base_url=base_url),
        "budget": given(max_calls=max_calls, max_tokens=max_tokens, max_seconds=max_seconds),
        "transcripts": given(commit=commit, folder=str(asks.absolute()) if asks else None),
    }
    config = common.read_config(library_path, flags).config
    if deep and not config.model.local:
        checked_url(config.model.name, config.model.base_url)
    common.quiet_native_libraries()
    from retrieval.library import Library

    with Library.open(library_path, state=state, uri=config.index.shared) as library:
        if not deep:
            return _evidence(question, library, config, filters, as_json)
        _confirm(question, config, library, yes=yes)
        return _deep(question, library, library_path, config, filters, as_json, strict, save, verbose)


def _deep(
    question: str,
    library: Library,
    library_path: Path,
    config: Config,
    filters: Filters,
    as_json: bool,
    strict: bool,
    save: bool,
    verbose: bool,
) -> int:
    from pinakes_ask.asking import Outcome, ask_and_record, asks_folder
    from pinakes_ask.result import exit_code, result_json
    from pinakes_ask.seams import SystemClock, UlidIds

    async def answer(watch: Watch) -> Outcome:
        model, close = _open_model(config)
        try:
            return await ask_and_record(
                question,
                searcher=library,
                library_name=library_path.resolve().name,
                model=model,
                settings=config.settings(),
                clock=SystemClock(),
                ids=UlidIds(),
                asks=asks_folder(library_path.resolve(), config.transcripts.folder, Path.cwd()) if save else None,
                commit=config.transcripts.commit,
                filters=filters,
                watch=watch,
            )
        finally:
            await close()

    with _watching(verbose) as watch:
        outcome = asyncio.run(answer(watch))
    for note in outcome.notes:
        common.notice(f"warning: {note}")
    folder = _shown(outcome.folder)
    if as_json:
        common.print_json(result_json(outcome.transcript, folder, outcome.notes))
    else:
        from pinakes_ask.cli.show import show

        show(common.console(), outcome.transcript, folder)
    return exit_code(outcome.transcript, strict=strict)


@contextmanager
def _watching(verbose: bool) -> Iterator[Watch]:
    """Yield what shows the run as it goes: lines where they are wanted, a drawing on a terminal, else nothing."""
    if verbose:
        yield lambda progress: common.notice(str(progress))
    elif sys.stderr.isatty():
        from pinakes_ask.cli.live import live_view

        with live_view(common.console(stderr=True)) as watch:
            yield watch
    else:
        yield lambda progress: None


def _evidence(question: str, library: Library, config: Config, filters: Filters, as_json: bool) -> int:
    start = time.monotonic()
    found = library.search([question], config.ask.k, filters)[0]
    seconds = time.monotonic() - start
    if as_json:
        from pinakes_ask.result import evidence_json

        worst = _worst(question, config, library)
        deep = {
            "model": config.model.name,
            "calls_at_most": worst.calls,
            "tokens_at_most": worst.usage.prompt_tokens + worst.usage.completion_tokens,
            "cost_at_most": worst.usage.cost,
        }
        common.print_json(evidence_json(found, deep=deep, seconds=seconds))
        return 0 if found.hits else 1
    from pinakes_ask.cli.show import show_evidence

    show_evidence(common.console(), found)
    if not found.hits:
        return 1
    worst = _worst(question, config, library)
    how = (
        f"answers in at most {worst.calls} steps of the extractive model, which are local and free"
        if config.model.local
        else f"asks {config.model.name} at most {_in_words(worst)}"
    )
    common.notice(f"This is evidence, not an answer. `pnk ask --deep` {how}.")
    return 0


def _open_model(config: Config) -> tuple[LanguageModel, Callable[[], Awaitable[None]]]:
    """Return the model that the configuration names, and what closes it."""
    if config.model.local:
        from pinakes_ask.models.extractive.model import ExtractiveModel

        async def nothing() -> None:
            return None

        return ExtractiveModel(), nothing
    endpoint = named_model(config.model)
    return endpoint, endpoint.aclose


def _confirm(question: str, config: Config, library: Library, *, yes: bool) -> None:
    """Show what a run can take at worst, and ask; without a terminal a flag or a budget must have said so.

    :raises UsageError: when nobody can be asked and nothing was allowed.
    """
    limits = config.budget
    bounded = any(one is not None for one in (limits.max_calls, limits.max_tokens, limits.max_cost))
    if config.model.local or yes or bounded:
        return
    worst = _in_words(_worst(question, config, library))
    asked = f"{config.model.name} at {config.model.base_url} may be asked {worst}"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "The question was not asked",
            f"{asked}, and nobody is here to agree to that",
            "Say --yes, or set a budget such as --max-calls",
        )
    typer.confirm(f"{asked}, and more where a reply cannot be read. Go on?", abort=True, err=True)


def _worst(question: str, config: Config, library: Library) -> Worst:
    """What a run can take at most. Nothing is sent for it."""
    from pinakes_ask.batch.price import worst_case
    from pinakes_ask.models.extractive.model import ExtractiveModel

    if config.model.local:
        return worst_case(question, ExtractiveModel(), config.settings(), 0)
    longest = max((len(one.text) for one in library.passages()), default=0)
    return worst_case(question, unasked_model(config.model), config.settings(), longest)


def _in_words(worst: Worst) -> str:
    tokens = worst.usage.prompt_tokens + worst.usage.completion_tokens
    cost = worst.usage.cost
    price = "an unknown cost, as [model] has no prices" if cost is None else f"a cost of at most {cost:.4f}"
    return f"{worst.calls} times, with at most {tokens:,} tokens together, at {price}"


def _only_with_deep(flags: Mapping[str, bool]) -> None:
    for flag, was_given in flags.items():
        if was_given:
            raise UsageError(
                f"{flag} does nothing here", "without --deep no answer is written", "Add --deep, or leave it out"
            )


def _shown(folder: Path | None) -> Path | None:
    """The folder as the user would type it: relative where it lies below here."""
    if folder is None:
        return None
    try:
        return folder.relative_to(Path(os.getcwd()).resolve())  # noqa: PTH109
    except ValueError:
        return folder
