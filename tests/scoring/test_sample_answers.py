"""The answers that the documentation shows get the verdicts it says."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from scoring.job import score_rows
from scoring.rows import read_rows

DOCS = Path(__file__).parents[2] / "docs"


def records() -> dict[str, dict[str, Any]]:
    lines = (DOCS / "sample" / "answers.jsonl").read_text(encoding="utf-8").splitlines()

    async def run() -> dict[str, dict[str, Any]]:
        return {one.row.id: one.record async for one in score_rows(read_rows(lines, "answers.jsonl"))}

    return asyncio.run(run())


def test_the_sample_answers() -> None:
    found = records()
    figures = {name: (one["completeness"], one["essentiality"], one["class"]) for name, one in found.items()}
    assert figures == {
        "complete": (1, 0.75, None),
        "missing-link": (0, 0.0, "broken"),
        "papered-over": (0, 0.0, "head_only"),
        "comparison": (1, 1.0, None),
        "cited": (1, 1.0, None),
    }
    assert found["papered-over"]["paper"]["completeness"] == 1
    assert found["cited"]["citations"]["statements"][1]["unsupported"] == ["1931"]


def test_the_verdict_shown_is_the_verdict() -> None:
    (shown,) = re.findall(
        r"^```json\n(.*?)^```", (DOCS / "logicscore.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert json.loads(shown) == records()["missing-link"]
