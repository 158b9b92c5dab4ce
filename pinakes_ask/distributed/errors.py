"""What only work on a cluster can fail at.

::

    PinakesAskError                 exit 1
    ├── UsageError                  exit 2
    │   └── ClusterUnusable         exit 2   it cannot be reached, or a machine of it cannot do the work; nothing
    │                                        was asked
    └── BatchError
        └── NoWorkerLeft                     all workers were lost; a rerun goes on from there
"""

from __future__ import annotations

from pinakes_ask.batch.errors import BatchError
from retrieval.errors import UsageError


class ClusterUnusable(UsageError):
    """A cluster cannot be reached, or one of its machines cannot do the work. Nothing was asked."""


class NoWorkerLeft(BatchError):
    """Every worker was lost, and none came in its place."""
