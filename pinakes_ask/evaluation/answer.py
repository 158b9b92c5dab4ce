"""An answer to be measured, whichever engine gave it and in whatever form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pinakes_ask.evaluation.documents import Source
from scoring.types import Extraction

#: What a question took. Each is None where the answers do not say.
USAGE = ("calls", "prompt_tokens", "completion_tokens", "cost", "seconds")
#: The measures of LogicScore, anchored at the answer's own short answer.
MEASURES = ("completeness", "essentiality", "determinateness")


@dataclass(frozen=True)
class Cited:
    """A citation: the document, and the sentence quoted from it, None where only the document is named."""

    source: Source
    quote: str | None = None


@dataclass(frozen=True)
class Said:
    """One statement of a long answer, with what it cites."""

    text: str
    citations: tuple[Cited, ...] = ()


@dataclass(frozen=True)
class Scores:
    """LogicScore as a file of answers gives it: the measures, and why one is None."""

    values: Mapping[str, float | None]
    failure_class: str | None


@dataclass(frozen=True)
class Answer:
    """What an engine answered to one question.

    :param short: None where it gave no short answer.
    :param statements: of the long answer; None where the file has none for any question.
    :param cites: whether the engine names sources at all, so that none is a finding.
    :param retrieved: what the first search found, best first; None where the file does not say.
    :param seen: all that the engine had before it, in any order; None where the file does not say.
    :param confidence: the chance, given beforehand, that the evidence suffices.
    :param extraction: the facts of the long answer; None where there are none, and ``no_extraction`` says why.
    :param scores: LogicScore as it was given, used only where there is no extraction.
    :param error: why the engine failed, empty where it did not.
    """

    id: str
    short: str | None
    statements: tuple[Said, ...] | None = None
    cites: bool = False
    retrieved: tuple[Source, ...] | None = None
    seen: tuple[Source, ...] | None = None
    confidence: float | None = None
    usage: Mapping[str, float | None] = field(default_factory=dict)
    extraction: Extraction | None = None
    no_extraction: str = "the file gives no long answer"
    scores: Scores | None = None
    error: str = ""

    @property
    def status(self) -> Literal["answered", "withheld", "failed"]:
        """How it ended."""
        return "failed" if self.error else "withheld" if self.short is None else "answered"

    @property
    def long(self) -> str | None:
        """The long answer as one text, None where the file has none."""
        return None if self.statements is None else " ".join(one.text for one in self.statements)
