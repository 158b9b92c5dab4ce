"""Failures of reading and writing transcripts."""

from __future__ import annotations

from retrieval.text.errors import PinakesAskError


class TranscriptError(PinakesAskError):
    """A transcript cannot be written or read."""
