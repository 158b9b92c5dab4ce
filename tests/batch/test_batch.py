"""``pnk batch`` as its user runs it: rows, reruns, budgets and what it says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.batch.model_server import Running, model_server, write_questions
from tests.cli.pnk import Ran, pnk
from tests.conftest import SAMPLE
from tests.transcripts.test_git import git
from transcripts.store import load


@pytest.fixture
def sample(sample_library: Path, tmp_path: Path) -> Path:
    """The sample library in a folder of its own, which is where commands run."""
    shutil.copytree(sample_library, tmp_path / "library")
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with model_server() as running:
        yield running


@pytest.fixture
def place(notes: Path, tmp_path: Path) -> Path:
    """The two notes that the server knows, and five questions."""
    shutil.copytree(notes, tmp_path / "library")
    write_questions(tmp_path / "questions.jsonl", 5)
    return tmp_path


def batch(place: Path, *flags: object, questions: str = "questions.jsonl", stdin: str = "") -> Ran:
    given = ("--kb", "library", "--out", "answers.jsonl", *flags)
    return pnk("batch", questions, *given, cwd=place, home=place, stdin=stdin)


def rows(place: Path, name: str = "answers.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / name).read_text(encoding="utf-8").splitlines()]


def test_the_sample_questions_get_a_row_and_a_transcript_each(sample: Path) -> None:
    questions = SAMPLE / "questions.jsonl"
    ran = batch(sample, "--summary", "summary.json", "--ordered", questions=str(questions))
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert ran.err.count("\n") == 1
    expected = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    got = rows(sample)
    assert [one["id"] for one in got] == [one["id"] for one in expected]
    right = sum(one["short_answer"] == want["answer"] for one, want in zip(got, expected, strict=True))
    assert right >= 10
    keys = {"id", "error", "settings"}
    single = pnk("ask", "--deep", "--json", "--no-save", "--kb", "library", expected[4]["question"], cwd=sample)
    assert set(single.json()) | keys == set(got[0])
    assert got[4]["short_answer"] == single.json()["short_answer"]
    for one in got:
        assert load(sample / one["transcript"]).question == one["question"]
    summary = json.loads((sample / "summary.json").read_text(encoding="utf-8"))
    start = summary["start"]
    assert start["rows"] == start["answered"] + start["partial"] + start["no_evidence"] == 20
    complete = [one["score"]["completeness"] for one in got if one["score"]["completeness"] is not None]
    measure = start["score"]["completeness"]
    assert measure["mean"] == pytest.approx(sum(complete) / len(complete), abs=1e-4)
    assert (measure["measured"], measure["not_applicable"]) == (len(complete), 20 - len(complete))
    assert start["usage"]["calls"] == sum(one["usage"]["calls"] for one in got)


def test_a_rerun_asks_only_what_is_missing(place: Path, server: Running) -> None:
    before = server.sold()
    first = batch(place, *server.flags, "--yes", "-k", "2")
    assert first.code == 0, first.err
    asked = server.sold() - before
    assert asked == 30
    again = batch(place, *server.flags, "-k", "2")
    assert (again.code, server.sold() - before) == (0, asked), "nothing to ask, so nothing to agree to"
    assert "nothing to ask" in again.err
    with (place / "questions.jsonl").open("a") as more:
        more.write("Where was the author of The Reed born, told anew?\n")
    assert batch(place, *server.flags, "--yes", "-k", "2").code == 0
    assert (server.sold() - before, len(rows(place))) == (asked + 6, 6)
    lines = (place / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (place / "answers.jsonl").write_bytes(b"".join(lines[:2]) + lines[2][:80])
    cut = batch(place, *server.flags, "--yes", "-k", "2")
    assert (cut.code, len(rows(place))) == (0, 6)
    assert "cut off" in cut.err
    assert (place / "answers.jsonl.damaged").read_bytes() == lines[2][:80] + b"\n"


def test_another_wording_or_setting_is_answered_anew_and_both_are_kept(place: Path, server: Running) -> None:
    assert batch(place, *server.flags, "--yes").code == 0
    file = place / "questions.jsonl"
    file.write_text(file.read_text().replace("reader number 3", "reader number three"))
    changed = batch(place, *server.flags, "--yes")
    assert "another wording or other settings are kept beside the new ones: 1 question." in changed.err
    assert [one["question"][-9:] for one in rows(place) if one["id"] == "q00003"] == ["number 3?", "er three?"]
    assert batch(place, *server.flags, "--yes", "--max-rounds", "2").code == 0
    assert len(rows(place)) == 11


def test_failed_rows_are_rows_and_are_asked_again_only_when_told(place: Path, server: Running) -> None:
    with model_server(fail_every=1) as broken:
        ran = batch(place, *broken.flags, "--yes", "-j", "5", "--summary", "s.json")
    assert ran.code == 5
    failed = rows(place)
    assert [one["status"] for one in failed] == ["failed"] * 5
    assert all("500" in one["error"]["message"] for one in failed)
    start = json.loads((place / "s.json").read_text())["start"]
    assert (start["failed"], start["score"]["completeness"]["mean"]) == (5, None)
    assert start["score"]["completeness"]["not_applicable"] == 0
    before = server.sold()
    kept = batch(place, *server.flags, "-q")
    assert (kept.code, server.sold()) == (5, before), "failed rows stay failed, and -q says so"
    assert "5 failed" in kept.err
    again = batch(place, *server.flags, "--yes", "-q", "--retry-failed")
    assert (again.code, again.err) == (0, "")
    assert sorted(one["id"] for one in rows(place)) == [f"q0000{n}" for n in range(5)]
    assert {one["status"] for one in rows(place)} == {"answered"}
    assert len(rows(place, "answers.jsonl.retried")) == 5


def test_bad_lines_are_all_reported_before_anything_is_spent(place: Path, server: Running) -> None:
    before = server.sold()
    with (place / "questions.jsonl").open("ab") as more:
        more.write(b'\xff\n{"id": "q00001", "question": "Who?"}\n')
    ran = batch(place, *server.flags, "--yes")
    assert (ran.code, server.sold()) == (2, before)
    assert "line 6: byte 1 is no UTF-8" in ran.err
    assert "line 7: the id 'q00001' stands in line 2 already" in ran.err
    assert not (place / "answers.jsonl").exists()
    skipping = batch(place, *server.flags, "--yes", "--skip-bad-lines", "--ordered")
    assert (skipping.code, server.sold() - before) == (5, 30)
    assert [one["error"] and one["error"]["code"] for one in rows(place)] == [None] * 5 + ["invalid_question"] * 2


def test_questions_come_from_standard_input_too(sample: Path) -> None:
    ran = batch(sample, questions="-", stdin="Where was the composer of The Lantern Suite born?\n")
    assert ran.code == 0, ran.err
    assert rows(sample)[0]["short_answer"] == "Merrowick"


def test_the_openai_form_goes_through_and_is_found_again(place: Path, server: Running) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Where was the author of The Reed born?"}]}
    request = {"custom_id": "r1", "method": "POST", "url": "/v1/chat/completions", "body": body}
    (place / "questions.jsonl").write_text(json.dumps(request) + "\n")
    assert batch(place, *server.flags, "--yes", "--format", "openai").code == 0
    (row,) = rows(place)
    assert row["custom_id"] == "r1"
    assert row["response"]["body"]["choices"][0]["message"]["content"].startswith("Dale\n\n")
    assert row["response"]["body"]["usage"]["total_tokens"] == 660
    assert "nothing to ask" in batch(place, *server.flags, "--yes", "--format", "openai").err


def test_money_is_spent_only_when_that_was_agreed(place: Path, server: Running) -> None:
    before = server.sold()
    for flags, why in (([], "--yes"), (["--max-cost", "1"], "no price"), (["--max-tokens", "10"], "below")):
        ran = batch(place, *server.flags, *flags)
        assert (ran.code, why in ran.err) == (2, True), ran.err
    assert server.sold() == before
    assert batch(place, *server.flags, "--max-calls", "6", "-j", "1").code == 0
    assert server.sold() - before == 6


def test_a_budget_holds_and_says_what_it_left(place: Path, server: Running) -> None:
    before = server.sold()
    ran = batch(place, *server.flags, "--max-calls", "13", "-j", "3", "-q", "--summary", "s.json")
    summary = json.loads((place / "s.json").read_text())
    assert server.sold() - before == summary["spent"]["team"]["calls"] <= 13
    assert (ran.code, summary["why"]) == (0, "budget")
    assert summary["skipped"]["left"] == 5 - len(rows(place)) > 0
    assert "left (budget)" in ran.err, "what was not asked is said even when quiet"


def test_the_cap_of_a_day_holds_over_reruns_and_files(place: Path, server: Running) -> None:
    before = server.sold()
    config = "[batch]\nmax_calls_per_day = 14\n"
    (place / "library" / "pinakes-ask.toml").write_text(config)
    for out in ("one.jsonl", "two.jsonl", "three.jsonl"):
        ran = pnk(
            "batch", "questions.jsonl", "--kb", "library", "--out", out, *server.flags, cwd=place, home=place
        )
        assert ran.code == 0
    assert server.sold() - before <= 14
    assert "left (budget)" in ran.err


def test_a_deadline_leaves_the_rest(place: Path) -> None:
    with model_server(latency=0.4) as slow:
        ran = batch(place, *slow.flags, "--yes", "-j", "1", "--deadline", "5s")
    assert (ran.code, "left (deadline)" in ran.err) == (0, True), ran.err
    assert 0 < len(rows(place)) < 5
    assert {one["status"] for one in rows(place)} <= {"answered", "partial"}


@pytest.mark.parametrize("deadline", ["soon", "0", "-5m", "5 weeks"])
def test_a_deadline_that_is_none_is_refused(place: Path, deadline: str) -> None:
    assert batch(place, f"--deadline={deadline}").code == 2


def test_a_dry_run_says_what_it_would_take_and_asks_nothing(place: Path, server: Running) -> None:
    before = server.sold()
    config = "[model]\nprompt_price = 1.0\ncompletion_price = 2.0\n"
    (place / "library" / "pinakes-ask.toml").write_text(config)
    plan = batch(place, *server.flags, "--dry-run", "--max-cost", "2").json()
    assert (plan["to_ask"], plan["calls_at_most"], plan["limits"]["batch"]["cost"]) == (5, 5 * 16, 2.0)
    assert plan["cost_at_most"] > 5 * 16 * 100 * 1e-6
    assert (server.sold(), (place / "answers.jsonl").exists()) == (before, False)
    assert batch(place, *server.flags, "--max-cost", "2").code == 0
    taken = sum(one["usage"]["cost"] for one in rows(place))
    assert 0 < taken < plan["cost_at_most"]


def test_a_rejected_key_ends_the_batch_at_once_without_rows(place: Path) -> None:
    with model_server(refuse_after=6) as server:
        ran = batch(place, *server.flags, "--yes", "-j", "1")
        assert len(server.log()) == 7
    assert ran.code == 1
    assert "key was rejected" in ran.err
    assert [one["status"] for one in rows(place)] == ["answered"]
    with model_server() as server:
        assert batch(place, *server.flags, "--yes").code == 0
    assert sorted(one["id"] for one in rows(place)) == [f"q0000{n}" for n in range(5)]


def test_the_transcripts_of_a_batch_are_one_commit(place: Path, server: Running) -> None:
    library = place / "library"
    git(library, "init", "-q", "-b", "main")
    for key, value in (("user.name", "Reader"), ("user.email", "reader@example.org")):
        git(library, "config", key, value)
    git(library, "add", ".")
    git(library, "commit", "-q", "-m", "Notes")
    (library / "draft.md").write_text("not to be committed")
    assert batch(place, *server.flags, "--yes", "--commit", "-q").err == ""
    assert git(library, "log", "--format=%s").splitlines() == ["Ask: 5 questions of answers.jsonl", "Notes"]
    assert len(git(library, "show", "--name-only", "--format=", "HEAD").split()) == 15
    assert git(library, "status", "--porcelain").split() == ["??", "draft.md"]
    assert batch(place, *server.flags, "--yes", "--commit").code == 0
    assert len(git(library, "log", "--format=%s").splitlines()) == 2
    write_questions(place / "questions.jsonl", 7)
    assert batch(place, *server.flags, "--yes", "--commit").code == 0
    assert git(library, "log", "--format=%s").splitlines()[0] == "Ask: 2 questions of answers.jsonl"


def test_a_commit_that_cannot_be_made_is_said_even_when_quiet(place: Path, server: Running) -> None:
    ran = batch(place, *server.flags, "--yes", "--commit", "-q")
    assert (ran.code, len(rows(place))) == (0, 5)
    assert "not committed: the library is in no git work tree" in ran.err


def test_a_log_holds_every_event_with_its_time(place: Path, server: Running) -> None:
    assert batch(place, *server.flags, "--yes", "-q", "--log-file", "night.log").err == ""
    lines = (place / "night.log").read_text().splitlines()
    assert len(lines) == 7
    assert lines[0].endswith("5 of 5 questions to ask of test-model")
    assert all(line[:2] == "20" and line[10] == "T" for line in lines)
    assert sum(": answered in" in line for line in lines) == 5
    assert "5 questions: 5 answered" in lines[-1]


def test_answers_do_not_go_where_they_would_destroy_something(place: Path) -> None:
    for out in ("questions.jsonl", "library", "missing/answers.jsonl"):
        ran = pnk("batch", "questions.jsonl", "--kb", "library", "--out", out, cwd=place)
        assert ran.code == 2, ran.err
    assert len((place / "questions.jsonl").read_text().splitlines()) == 5


def test_shards_together_answer_everything_once(place: Path, server: Running) -> None:
    before = server.sold()
    for part in (1, 2, 3):
        out = f"part-{part}.jsonl"
        flags = ("--kb", "library", "--out", out, "--shard", f"{part}/3", "--yes", *server.flags)
        assert pnk("batch", "questions.jsonl", *flags, cwd=place, home=place).code == 0
    assert server.sold() - before == 30
    parts = sorted(path.name for path in place.glob("part-*.jsonl"))
    order = ("--questions", "questions.jsonl")
    merged = pnk("batch", "merge", *parts, "--out", "answers.jsonl", *order, "-q", cwd=place)
    assert (merged.code, merged.err) == (0, "")
    assert [one["id"] for one in rows(place)] == [f"q0000{n}" for n in range(5)]
    lacking = pnk("batch", "merge", parts[0], "--out", "some.jsonl", *order, "-q", cwd=place)
    assert (lacking.code, "without a row" in lacking.err) == (5, True)
