"""``pnk search``: the passages that bear on a question, and how each was reached."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import (
    JsonOption,
    KbOption,
    KOption,
    ModifiedAfterOption,
    ModifiedBeforeOption,
    PathPrefixOption,
    SourceTypeOption,
    StateOption,
    TagOption,
)
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from retrieval.library import Library
    from retrieval.types import Filters, Found, Hit, Reach

#: Questions searched together when a file of them is given.
BATCH = 32


def search(
    question: Annotated[
        str, typer.Argument(help="The question, in quotation marks; - reads standard input.")
    ] = "",
    kb: KbOption = None,
    state: StateOption = None,
    k: KOption = 5,
    tag: TagOption = None,
    path_prefix: PathPrefixOption = "",
    source_type: SourceTypeOption = "",
    modified_after: ModifiedAfterOption = "",
    modified_before: ModifiedBeforeOption = "",
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            show_default=False,
            help="A file of questions, one JSON object {id, question} a line; prints one JSON object a line.",
        ),
    ] = None,
    reranker: Annotated[
        str, typer.Option("--reranker", metavar="MODEL", help="Reorder the best by this cross-encoder.")
    ] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Show every signal and hop.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Find the passages that bear on a question, over one or more hops, without a language model."""
    if (questions is None) == (question == ""):
        raise UsageError(
            "Cannot tell what to search for", "one question or --questions FILE is needed", "Give one of the two"
        )
    filters = common.read_filters(tag, path_prefix, source_type, modified_after, modified_before)
    asked = list(_read_questions(questions)) if questions else [("", _read(question))]
    if reranker:
        common.quiet_native_libraries()
    from retrieval.library import Library

    place = common.find_library(kb)
    uri = common.shared_index(place)
    with Library.open(place, state=state, reranker=reranker or None, uri=uri) as library:
        if questions:
            _many(library, asked, k, filters)
            return 0
        found = library.search([asked[0][1]], k, filters)[0]
    if as_json:
        common.print_json(as_object(found, explain=explain))
    else:
        from pinakes_ask.cli.show_hits import show_hits

        show_hits(common.console(), found, explain=explain)
    return 0 if found.hits else 1


def as_object(found: Found, *, explain: bool) -> dict[str, Any]:
    """Return what ``--json`` prints; ``signals`` is null unless explained."""
    confidence = found.confidence
    return {
        "schema_version": 1,
        "question": found.query,
        "confidence": confidence.probability,
        "confidence_reason": confidence.reason,
        "threshold": confidence.threshold,
        "enough": confidence.enough,
        "signals": dict(confidence.signals) if explain else None,
        "passages": [
            {
                **_passage(rank, hit),
                "passage": hit.passage.id,
                "location": hit.passage.location,
                "heading_path": list(hit.passage.heading_path),
                "start": hit.passage.start,
                "end": hit.passage.end,
                "signals": dict(hit.signals) if explain else None,
            }
            for rank, hit in enumerate(found.hits, start=1)
        ],
    }


def _many(library: Library, asked: list[tuple[str, str]], k: int, filters: Filters) -> None:
    for start in range(0, len(asked), BATCH):
        part = asked[start : start + BATCH]
        for (identity, text), found in zip(
            part, library.search([text for _, text in part], k, filters), strict=True
        ):
            line = {
                "id": identity,
                "question": text,
                "confidence": found.confidence.probability,
                "passages": [_passage(rank, hit) for rank, hit in enumerate(found.hits, start=1)],
            }
            common.print_result(json.dumps(line, ensure_ascii=False, allow_nan=False))


def _passage(rank: int, hit: Hit) -> dict[str, Any]:
    return {
        "rank": rank,
        "document": hit.passage.document,
        "title": hit.passage.title,
        "text": hit.passage.text,
        "score": hit.score,
        "reached_by": [_reach(reach) for reach in hit.reached_by],
    }


def _reach(reach: Reach) -> dict[str, Any]:
    return {"via": reach.via, "detail": reach.detail, "source": reach.source, "hops": reach.hops}


def _read(question: str) -> str:
    return sys.stdin.read() if question == "-" else question


def _read_questions(path: Path) -> Iterator[tuple[str, str]]:
    """Yield ``(id, question)``; every line is checked before anything is searched."""
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read", str(error), "Give a UTF-8 file of JSON lines") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise UsageError(f"Line {number} of {path} is not JSON", str(error), "Correct the line") from error
        question = record.get("question") if isinstance(record, dict) else None
        if not isinstance(question, str) or not question.strip():
            raise UsageError(
                f"Line {number} of {path} asks nothing", "it has no text under 'question'", "Correct the line"
            )
        yield str(record.get("id", number)), question
