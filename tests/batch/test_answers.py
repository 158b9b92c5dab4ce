"""The file of answers: whole rows or none, whatever happens to the process or the disk."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pinakes_ask.batch.answers import DAMAGED, RETRIED, Answers, read_rows, repair_end, take_out
from pinakes_ask.batch.errors import AnswersUnwritable
from pinakes_ask.batch.merge import merge_answers
from pinakes_ask.batch.questions import Item
from pinakes_ask.batch.rows import as_written, failed_row, key_of, row_in
from tests.ask.fakes import TestClock


def row(identity: str, status: str = "answered", settings: str = "s", question: str = "Who?") -> dict[str, Any]:
    made = failed_row(Item(identity, question, 1), settings, "run_failed", "no")
    return made if status == "failed" else {**made, "status": status, "error": None}


def write(file: Path, *rows: dict[str, Any]) -> None:
    with Answers(file) as answers:
        for one in rows:
            answers.append(one)


def ids(file: Path) -> list[str]:
    return [one.row["id"] for one in read_rows(file, pytest.fail)]


def test_every_cut_of_the_last_line_is_repaired_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    write(file, row("a"), row("b", question="Wo wohnt Séverine?"))
    whole = file.read_bytes()
    last = whole.index(b"\n") + 1
    for cut in range(last + 1, len(whole)):
        file.write_bytes(whole[:cut])
        beside = file.with_name(file.name + DAMAGED)
        beside.unlink(missing_ok=True)
        said = repair_end(file)
        if cut == len(whole) - 1:  # only the line end was missing
            assert (said, file.read_bytes()) == (None, whole)
        else:
            assert said is not None and "cut off" in said
            assert file.read_bytes() == whole[:last]
            assert beside.read_bytes() == whole[last:cut] + b"\n"


def test_a_long_last_line_is_found_from_the_end(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    write(file, row("a"), {**row("b"), "warnings": ["x" * 300_000]})
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    assert repair_end(file)
    assert ids(file) == ["a"]
    assert repair_end(file) is None
    assert repair_end(tmp_path / "missing") is None


def test_what_is_no_row_is_noted_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    write(file, row("a"))
    with file.open("ab") as stream:
        stream.write(b'{"some": "thing"}\nprose\n\x00\x00\n')
    write(file, row("b"))
    said: list[str] = []
    assert [one.row["id"] for one in read_rows(file, said.append)] == ["a", "b"]
    assert [line.split()[1] for line in said] == ["2", "3", "4"]


def test_rows_to_retry_move_to_a_file_beside(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    write(file, row("a"), row("b", "failed"), row("c"))
    take_out(file, frozenset({key_of(row("b"))}))
    assert ids(file) == ["a", "c"]
    assert ids(file.with_name(file.name + RETRIED)) == ["b"]


def test_a_row_that_does_not_fit_the_disk_leaves_none_of_it(tmp_path: Path, small_disk: Path | None) -> None:
    """On a full file system of its own, or under a limit of the file's size where none may be mounted."""
    file = (small_disk or tmp_path) / "answers.jsonl"
    script = (
        "import resource, signal, sys; from pathlib import Path; from tests.batch.test_answers import row, write\n"
        "from pinakes_ask.batch.errors import AnswersUnwritable\n"
        "if sys.argv[2] == 'limit':\n"
        "    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n"
        "try:\n"
        "    for n in range(10_000): write(Path(sys.argv[1]), {**row(str(n)), 'warnings': ['x' * 5000]})\n"
        "except AnswersUnwritable as error: print(error)\n"
    )
    how = "disk" if small_disk else "limit"
    done = subprocess.run(
        [sys.executable, "-c", script, file, how], capture_output=True, text=True, check=True, timeout=120
    )
    assert "cannot be written" in done.stdout
    assert file.read_bytes().endswith(b"\n")
    assert len(ids(file)) > 100
    assert repair_end(file) is None
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_folder_that_may_not_be_written_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(AnswersUnwritable, match="cannot be written"):
        Answers(tmp_path / "no" / "answers.jsonl")


def test_the_openai_form_holds_the_same_row(tmp_path: Path) -> None:
    now = TestClock().now()
    answered = {
        **row("a"),
        "short_answer": "Dale",
        "statements": [
            {"text": "Ann Bell was born in Dale.", "citations": [{"title": "Ann Bell"}]},
            {"text": "She wrote.", "citations": []},
        ],
    }
    written = as_written(answered, "openai", "m", now)
    assert (written["custom_id"], written["error"], written["response"]["status_code"]) == ("a", None, 200)
    body = written["response"]["body"]
    assert body["choices"][0]["message"]["content"] == "Dale\n\nAnn Bell was born in Dale. [Ann Bell]\nShe wrote."
    assert (body["object"], body["model"]) == ("chat.completion", "m")
    assert row_in(json.loads(json.dumps(written))) == answered
    failed = as_written(row("b", "failed"), "openai", "m", now)
    assert (failed["response"], failed["error"]) == (None, {"code": "run_failed", "message": "no"})
    assert row_in(failed) == row("b", "failed")


def test_merging_keeps_one_row_of_each_key_and_the_order_of_the_questions(tmp_path: Path) -> None:
    one, two, out = (tmp_path / name for name in ("1.jsonl", "2.jsonl", "all.jsonl"))
    write(one, row("c"), row("a", "failed"), row("x"))
    write(two, row("a"), row("b", "failed"), row("c", "failed"), row("c", settings="other"))
    merged = merge_answers([one, two], out, ["a", "b", "c", "d"], pytest.fail)
    rows = [found.row for found in read_rows(out, pytest.fail)]
    assert [(found["id"], found["status"]) for found in rows] == [
        ("a", "answered"),
        ("b", "failed"),
        ("c", "answered"),
        ("c", "answered"),
        ("x", "answered"),
    ]
    assert (merged.rows, merged.failed, merged.twice, merged.missing) == (5, 1, 2, 1)


def test_merging_into_one_of_the_inputs_loses_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    write(one, row("a"))
    write(two, row("b"))
    merge_answers([one, two], one, None, pytest.fail)
    assert ids(one) == ["a", "b"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.jsonl", "2.jsonl"]
