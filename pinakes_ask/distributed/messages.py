"""What the process that writes and a worker say to each other about one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pinakes_ask.batch.ledger import Total
from pinakes_ask.recording import Heading
from retrieval.text.errors import PinakesAskError


@dataclass(frozen=True)
class Sent:
    """A run to bring to its end.

    :param allowance: what it may take; None for no limit but the run's own.
    :param checkpoint: what the run has already, the JSON of a transcript; empty for a new run.
    """

    question: str
    heading: Heading
    allowance: Total | None
    checkpoint: str = ""

    @property
    def run(self) -> str:
        """The run's id."""
        return self.heading.run_id


@dataclass(frozen=True)
class Kept:
    """What a run has so far, after a call of the model. The run waits until it is told to go on.

    :param transcript: the JSON of a transcript, sealed, so that it is written as it stands.
    :param spent: what the run took of its allowance; no call is under way.
    """

    transcript: str
    spent: Total


@dataclass(frozen=True)
class Ended:
    """A run that ended. ``path`` is what its ``path.json`` holds."""

    transcript: str
    path: dict[str, Any]
    spent: Total


@dataclass(frozen=True)
class Failed:
    """A question of which there is no run to make a record of."""

    error: PinakesAskError
    spent: Total


Event = Kept | Ended | Failed
