"""Where settings come from: flags, ``PNK_ASK_*`` variables, ``pinakes-ask.toml``, the user's file, defaults.

Files are found, never written, here. A key that nobody reads is an error that names it: a typo
must not leave somebody on a default without a word.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pinakes_ask.budget import Limits
from pinakes_ask.config_file import find_file
from pinakes_ask.errors import ConfigError
from pinakes_ask.settings import Extractor, LoopSettings, Settings

#: The model that ships: local and free.
EXTRACTIVE = "extractive"
ENV_PREFIX = "PNK_ASK_"
#: Settings that are true of one model only; its server and the server's limits may serve another.
_OF_ONE_MODEL = frozenset({"prompt_price", "completion_price", "context_window", "thinking_tokens"})
#: Variables with the prefix that are no settings.
_OTHER_VARIABLES = frozenset({"PNK_ASK_KB", "PNK_ASK_API_KEY", "PNK_ASK_DATA"})


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskSection(_Section):
    """``[ask]``: how far a run may go."""

    k: int = Field(default=5, ge=1, le=100)
    max_rounds: int = Field(default=3, ge=1, le=20)
    max_nodes: int = Field(default=8, ge=1, le=50)
    max_grown: int = Field(default=3, ge=0, le=50)
    memory_tokens: int = Field(default=250, ge=20, le=10_000)
    write_tokens: int = Field(default=6000, ge=200, le=1_000_000)
    max_repairs: int = Field(default=1, ge=0, le=3)
    force_answer: bool = False
    check: Extractor = "model"


class ModelSection(_Section):
    """``[model]``: the extractive model, or one behind a server that speaks chat completions.

    Prices are for a million tokens; without both, a run's cost is unknown. The limits hold for all runs
    of one command together. ``context_window`` is what prompt and reply may take together,
    ``thinking_tokens`` the room that each reply has for thinking.
    """

    name: str = Field(default=EXTRACTIVE, min_length=1)
    base_url: str | None = None
    prompt_price: float | None = Field(default=None, ge=0)
    completion_price: float | None = Field(default=None, ge=0)
    timeout: float = Field(default=180.0, gt=0)
    concurrency: int = Field(default=4, ge=1, le=64)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    context_window: int | None = Field(default=None, ge=1000)
    thinking_tokens: int = Field(default=1000, ge=0, le=1_000_000)

    @property
    def local(self) -> bool:
        """Whether no server is asked."""
        return self.name == EXTRACTIVE


class IndexSection(_Section):
    """``[index]``: on the local disk, or in tables that several machines share."""

    backend: Literal["local", "lance"] = "local"
    uri: str | None = Field(default=None, min_length=1)

    @property
    def shared(self) -> str | None:
        """Where the shared tables lie, None where the index is local.

        :raises ConfigError: they are to be used, and nothing says where they lie.
        """
        if self.backend == "local":
            return None
        if self.uri is None:
            raise ConfigError(
                "The index cannot be opened",
                "[index] backend is lance, and no uri says where its tables lie",
                'Set uri in the section [index], such as "s3://bucket/folder"',
            )
        return self.uri


class BudgetSection(_Section):
    """``[budget]``: what one run may take; absent is no limit."""

    max_calls: int | None = Field(default=None, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost: float | None = Field(default=None, ge=0)
    max_seconds: float | None = Field(default=None, gt=0)


class TranscriptsSection(_Section):
    """``[transcripts]``: where records go, and whether they are committed."""

    commit: bool = False
    folder: str = Field(default="asks", min_length=1)


class BatchSection(_Section):
    """``[batch]``: what all batches of a library may take together, by the calendar in UTC; absent is no limit."""

    max_calls_per_day: int | None = Field(default=None, ge=1)
    max_tokens_per_day: int | None = Field(default=None, ge=1)
    max_cost_per_day: float | None = Field(default=None, ge=0)
    max_calls_per_month: int | None = Field(default=None, ge=1)
    max_tokens_per_month: int | None = Field(default=None, ge=1)
    max_cost_per_month: float | None = Field(default=None, ge=0)

    def day(self) -> Limits:
        """Return what the batches of a day may take."""
        return Limits(self.max_calls_per_day, self.max_tokens_per_day, self.max_cost_per_day)

    def month(self) -> Limits:
        """Return what the batches of a month may take."""
        return Limits(self.max_calls_per_month, self.max_tokens_per_month, self.max_cost_per_month)


class Config(_Section):
    """Everything that can be configured."""

    ask: AskSection = AskSection()
    index: IndexSection = IndexSection()
    model: ModelSection = ModelSection()
    budget: BudgetSection = BudgetSection()
    batch: BatchSection = BatchSection()
    transcripts: TranscriptsSection = TranscriptsSection()

    def settings(self) -> Settings:
        """Return what a run takes of it."""
        return Settings(
            loop=LoopSettings(**self.ask.model_dump(exclude={"check"})),
            limits=Limits(
                calls=self.budget.max_calls,
                tokens=self.budget.max_tokens,
                cost=self.budget.max_cost,
                seconds=self.budget.max_seconds,
            ),
            # The extractive model reads answers by the same rules.
            extractor="rules" if self.model.local else self.ask.check,
        )


@dataclass(frozen=True)
class Loaded:
    """A configuration, and for each ``section.key`` that is no default where it was set."""

    config: Config
    sources: dict[str, str] = field(default_factory=dict)


def load_config(
    start: Path,
    *,
    environment: Mapping[str, str],
    user_file: Path,
    flags: Mapping[str, Mapping[str, Any]] | None = None,
) -> Loaded:
    """Read the configuration for a library.

    :param start: the library; ``pinakes-ask.toml`` is looked for there, then in the folders above.
    :param user_file: the user's own file, which may be absent.
    :param flags: ``{section: {key: value}}`` as given on the command line.
    :raises ConfigError: naming the file or variable, the key, and what is wrong with it.
    """
    layers: list[tuple[str, dict[str, dict[str, Any]]]] = []
    if user_file.is_file():
        layers.append((str(user_file), _read_file(user_file)))
    nearest = find_file(start)
    if nearest is not None:
        layers.append((str(nearest), _read_file(nearest)))
    layers += [(name, {section: {key: value}}) for name, section, key, value in _variables(environment)]
    layers.append(("the command line", {name: dict(values) for name, values in (flags or {}).items()}))
    merged: dict[str, dict[str, Any]] = {}
    sources: dict[str, str] = {}
    for source, layer in layers:
        _validate(source, layer)
        _forget_other_model(merged, sources, layer)
        for section, values in layer.items():
            merged.setdefault(section, {}).update(values)
            sources.update({f"{section}.{key}": source for key in values})
    return Loaded(_validate("the configuration", merged), sources)


def _forget_other_model(
    merged: dict[str, dict[str, Any]], sources: dict[str, str], layer: Mapping[str, Mapping[str, Any]]
) -> None:
    """Drop what was said of another model than the one that ``layer`` names."""
    known, named = merged.get("model", {}), layer.get("model", {}).get("name")
    if named is not None and named != known.get("name", named):
        for key in _OF_ONE_MODEL & known.keys():
            del known[key]
            sources.pop(f"model.{key}", None)


def _read_file(file: Path) -> dict[str, dict[str, Any]]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file} cannot be read", str(error).strip(), "Correct the file") from error
    loose = [key for key, value in data.items() if not isinstance(value, dict)]
    if loose:
        raise ConfigError(
            f"{file} cannot be used",
            f"the key {loose[0]!r} stands outside a section",
            "Move it under [ask] or another",
        )
    return data


def _variables(environment: Mapping[str, str]) -> list[tuple[str, str, str, Any]]:
    """``(variable, section, key, value)`` of every setting in the environment: the model, then by name."""
    known = {
        _variable(section, key): (section, key)
        for section, model in Config.model_fields.items()
        for key in (model.annotation.model_fields if isinstance(model.annotation, type) else {})
    }
    found: list[tuple[str, str, str, Any]] = []
    for name in sorted(environment, key=lambda name: (name != _variable("model", "name"), name)):
        if not name.startswith(ENV_PREFIX) or name in _OTHER_VARIABLES:
            continue
        if name not in known:
            raise ConfigError(
                f"The variable {name} cannot be used",
                "no setting has this name",
                f"Unset it, or use one of {', '.join(sorted(known))}",
            )
        section, key = known[name]
        found.append((name, section, key, environment[name]))
    return found


def _variable(section: str, key: str) -> str:
    """The variable of a setting: the key's own name, but for the model's."""
    return f"{ENV_PREFIX}{'MODEL' if (section, key) == ('model', 'name') else key.upper()}"


def _validate(source: str, layer: Mapping[str, Any]) -> Config:
    try:
        return Config.model_validate(layer)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            section = Config.model_fields.get(str(first["loc"][0])) if len(first["loc"]) > 1 else None
            names = section.annotation.model_fields if section else Config.model_fields  # type: ignore[union-attr]
            raise ConfigError(
                f"The setting {key!r} in {source} cannot be used",
                "there is no such key",
                f"Remove it, or use one of {', '.join(names)}",
            ) from error
        raise ConfigError(
            f"The setting {key!r} in {source} cannot be used",
            first["msg"][0].lower() + first["msg"][1:],
            "Correct its value",
        ) from error
