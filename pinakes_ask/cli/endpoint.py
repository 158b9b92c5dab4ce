"""Naming a language model on the command line. Nothing is sent anywhere, and no key read, without --model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import typer

from pinakes_ask.cli.common import read_config
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.budget import Budget
    from pinakes_ask.config import ModelSection
    from pinakes_ask.models.endpoint.client import EndpointModel
    from pinakes_ask.models.endpoint.extraction import BudgetedExtraction

T = TypeVar("T")
CaseT = TypeVar("CaseT")
KEYS = ("PNK_ASK_API_KEY", "OPENAI_API_KEY")

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        show_default=False,
        help="A language model, by its name on its server. The key is read from PNK_ASK_API_KEY, "
        "then OPENAI_API_KEY.",
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        show_default=False,
        help="The model's server, any that speaks chat completions, such as http://127.0.0.1:8080/v1.",
    ),
]
MaxCallsOption = Annotated[
    int | None,
    typer.Option("--max-calls", min=1, show_default=False, help="Make at most so many calls to the model."),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, max=64, show_default="4", help="Calls to the model at once.")
]


@dataclass(frozen=True)
class ModelSession:
    """A named model within its budget, on an event loop of its own."""

    name: str
    base_url: str
    jobs: int
    extraction: BudgetedExtraction
    budget: Budget
    runner: asyncio.Runner

    def run(self, asked: Coroutine[Any, Any, T]) -> T:
        """Bring a coroutine to its end."""
        return self.runner.run(asked)

    def raise_if_refused(self) -> None:
        """End the command where no call can succeed.

        :raises ModelRefused: when the server serves nothing to this key or by this name.
        """
        if self.extraction.refused is not None:
            raise self.extraction.refused

    def checked(self, step: Callable[[CaseT], T]) -> Callable[[CaseT], T]:
        """Return ``step`` so that it ends the command where the model is refused."""

        def checked_step(case: CaseT) -> T:
            done = step(case)
            self.raise_if_refused()
            return done

        return checked_step

    def usage(self) -> dict[str, Any]:
        """Return what was taken so far, as JSON values; a cost that is not known is None."""
        spent = self.budget.spent
        return {
            "name": self.name,
            "base_url": self.base_url,
            "calls": self.budget.calls,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "estimated": spent.estimated,
            "cost": spent.cost,
        }

    def summary(self) -> str:
        """Return what was taken so far, in words."""
        used = self.usage()
        about = "about " if used["estimated"] else ""
        cost = "an unknown cost" if used["cost"] is None else f"a cost of {used['cost']:.4f}"
        return (
            f"{self.name}: {used['calls']} calls, {about}{used['prompt_tokens']:,} tokens sent and "
            f"{used['completion_tokens']:,} received, at {cost}"
        )


@contextmanager
def model_session(
    model: str | None, base_url: str | None, *, max_calls: int | None = None, jobs: int | None = None
) -> Iterator[ModelSession | None]:
    """Open the model that was named, with what the configuration says of it and its server; None where none was.

    :raises UsageError: when the flags do not belong together, or the server or key cannot be used.
    """
    if model is None:
        for flag, value in (("--base-url", base_url), ("--max-calls", max_calls), ("--jobs", jobs)):
            if value is not None:
                raise UsageError(f"{flag} cannot be used", "no model was named", "Name one with --model")
        yield None
        return
    from pinakes_ask.budget import Budget, Limits
    from pinakes_ask.metered import MeteredModel
    from pinakes_ask.models.endpoint.extraction import BudgetedExtraction
    from pinakes_ask.seams import SystemClock

    given = {"name": model, "base_url": base_url, "concurrency": jobs}
    flags = {"model": {key: value for key, value in given.items() if value is not None}}
    named = read_config(Path.cwd(), flags).config.model
    endpoint = named_model(named)
    budget = Budget(Limits(calls=max_calls), SystemClock())
    extraction = BudgetedExtraction(MeteredModel(endpoint, budget))
    url = (named.base_url or "").rstrip("/")
    with asyncio.Runner() as runner:
        try:
            yield ModelSession(model, url, named.concurrency, extraction, budget, runner)
        finally:
            runner.run(endpoint.aclose())


def named_model(named: ModelSection) -> EndpointModel:
    """Return the model that a configuration names, with its key from the environment. Close it in the end.

    :raises UsageError: when its server or key cannot be used.
    """
    return _model(named, checked_url(named.name, named.base_url), read_key())


def unasked_model(named: ModelSection) -> EndpointModel:
    """Return the model that a configuration names, without a key, to tell what tasks would take at worst."""
    return _model(named, named.base_url or "", None)


def _model(named: ModelSection, url: str, key: str | None) -> EndpointModel:
    from pinakes_ask.models.endpoint.client import EndpointModel
    from pinakes_ask.models.endpoint.transport import Endpoint

    return EndpointModel(
        Endpoint(
            url,
            named.name,
            key,
            timeout=named.timeout,
            concurrency=named.concurrency,
            requests_per_minute=named.requests_per_minute,
            tokens_per_minute=named.tokens_per_minute,
            context_window=named.context_window,
            thinking_tokens=named.thinking_tokens,
            prompt_price=named.prompt_price,
            completion_price=named.completion_price,
        )
    )


def checked_url(model: str, base_url: str | None) -> str:
    """Return the server's address.

    :raises UsageError: when none was given, or it is no plain http address.
    """
    if not model.strip():
        raise UsageError("No model can be asked", "--model is empty", "Give the model's name on its server")
    if base_url is None:
        raise UsageError(
            f"The model {model!r} cannot be asked",
            "its server was not named",
            "Name it with --base-url, such as http://127.0.0.1:8080/v1",
        )
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or parts.username or parts.password:
        # Not repeated: it may hold a password.
        raise UsageError(
            "The server of --base-url cannot be asked",
            "it is no plain http or https address",
            "Write it like https://host/v1, and the key into PNK_ASK_API_KEY",
        )
    return base_url.rstrip("/")


def read_key() -> str | None:
    """Return the key from the environment, the project's own variable first; None where there is none."""
    for name in KEYS:
        key = os.environ.get(name, "").strip()
        if key:
            if not (key.isascii() and key.isprintable()):
                raise UsageError(f"The key in {name} cannot be used", "it holds odd characters", "Copy it anew")
            return key
    return None
