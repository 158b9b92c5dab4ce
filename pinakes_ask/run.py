"""What a run is: its question, all that it has learned, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pinakes_ask.answer import Answer
from pinakes_ask.budget import Budget
from pinakes_ask.check import Report
from pinakes_ask.errors import QuestionError
from pinakes_ask.evidence import Evidence
from pinakes_ask.metered import Exchange
from pinakes_ask.plan import Plan
from retrieval.text import clean
from retrieval.types import Confidence

StopReason = Literal[
    "sufficient",
    "answered",
    "plan_exhausted",
    "round_cap",
    "budget",
    "deadline",
    "no_evidence",
    "interrupted",
]
Status = Literal["answered", "partial", "no_evidence", "failed"]
#: Stops that a bound forced on the run: its answer is the best so far.
BOUNDED: frozenset[StopReason] = frozenset({"round_cap", "budget", "deadline", "interrupted"})

#: Longest question taken, in characters; longer text is a document, not a question.
MAX_QUESTION = 4000


@dataclass
class Round:
    """One rank, as it was asked and found."""

    asked: list[tuple[int, str]]
    retrieved: dict[int, tuple[int, ...]]
    memory: str = ""
    missing: tuple[str, ...] = ()
    grown: tuple[int, ...] = ()


@dataclass
class Run:
    """All that a run has, at any moment. ``gap`` is what a repair looks for, ``unread`` the passages it found."""

    question: str
    evidence: Evidence = field(default_factory=Evidence)
    confidence: Confidence = field(default_factory=lambda: Confidence(None, "nothing was searched"))
    plan: Plan | None = None
    rounds: list[Round] = field(default_factory=list)
    unread: tuple[int, ...] = ()
    gap: str = ""
    memory: str = ""
    answer: Answer = field(default_factory=Answer)
    report: Report | None = None
    before_repair: tuple[Answer, Report] | None = None
    stop_reason: StopReason = "no_evidence"
    failure: str = ""
    warnings: list[str] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)

    @property
    def status(self) -> Status:
        """How the run ended, for its user."""
        if self.failure and not self.answer.statements:
            return "failed"
        if self.stop_reason == "no_evidence":
            return "no_evidence"
        if self.failure or self.stop_reason in BOUNDED or self.answer.short_answer is None:
            return "partial"
        return "answered"


@dataclass(frozen=True)
class Progress:
    """A moment of a run: what has just begun or ended, in a line, and the run and its account as they are."""

    text: str
    run: Run
    budget: Budget

    def __str__(self) -> str:
        return self.text


#: Hears of each step of a run.
Watch = Callable[[Progress], None]


def check_question(question: str) -> str:
    """Return the question with its white space folded.

    :raises QuestionError: when it is empty or longer than :data:`MAX_QUESTION` characters.
    """
    folded = " ".join(clean(question).split())
    if "\ufffd" in folded:
        raise QuestionError("The question cannot be read", "it holds bytes that are no UTF-8", "Write it as UTF-8")
    if not any(char.isalnum() for char in folded):
        raise QuestionError("There is no question", "it holds no word", "Write one, in quotation marks")
    if len(folded) > MAX_QUESTION:
        raise QuestionError(
            "The question is too long",
            f"it has {len(folded):,} characters and the limit is {MAX_QUESTION:,}",
            "Ask one question; put longer text into a document of the library",
        )
    return folded
