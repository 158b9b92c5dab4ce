"""How a run looks on a terminal: each thing is said once."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from pinakes_ask.cli.show import show
from tests.transcripts.cited_twice import cited_twice
from transcripts.record import Transcript
from transcripts.store import load

STORED = Path(__file__).parents[1] / "transcripts" / "stored" / "version-1"


def shown(run: Transcript) -> str:
    out = io.StringIO()
    show(Console(file=out, width=200, color_system=None), run, None)
    return out.getvalue()


def stored(slug: str) -> Transcript:
    return load(next(STORED.glob(f"*{slug}*")))


def test_a_reason_that_all_measures_share_is_told_once() -> None:
    run = stored("author-of-the-reed")
    assert run.score is not None
    reasons = dict.fromkeys(("completeness", "essentiality", "determinateness"), "the short answer is withheld")
    verdict = {
        **run.score.verdict,
        **dict.fromkeys(reasons),
        "class": None,
        "gap": None,
        "not_applicable": reasons,
    }
    withheld = run.answer.model_copy(update={"short_answer": None, "withheld": "nothing states it"})
    score = run.score.model_copy(update={"verdict": verdict})
    text = shown(run.model_copy(update={"answer": withheld, "score": score, "status": "partial"}))
    assert text.count("No short answer") == 1
    assert text.count("not measured") == 1
    assert text.count("withheld") == 1


def test_what_was_not_found_is_told_once() -> None:
    text = shown(stored("mother-of-the-astronomer"))
    assert text.count("Not in these documents") == 1
    assert "No short answer" not in text
    assert "scored" not in text


def test_each_measure_that_does_not_apply_has_its_own_reason() -> None:
    run = stored("author-of-the-reed")
    assert run.score is not None
    verdict = {
        **run.score.verdict,
        "completeness": None,
        "essentiality": None,
        "not_applicable": {"completeness": "no [entity]", "essentiality": "no path"},
    }
    changed = run.model_copy(update={"score": run.score.model_copy(update={"verdict": verdict})})
    text = shown(changed)
    assert "not measured: no [entity]" in text
    assert "not measured: no path" in text
    assert f"{run.score.verdict['determinateness']:.2f}  the short answer follows" in text


def test_a_sentence_that_is_cited_twice_is_one_source_and_a_reason_ends_in_one_full_stop() -> None:
    run = cited_twice(stored("who-took-over"), short_answer=None, withheld="The documents do not say.")
    lines = [line.strip() for line in shown(run).splitlines()]
    assert "So it is. [1][2]" in lines
    assert [line[:3] for line in lines[lines.index("Sources") + 1 :] if line[:1] == "["] == ["[1]", "[2]"]
    assert "No short answer: The documents do not say." in lines
