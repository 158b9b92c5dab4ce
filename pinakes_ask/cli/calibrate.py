"""``pnk calibrate``: fit the confidence to one's own labelled questions."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption, StateOption
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from retrieval.confidence.fit import Reliability
    from retrieval.confidence.own import Labelled


def calibrate(
    questions: Annotated[
        Path,
        typer.Argument(
            help="Labelled questions, one JSON object {question, documents} a line; "
            "documents are the ids, titles or locations that hold all the evidence (none: unanswerable)."
        ),
    ],
    kb: KbOption = None,
    state: StateOption = None,
    write: Annotated[bool, typer.Option("--write", help="Use the new calibration from now on.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Fit the confidence to your own labelled questions, and print how reliable it would be."""
    labelled = _read(questions)
    from retrieval.confidence.calibration import OWN
    from retrieval.confidence.own import refit
    from retrieval.library import Library

    place = common.find_library(kb)
    with Library.open(place, state=state, uri=common.shared_index(place)) as library:
        found = library.search([one.question for one in labelled], k=5)
        result = refit(found, labelled, library.embedder_fingerprint)
        target = library.state / OWN
    if write:
        fresh = target.with_suffix(".new")
        fresh.write_text(result.calibration.dump(), encoding="utf-8")
        fresh.replace(target)
    if as_json:
        common.print_json(
            {
                "schema_version": 1,
                "questions": len(labelled),
                "threshold": result.calibration.threshold,
                "present": asdict(result.present) if result.present else None,
                "expected": asdict(result.expected),
                "written": str(target) if write else None,
            }
        )
        return 0
    lines = ["Calibration in use:", *_table(result.present), "", "New one, on questions it was not fitted on:"]
    lines += [*_table(result.expected), "", f"threshold {result.calibration.threshold:.3f}"]
    lines.append(f"written to {target}" if write else "not written; add --write to use it")
    common.print_result("\n".join(lines))
    return 0


def _table(result: Reliability | None) -> list[str]:
    if result is None:
        return ["  gives no number for any of these questions"]
    lines = ["  probability   questions   mean   covered"]
    lines += [
        f"  {low:.1f} to {high:.1f}    {n:9}   {mean:.2f}   {share:7.2f}"
        for low, high, n, mean, share in result.table
    ]
    auroc = "unknown" if result.auroc is None else f"{result.auroc:.3f}"
    false = "none" if result.false_confidence is None else f"{result.false_confidence:.3f}"
    lines.append(
        f"  ECE {result.ece:.3f}, AUROC {auroc}, let through {result.let_through:.2f}, "
        f"of these without all their evidence {false}"
    )
    return lines


def _read(path: Path) -> list[Labelled]:
    from retrieval.confidence.own import Labelled

    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read", str(error), "Give a UTF-8 file of JSON lines") from error
    labelled = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            question, documents = record["question"], record.get("documents", record.get("supporting"))
            if not isinstance(question, str) or not isinstance(documents, list):
                raise ValueError("question must be a text and documents a list")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"Line {number} of {path} is no labelled question",
                f"{type(error).__name__}: {error}",
                'Write {"question": "…", "documents": ["…"]}',
            ) from error
        labelled.append(Labelled(question, tuple(map(str, documents))))
    return labelled
