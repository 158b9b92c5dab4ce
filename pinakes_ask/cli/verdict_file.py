"""Files of answers and of verdicts: read, continued after an interruption, and written line by line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from pinakes_ask.cli import common
from retrieval.errors import UsageError


@contextmanager
def opened(file: str) -> Iterator[TextIO]:
    """Open a file of answers; ``-`` is standard input.

    :raises UsageError: when it cannot be opened.
    """
    if file == "-":
        yield sys.stdin
        return
    try:
        with Path(file).open(encoding="utf-8", errors="replace") as lines:
            yield lines
    except OSError as error:
        raise UsageError(
            f"Cannot read {file}", error.strerror or "it cannot be opened", "Name a file of answers"
        ) from None


def read_done(out: Path, *, again: bool) -> dict[str, Mapping[str, Any]]:
    """The verdicts that an interrupted run left; a line cut off at the end is scored again.

    With ``again`` failed extractions are taken out of the file too: a model may have been out of reach.
    """
    if not out.exists():
        return {}
    raw = out.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    if len(whole) < len(raw):
        common.notice(f"warning: {out}: the last line was cut off and is scored again")
        with out.open("r+b") as file:
            file.truncate(len(whole))
    try:
        records = [json.loads(line) for line in whole.decode("utf-8").splitlines() if line.strip()]
        kept = [one for one in records if not (again and one["class"] == "extraction_failed")]
        if len(kept) < len(records):
            common.notice(f"{out}: {len(records) - len(kept)} failed extractions are tried again")
            _replace(out, kept)
        return {str(record["id"]): record for record in kept}
    except (ValueError, KeyError, TypeError):
        raise UsageError(
            f"Cannot continue {out}", "it holds something else than verdicts", "Name another file"
        ) from None


def _replace(out: Path, records: list[Mapping[str, Any]]) -> None:
    """Write the file anew; killed at any point, it is the old one or the new one."""
    beside = out.with_name(out.name + ".new")
    beside.write_text("".join(_line(record) + "\n" for record in records), encoding="utf-8")
    beside.replace(out)


@contextmanager
def verdict_stream(out: Path | None, *, silent: bool) -> Iterator[Any]:
    """Yield what writes one verdict: to the end of ``out``, else to standard output unless ``silent``.

    :raises UsageError: when the file cannot be written.
    """
    if out is None:
        yield (lambda record: None) if silent else lambda record: common.print_result(_line(record))
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("a", encoding="utf-8") as file:

            def write(record: Mapping[str, Any]) -> None:
                file.write(_line(record) + "\n")
                file.flush()

            yield write
    except OSError as error:
        raise UsageError(
            f"Cannot write {out}", error.strerror or "it cannot be opened", "Name another file"
        ) from None


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False)
