"""Asking from Python: one function over everything that a question needs."""

from __future__ import annotations

import asyncio
from os import PathLike
from pathlib import Path

from pinakes_ask.asking import Outcome, ask_and_record
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.run import Watch
from pinakes_ask.seams import LanguageModel, SystemClock, UlidIds
from pinakes_ask.settings import Settings
from retrieval.protocols import Searcher
from retrieval.types import Filters


def ask(
    question: str,
    library: Searcher,
    *,
    model: LanguageModel | None = None,
    settings: Settings | None = None,
    filters: Filters | None = None,
    save_to: Path | str | None = None,
    commit: bool = False,
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Answer ``question`` from ``library``, check the answer, and return it with its whole record.

    :param library: an open :class:`retrieval.library.Library`, or any other searcher.
    :param model: the extractive model where none is given. Nothing is sent anywhere but by a model
        that sends.
    :param settings: how far the run may go. By default a named model also finds the facts of its
        answer for the check.
    :param filters: only documents that fit are searched.
    :param save_to: a folder for the transcript; None saves nothing.
    :param commit: whether the transcript is committed with git; it needs ``save_to``.
    :param watch: hears of each step.
    :raises QuestionError: for an empty or overlong question.
    :raises BudgetRefused: when the budget cannot pay for one answer.
    :raises LibraryError: when the library cannot be read, or was closed.
    :raises RuntimeError: inside a running event loop, where :func:`ask_async` serves.
    :raises TypeError: for a path or a name in place of a library or a model.
    :raises ValueError: for ``commit`` without ``save_to``, since there is nothing to commit.
    """
    if _in_event_loop():
        raise RuntimeError(
            "ask() was not run: it runs an event loop, and one is running here, as in a notebook. "
            "Use: await ask_async(...), which takes the same arguments."
        )

    async def once() -> Outcome:
        try:
            return await ask_async(
                question,
                library,
                model=model,
                settings=settings,
                filters=filters,
                save_to=save_to,
                commit=commit,
                watch=watch,
            )
        finally:
            if isinstance(model, EndpointModel):
                await model.aclose()  # its connections belong to the event loop that ends here

    return asyncio.run(once())


async def ask_async(
    question: str,
    library: Searcher,
    *,
    model: LanguageModel | None = None,
    settings: Settings | None = None,
    filters: Filters | None = None,
    save_to: Path | str | None = None,
    commit: bool = False,
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Do as :func:`ask` does, on the running event loop; a model's connections stay open."""
    _check_types(question, library, model)
    if commit and save_to is None:
        raise ValueError("commit=True does nothing: no transcript is saved. Name a folder with save_to=...")
    if settings is None:
        settings = (
            Settings() if model is None or isinstance(model, ExtractiveModel) else Settings(extractor="model")
        )
    return await ask_and_record(
        question,
        searcher=library,
        library_name=getattr(library, "name", ""),
        model=model or ExtractiveModel(),
        settings=settings,
        clock=SystemClock(),
        ids=UlidIds(),
        asks=None if save_to is None else Path(save_to),
        commit=commit,
        filters=filters,
        watch=watch,
    )


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _check_types(question: object, library: object, model: object) -> None:
    """Say what to give instead of what is most easily mistaken for it.

    :raises TypeError: when it was.
    """
    if not isinstance(question, str):
        raise TypeError(f"The question must be a text, not {type(question).__name__}.")
    if isinstance(library, (str, PathLike)):
        raise TypeError(f"A path is no open library. Use: with Library.open({str(library)!r}) as library: ...")
    if isinstance(model, str):
        raise TypeError(f"A name is no model. Use: EndpointModel(Endpoint(base_url, {model!r})).")
