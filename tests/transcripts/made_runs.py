"""Stored runs for tests of the site: made by a real loop, then given other names, dates and outcomes."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from tests.transcripts.test_store import run
from transcripts.record import Transcript
from transcripts.store import read_json, save

#: Closes every kind of element and string it could stand in, and runs a script in every way it could be run.
HOSTILE = (
    "</script></style></title></textarea></option></pre>--></svg>"
    "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'><svg onload='window.hit = 1'>"
    '"\' onmouseover=window.hit=1 autofocus onfocus=window.hit=1 x="javascript:window.hit=1'
    "{{ 7 * 7 }}{% raw %}${7 * 7}\\u003cb\\u003e\u2028\u202e]]>&lt;b&gt;"
)


@cache
def _real() -> tuple[Transcript, dict[str, Any]]:
    """A run of the loop, and its path."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder))
        assert outcome.folder is not None
        return outcome.transcript, read_json(outcome.folder / "path.json")


def run_id(number: int) -> str:
    """The id of the run with this number."""
    return f"01KJM{number:021d}"


def made_run(number: int = 1, **changes: Any) -> Transcript:
    """Return the record of a run; the higher its number, the later it was asked."""
    record, _ = _real()
    created = record.created + timedelta(days=number)
    return record.model_copy(update={"id": run_id(number), "created": created, **changes}).sealed()


def store_run(asks: Path, number: int = 1, **changes: Any) -> Path:
    """Write the record of a run below ``asks``, and return its folder."""
    return save(asks, made_run(number, **changes), _real()[1])


def scored(**measures: Any) -> dict[str, Any]:
    """Return the changes that give a run other scores, such as ``completeness=0``."""
    score = _real()[0].score
    assert score is not None
    return {"score": score.model_copy(update={"verdict": {**score.verdict, **measures}})}


def hostile_run(asks: Path, number: int = 1) -> Path:
    """Write a run in which every text, from title to reply, tries to break out of its page."""
    record, path = _real()
    kept = {"id", "sha256", "created", "schema_version"}
    made = Transcript.model_validate(_poisoned(record.model_dump(mode="json"), kept))
    created = record.created + timedelta(days=number)
    made = made.model_copy(update={"id": run_id(number), "created": created})
    return save(asks, made.sealed(), _poisoned(path, {"proposition"}))


def _poisoned(value: Any, kept: set[str]) -> Any:
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, list):
        return [_poisoned(one, kept) for one in value]
    if isinstance(value, Mapping):
        return {key: one if key in kept else _poisoned(one, kept) for key, one in value.items()}
    return value
