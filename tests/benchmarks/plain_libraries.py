"""Small libraries with plain questions, as somebody asks them of their own notes.

They lie in ``tests/ask/plain``. The first ones were looked at when rules were made, or fitted on; the others were
written without knowing the rules, and are only measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from retrieval.library import Library
from retrieval.syncing import sync

PLAIN = Path(__file__).parents[1] / "ask" / "plain"
SEEN = ("house", "station", "notes", "club", "research", "runbook", "town")
UNSEEN = ("company", "family", "manual", "minutes")


@dataclass(frozen=True)
class PlainQuestion:
    """A question over one library.

    :param answers: every accepted wording; none where the documents do not tell.
    :param type: ``plain``, ``chain``, ``yesno`` or ``unanswerable``; :param gold: the documents that tell.
    """

    text: str
    answers: tuple[str, ...]
    type: str
    gold: frozenset[str]


def questions_of(name: str) -> list[PlainQuestion]:
    """Return the questions of one library."""
    lines = (PLAIN / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [_question(json.loads(line)) for line in lines]


def _question(row: dict[str, object]) -> PlainQuestion:
    aliases = row["aliases"]
    assert isinstance(aliases, list)
    answers = tuple(str(one) for one in (row["answer"], *aliases) if one)
    gold = row.get("gold", [])
    assert isinstance(gold, list)
    kind = str(row.get("type", "plain" if answers else "unanswerable"))
    return PlainQuestion(str(row["question"]), answers, kind, frozenset(map(str, gold)))


@contextmanager
def opened(name: str, work: Path) -> Iterator[Library]:
    """Yield one library, indexed in the working folder."""
    state = work / f"plain-{name}.state"
    sync(PLAIN / name / "library", state=state)
    with Library.open(PLAIN / name / "library", state=state) as library:
        yield library
