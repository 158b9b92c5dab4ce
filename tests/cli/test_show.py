"""How an answer looks on a terminal."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from pinakes_ask.cli.show import show
from transcripts.store import load

STORED = next((Path(__file__).parents[1] / "transcripts" / "stored").glob("version-1/*who-took-over*"))


def test_a_sentence_that_is_cited_twice_is_one_source_and_a_reason_ends_in_one_full_stop() -> None:
    base = load(STORED)
    (first,) = base.answer.statements
    (cite,) = first.citations[:1]
    first = first.model_copy(update={"citations": (cite,)})
    second = first.model_copy(update={"citations": (cite.model_copy(update={"sentence": cite.sentence + 1}),)})
    last = first.model_copy(update={"text": "So it is.", "citations": (*first.citations, *second.citations)})
    changes = {"statements": (first, second, last), "short_answer": None, "withheld": "The documents do not say."}
    console = Console(width=200, file=io.StringIO(), record=True)
    show(console, base.model_copy(update={"answer": base.answer.model_copy(update=changes)}), None)
    lines = [line.strip() for line in console.export_text().splitlines()]
    assert "So it is. [1][2]" in lines
    assert [line[:3] for line in lines[lines.index("Sources") + 1 :] if line[:1] == "["] == ["[1]", "[2]"]
    assert "No short answer: The documents do not say." in lines
