"""A record whose last statement cites again what the statements before it cite."""

from __future__ import annotations

from typing import Any

from transcripts.record import Transcript


def cited_twice(base: Transcript, **changes: Any) -> Transcript:
    """Return ``base``, of one statement, with three: the last cites the sentences of the first two.

    :param changes: to its answer.
    """
    (first,) = base.answer.statements
    (cite,) = first.citations[:1]
    first = first.model_copy(update={"citations": (cite,)})
    second = first.model_copy(update={"citations": (cite.model_copy(update={"sentence": cite.sentence + 1}),)})
    last = first.model_copy(update={"text": "So it is.", "citations": (*first.citations, *second.citations)})
    answer = base.answer.model_copy(update={"statements": (first, second, last), **changes})
    return base.model_copy(update={"answer": answer})
