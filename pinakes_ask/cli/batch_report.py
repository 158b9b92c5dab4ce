"""What a batch says: to the terminal, to a log, and as a summary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from pinakes_ask.batch.tally import MEASURES, STATUSES
from pinakes_ask.cli import common
from retrieval.errors import UsageError
from transcripts.escape import one_line

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Report:
    """Says things to standard error, and everything to a log. Use it as a context manager.

    :param quiet: only what was not as it should be goes to standard error.
    """

    def __init__(self, *, quiet: bool, verbose: bool, log_file: Path | None, summary: Path | None) -> None:
        """Open the log, and see that a summary can be written.

        :raises UsageError: when either cannot.
        """
        self.quiet = quiet
        self._verbose = verbose
        self._summary = summary
        self._log: TextIO | None = None
        file = log_file
        try:
            if log_file is not None:
                self._log = log_file.open("a", encoding="utf-8")
            file = summary
            if summary is not None:
                summary.open("a", encoding="utf-8").close()
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(f"{file} cannot be written", why, "Name another file") from error

    def say(self, text: str, *, always: bool = False) -> None:
        """Say something to the log, and to standard error unless that is to be quiet."""
        self.log(text)
        if always or not self.quiet:
            common.notice(text)

    def event(self, text: str) -> None:
        """Say how a question ended, to standard error where every step is wanted."""
        self.log(text)
        if self._verbose:
            common.notice(text)

    def log(self, text: str) -> None:
        """Say something to the log alone."""
        if self._log is not None:
            self._log.write("".join(f"{_now()} {one_line(line)}\n" for line in text.splitlines()))
            self._log.flush()

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write the summary to its file, where one was named."""
        if self._summary is None:
            return
        text = json.dumps(dict(summary), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        try:
            self._summary.write_text(text, encoding="utf-8")
        except OSError as error:
            self.say(f"warning: The summary was not written: {error.strerror or error}.", always=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.log(f"ended: {error}")
        if self._log is not None:
            self._log.close()


def in_one_line(summary: Mapping[str, Any]) -> str:
    """Return the summary of a start on one line; where nothing was asked, that of the rows there are."""
    start, skipped = summary["start"], summary["skipped"]
    if not start["rows"] and not skipped["left"]:
        total = summary["total"]
        return f"{counted(summary['questions'])}, nothing to ask: {_ends(total)}; {_means(total)}"
    left = f", {skipped['left']} left ({summary['why']})" if skipped["left"] else ""
    usage = start["usage"]
    cost = "at an unknown cost" if usage["cost"] is None else f"cost {usage['cost']:.4f}"
    return (
        f"{counted(summary['questions'])}: {_ends(start)}, {skipped['had_a_row']} had a row{left}; "
        f"{usage['calls']} calls, {usage['prompt_tokens'] + usage['completion_tokens']} tokens, {cost}; "
        f"{_means(start)}; {summary['seconds']:.1f} s"
    )


def counted(questions: int) -> str:
    """Return a number of questions in words."""
    return f"{questions} question{'' if questions == 1 else 's'}"


def read_duration(text: str) -> float:
    """Read ``90``, ``90s``, ``30m``, ``1.5h`` as seconds.

    :raises UsageError: when it is nothing of the kind.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd]?)", text.strip().lower())
    if found is None or float(found[1]) <= 0:
        raise UsageError("Cannot read --deadline", f"{text!r} is no time span", "Write it like 90s, 30m or 6h")
    return float(found[1]) * _UNITS[found[2]]


def _ends(tally: Mapping[str, Any]) -> str:
    return ", ".join(f"{tally[status]} {status.replace('_', ' ')}" for status in STATUSES)


def _means(tally: Mapping[str, Any]) -> str:
    return ", ".join(_mean(name, tally["score"][name]) for name in MEASURES)


def _mean(name: str, measure: Mapping[str, Any]) -> str:
    letter, mean = name[0].upper(), measure["mean"]
    if mean is None:
        return f"{letter} not measured"
    return f"{letter} {mean:.2f} ({measure['measured']} of {measure['measured'] + measure['not_applicable']})"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
