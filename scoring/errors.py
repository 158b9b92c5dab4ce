"""The errors of scoring."""

from __future__ import annotations

from retrieval.text.errors import PinakesAskError


class ScoringError(PinakesAskError):
    """An answer cannot be scored."""


class AnswerFileError(ScoringError):
    """A file of answers cannot be read, or a row of it has another shape than one of the known."""

    exit_code = 2


class ReplyError(ScoringError):
    """A language model's reply is no extraction."""
