"""Made-up passages, as a task offers them."""

from __future__ import annotations

from pinakes_ask.tasks import OfferedPassage
from retrieval.text import sentence_spans


def passages(**documents: str) -> tuple[OfferedPassage, ...]:
    """Offered passages, titled by their keywords with underscores as spaces."""
    return tuple(
        OfferedPassage(
            number=number,
            title=title.replace("_", " "),
            sentences=tuple(text[start:end] for start, end in sentence_spans(text)),
        )
        for number, (title, text) in enumerate(documents.items(), start=1)
    )
