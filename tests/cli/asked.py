"""A library that was asked a few questions, and how its transcripts are read in tests."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from pinakes_ask.cli.app import run
from tests.cli.pnk import Ran
from transcripts.record import Transcript
from transcripts.store import load

TWO_HOPS = "Where was the composer of The Lantern Suite born?"
PLANNED = "Who took over as principal keeper from the father of Elspeth Carrow?"
NOTHING = "Who was the mother of the astronomer Theodora Quist?"
COMPARED = "Who was born earlier, Elspeth Carrow or Theodora Quist?"
SUMMARY_KEYS = {
    "id", "folder", "created", "question", "model", "status", "stop_reason", "short_answer", "completeness",
    "essentiality", "determinateness", "class", "confidence", "unsupported", "calls", "prompt_tokens",
    "completion_tokens", "cost", "seconds", "fingerprint", "reasons", "chain", "review", "reviewer", "note",
}  # fmt: skip


def transcripts(library: Path, *arguments: object) -> Ran:
    """Run one of the commands. It is done in this process, since there are many of them."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run(["transcripts", str(arguments[0]), "--kb", str(library), *map(str, arguments[1:])])
    return Ran(code, out.getvalue(), err.getvalue())


def runs(library: Path, *flags: object) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = transcripts(library, "list", "--json", *flags).json()["runs"]
    return listed


def folder_of(library: Path, question: str) -> Path:
    (found,) = [one for one in runs(library) if one["question"] == question]
    return library / "asks" / found["folder"]


def changed(folder: Path, **changes: Any) -> Transcript:
    """Write another record of the same run, sealed, in place of the first."""
    record = load(folder).model_copy(update=changes).sealed()
    (folder / "transcript.json").write_text(record.to_json(), encoding="utf-8")
    return record
