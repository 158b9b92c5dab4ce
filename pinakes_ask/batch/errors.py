"""What only a batch can fail at.

::

    PinakesAskError                 exit 1
    ├── UsageError                  exit 2
    │   └── QuestionsUnusable       exit 2   lines of the questions cannot be asked; nothing was spent
    ├── BatchError                           the batch ended early; a rerun goes on from there
    │   ├── BatchRunning            exit 0   another batch writes to the same answers
    │   ├── AnswersUnwritable                a row could not be written, such as on a full disk
    │   └── LedgerError                      the account of the library's batches cannot be used
    ├── RunLost                              the worker that a run was on was lost
    └── Stopped                              a call was not made, since the batch was told to stop
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.errors import UsageError
from retrieval.text.errors import PinakesAskError


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be asked, counted from 1, and why."""

    line: int
    why: str


class QuestionsUnusable(UsageError):
    """Some lines of the questions cannot be asked. ``lines`` are all of them."""

    def __init__(self, source: str, lines: Sequence[BadLine], do: str) -> None:
        count = len(lines)
        first = f"line {lines[0].line}: {lines[0].why}"
        why = first if count == 1 else f"{count} lines cannot be asked, the first is {first}"
        super().__init__(f"The questions in {source} were not asked", why, do)
        self.lines = tuple(lines)


class BatchError(PinakesAskError):
    """A batch ended before its questions did. What it has is kept, and a rerun goes on from there."""


class BatchRunning(BatchError):
    """Another batch writes to the same answers."""

    exit_code = 0


class AnswersUnwritable(BatchError):
    """A row could not be written, so no further question is asked."""


class LedgerError(BatchError):
    """The account that the library's batches share cannot be used."""


class Stopped(PinakesAskError):
    """A call was not made, since the batch was told to stop; what the run has lies in its checkpoint."""


class RunLost(PinakesAskError):
    """The worker that a run was on was lost. What the run had lies in its checkpoint, and can be taken up."""
