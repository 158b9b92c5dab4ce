"""The knobs of a run, in small groups; each part of the program takes only its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pinakes_ask.budget import Limits

#: Who finds the facts of an answer for its check.
Extractor = Literal["rules", "model"]


@dataclass(frozen=True)
class LoopSettings:
    """How far a run may go.

    :param k: passages for each query.
    :param memory_tokens: bound of the rolling summary, in estimated tokens.
    :param write_tokens: bound of the evidence in the final write, in estimated tokens.
    """

    k: int = 5
    max_rounds: int = 3
    max_nodes: int = 8
    max_grown: int = 3
    memory_tokens: int = 250
    write_tokens: int = 6000
    max_repairs: int = 1
    max_statements: int = 6
    max_words: int = 200
    force_answer: bool = False


@dataclass(frozen=True)
class Settings:
    """Everything ``ask`` takes besides the question, the library and the model.

    :param extractor: who finds the facts of an answer for its check.
    """

    loop: LoopSettings = field(default_factory=LoopSettings)
    limits: Limits = field(default_factory=Limits)
    extractor: Extractor = "rules"
