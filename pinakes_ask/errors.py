"""The error tree, whole. Every error says what failed, why, and what to do.

::

    PinakesAskError                 exit 1
    ├── UsageError                  exit 2   the call is wrong: flag, key, question, path
    │   ├── ConfigError             exit 2   a configuration file or variable cannot be used
    │   ├── QuestionError           exit 2   the question is empty or far too long
    │   └── BudgetRefused           exit 2   the budget cannot pay for an answer; nothing was spent
    ├── LibraryError                         raised by retrieval
    │   ├── LibraryNotFound         exit 2   (also a UsageError)
    │   ├── EmptyLibrary            exit 2   no readable document
    │   ├── IndexMissing                     never synced
    │   ├── IndexMismatch                    built with another embedder or version
    │   ├── IndexDamaged                     truncated or inconsistent
    │   ├── IndexBusy                        another process syncs it
    │   ├── IndexUnreachable                 a shared index cannot be reached, or refuses
    │   └── ModelFileError                   a file of the embedder is missing or altered
    ├── ModelError                           a language model did not answer a task
    │   ├── ReplyUnusable                    its reply is no answer, also when asked again
    │   └── ModelRefused                     the server serves nothing to this key or by this name
    │       └── ReplayDiverged               a recorded run asks what was not recorded
    ├── BudgetSpent                          a call was not made; the run goes on to its answer
    └── TranscriptError                      a record cannot be written or read

Further branches belong to the packages that raise them: ``retrieval.errors``, ``scoring.errors``,
``transcripts.errors``, ``pinakes_ask.batch.errors`` and ``pinakes_ask.distributed.errors``.
"""

from __future__ import annotations

from retrieval.errors import (
    EmptyLibrary,
    IndexBusy,
    IndexDamaged,
    IndexMismatch,
    IndexMissing,
    IndexUnreachable,
    LibraryError,
    LibraryNotFound,
    ModelFileError,
    UsageError,
)
from retrieval.text.errors import PinakesAskError
from transcripts.errors import TranscriptError

__all__ = [
    "BudgetRefused",
    "BudgetSpent",
    "ConfigError",
    "EmptyLibrary",
    "IndexBusy",
    "IndexDamaged",
    "IndexMismatch",
    "IndexMissing",
    "IndexUnreachable",
    "LibraryError",
    "LibraryNotFound",
    "ModelError",
    "ModelFileError",
    "ModelRefused",
    "PinakesAskError",
    "QuestionError",
    "ReplayDiverged",
    "ReplyUnusable",
    "TranscriptError",
    "UsageError",
]


class ConfigError(UsageError):
    """A configuration file or variable holds something that cannot be used."""


class QuestionError(UsageError):
    """The question is empty, or longer than any question."""


class BudgetRefused(UsageError):
    """The budget cannot pay for one answer, so nothing was spent."""


class ModelError(PinakesAskError):
    """A language model did not answer a task."""


class ReplyUnusable(ModelError):
    """A reply could not be used, also after the model was told why."""


class ModelRefused(ModelError):
    """The key was rejected, its quota is used up, or there is no such model: no task can be answered."""


class ReplayDiverged(ModelRefused):
    """A replayed run asked for something that the record does not hold, so that no further task has a reply."""


class BudgetSpent(PinakesAskError):
    """The next call's worst case does not fit what is left, so it was not made."""
