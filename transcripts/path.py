"""``path.json``: the recovered reasoning, with what each step rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.types import Extraction
from scoring.verdict import Verdict
from transcripts.record import StatementInfo


def path_json(
    verdict: Verdict, extraction: Extraction, statements: Sequence[StatementInfo], short_answer: str | None
) -> dict[str, Any]:
    """Return ``{nodes, edges, anchors, gap}`` of a scored answer.

    Nodes are entities in reading order. An edge is a proposition with the entities it joins there
    and the citations of its statement. ``gap`` is None where nothing is missing.
    """
    edges = []
    for edge in verdict.path.edges:
        statement = statements[extraction.propositions[edge.proposition].statement]
        edges.append(
            {
                "proposition": edge.proposition,
                "text": edge.text,
                "entities": list(edge.entities),
                "citations": [cite.model_dump(mode="json") for cite in statement.citations],
            }
        )
    return {
        "nodes": list(verdict.path.nodes),
        "edges": edges,
        "anchors": {
            "question": list(extraction.question_entities),
            "answer": short_answer,
            "anchor": verdict.anchor,
        },
        "gap": verdict.gap.to_json() if verdict.gap else None,
    }


def no_path(short_answer: str | None = None) -> dict[str, Any]:
    """Return the path of an answer that was not scored."""
    return {
        "nodes": [],
        "edges": [],
        "anchors": {"question": [], "answer": short_answer, "anchor": None},
        "gap": None,
    }
