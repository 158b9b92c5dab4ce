"""The run that docs/ask.md walks through is what the program does now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.docs.generate_ask import ASKS, BLOCK, PAGE, walk
from transcripts.store import load

REMAKE = "run: python -m tests.docs.generate_ask"


def content(file: Path) -> dict[str, Any]:
    """A transcript without what differs between machines: a signal's last digits, the seal."""
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    del record["sha256"], record["confidence"]["signals"]
    return record


def test_the_page_and_the_transcript_are_those_of_the_run(tmp_path: Path) -> None:
    text, made = walk(tmp_path / "asks")
    shown = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert shown is not None
    assert shown.group() == text.rstrip(), REMAKE
    kept = ASKS / made.relative_to(tmp_path / "asks")
    assert content(kept / "transcript.json") == content(made / "transcript.json"), REMAKE
    for name in ("answer.md", "path.json"):
        assert (kept / name).read_text(encoding="utf-8") == (made / name).read_text(encoding="utf-8"), REMAKE


def test_the_transcript_in_the_documentation_is_whole() -> None:
    (folder,) = [file.parent for file in ASKS.rglob("transcript.json")]
    assert load(folder).status == "answered"
