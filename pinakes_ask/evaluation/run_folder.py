"""The folder of a run: what it was made from, its answers, and what was measured of them.

::

    run.json          the settings, versions and fingerprint
    corpus.jsonl      the questions' own paragraphs, where no corpus was named
    answers.jsonl     rows of ``pnk batch``, where a model was run
    asks/             their transcripts
    judged.jsonl      judgements of a model, where one judged
    measured.jsonl    the values of all metrics for each question; there once the run has ended
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pinakes_ask import __version__
from pinakes_ask.evaluation.measured import Measured, read_measured, write_measured
from retrieval.errors import UsageError
from transcripts.record import canonical

SCHEMA_VERSION = 1
RUN, ANSWERS, ASKS, JUDGED, MEASURED = "run.json", "answers.jsonl", "asks", "judged.jsonl", "measured.jsonl"
#: What figures depend on besides our own code.
_PACKAGES = ("numpy", "scipy", "faiss-cpu", "onnxruntime", "spacy", "bm25s")


@dataclass(frozen=True)
class RunInfo:
    """What a run was made from.

    :param dataset: name, sha256 and number of questions of the whole set.
    :param corpus: name, number of documents, and the sha256 of all of them.
    :param answers: name and sha256 of the file of answers; None where a model was run.
    :param model: the model that was run, None where answers were read.
    :param judge: the model that judged, with the version of its prompt; None where none did.
    :param settings: of the ask loop, as far as it was run.
    """

    dataset: dict[str, Any]
    corpus: dict[str, Any]
    answers: dict[str, str] | None
    model: str | None
    judge: dict[str, str] | None
    settings: dict[str, Any]
    limit: int | None
    seed: int
    created: str
    versions: dict[str, str] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION

    @property
    def fingerprint(self) -> str:
        """What stands for everything that the answers depend on, besides versions."""
        return hashlib.sha256(canonical(self.identity()).encode()).hexdigest()[:12]

    def identity(self) -> dict[str, Any]:
        """Return everything that two starts of one run have in common."""
        return {key: value for key, value in asdict(self).items() if key not in ("created", "versions")}

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, the fingerprint among them."""
        return {**asdict(self), "fingerprint": self.fingerprint}


@dataclass(frozen=True)
class RunFolder:
    """A run as it lies on the disk."""

    path: Path

    @property
    def answers(self) -> Path:
        """The rows of the model that was run."""
        return self.path / ANSWERS

    @property
    def asks(self) -> Path:
        """Their transcripts."""
        return self.path / ASKS

    @property
    def judged(self) -> Path:
        """The judgements of a model."""
        return self.path / JUDGED

    def begin(self, info: RunInfo) -> None:
        """Make the folder for a run, or take up the same run that lies there.

        :raises UsageError: when another run lies there, or it cannot be written.
        """
        file = self.path / RUN
        if file.exists():
            old = self.info()
            differ = [name for name, value in info.identity().items() if old.identity()[name] != value]
            if differ:
                raise UsageError(
                    f"The run in {self.path} cannot be taken up",
                    f"it was made with another {differ[0]}{_change(old, info, differ[0])}",
                    "Name another folder with --out",
                )
            return
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if any(
                one.name not in (RUN, "corpus.jsonl", "corpus.jsonl.pinakes-ask") for one in self.path.iterdir()
            ):
                raise UsageError(
                    f"The run cannot go to {self.path}", "the folder holds something else", "Name an empty folder"
                )
            draft = file.with_name(f".{RUN}.draft")
            text = json.dumps(info.to_json(), ensure_ascii=False, indent=2, allow_nan=False)
            draft.write_text(text + "\n", encoding="utf-8")
            draft.replace(file)
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(f"The run cannot go to {self.path}", why, "Name another folder with --out") from error

    def finish(self, rows: list[Measured]) -> None:
        """Write what was measured.

        :raises UsageError: when it cannot be written.
        """
        try:
            write_measured(rows, self.path / MEASURED)
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(
                f"The run in {self.path} cannot be written", why, "Free its disk and rerun"
            ) from error

    def info(self) -> RunInfo:
        """Return what the run was made from.

        :raises UsageError: when the folder is none of a run.
        """
        file = self.path / RUN
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            data.pop("fingerprint", None)
            return _INFO.validate_python(data)
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(f"Cannot read {file}", why, "Name the folder of a run of pnk eval") from error
        except (ValueError, AttributeError, RecursionError) as error:
            why = f"it describes no run ({type(error).__name__})"
            raise UsageError(f"Cannot read {file}", why, "Name the folder of a run of pnk eval") from error

    def measured(self) -> list[Measured]:
        """Return what was measured.

        :raises UsageError: when the run has not ended, or its file cannot be read.
        """
        file = self.path / MEASURED
        if not file.exists() and (self.path / RUN).exists():
            raise UsageError(
                f"The run in {self.path} has not ended",
                f"it holds no {MEASURED}",
                "Run its command again to go on",
            )
        return read_measured(file)


def versions() -> dict[str, str]:
    """Return the versions of what computes figures; a package that is not there is left out."""
    found = {"python": platform.python_version(), "pinakes-ask": __version__}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _change(old: RunInfo, new: RunInfo, name: str) -> str:
    """Say what a small difference is."""
    before, after = (canonical(one.identity()[name]) for one in (old, new))
    return f" ({before} there, {after} here)" if len(before) + len(after) < 200 else ""


_INFO: TypeAdapter[RunInfo] = TypeAdapter(RunInfo)


def settings_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as plain JSON values."""
    plain: dict[str, Any] = json.loads(canonical(dict(settings)))
    return plain
