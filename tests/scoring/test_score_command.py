"""``pnk score`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from pinakes_ask.cli.score import score
from retrieval.errors import UsageError
from retrieval.text.errors import PinakesAskError

ROW = {
    "id": "a",
    "question": "Where was the director of Night Harbour born?",
    "long_answer": "Night Harbour was directed by Lena Voss. Lena Voss was born in Oslo.",
    "short_answer": "Oslo",
}


def pnk(*arguments: str) -> Any:
    app = typer.Typer()
    app.command()(score)
    return app(args=list(arguments), standalone_mode=False)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    rows = [ROW, {**ROW, "id": "b", "long_answer": "Lena Voss was born in Oslo."}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_verdicts_on_stdout_and_the_summary_beside(answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pnk(str(answers), "--patterns") == 0
    out, err = capsys.readouterr()
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert [(one["id"], one["completeness"]) for one in verdicts] == [("a", 1), ("b", 0)]
    assert "2 answers" in err


def test_the_summary_is_a_table_and_one_answer_has_no_interval(
    answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pnk(str(answers), "--patterns") == 0
    lines = [line.split() for line in capsys.readouterr().err.splitlines()]
    assert ["completeness", "0.500", "[0.000,", "1.000]", "over", "2"] in lines
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps(ROW), encoding="utf-8")
    assert pnk(str(one), "--patterns") == 0
    lines = [line.split() for line in capsys.readouterr().err.splitlines()]
    assert ["completeness", "1.000", "over", "1"] in lines


def test_json_is_one_object(answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pnk(str(answers), "--patterns", "--json")
    data = json.loads(capsys.readouterr().out)
    assert (data["schema_version"], data["summary"]["answers"], len(data["verdicts"])) == (1, 2, 2)


def test_an_interrupted_run_goes_on(answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "verdicts.jsonl"
    pnk(str(answers), "--patterns", "--out", str(out))
    whole = out.read_bytes()
    capsys.readouterr()
    out.write_bytes(whole[:-20])
    pnk(str(answers), "--patterns", "--out", str(out))
    printed, said = capsys.readouterr()
    assert out.read_bytes() == whole
    assert "1 scored, 1 were there already" in said
    assert "cut off" in said
    assert "2 answers" in printed


def test_explain(answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pnk(str(answers), "--patterns", "--explain", "b")
    out = capsys.readouterr().out
    assert "question_unmentioned" in out
    assert "```mermaid" in out


def test_validate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from test_validation import MADE

    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in MADE), encoding="utf-8")
    assert pnk("validate", str(path), "--extraction", "oracle") == 0
    assert "3 of 3 questions" in capsys.readouterr().out
    assert pnk("validate", str(path), "--extraction", "patterns", "--json", "--limit", "1") == 0
    assert json.loads(capsys.readouterr().out)["patterns"]["constructible"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.jsonl"],
        ["validate"],
        ["a.jsonl", "b.jsonl"],
        ["validate", "missing.jsonl"],
        ["validate", "x", "--extraction", "magic"],
    ],
)
def test_usage_errors(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        pnk(*arguments)
    assert caught.value.exit_code == 2


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "a"}\n', encoding="utf-8")
    with pytest.raises(PinakesAskError, match="line 1: question"):
        pnk(str(path))


def test_an_unknown_id_is_refused(answers: Path) -> None:
    with pytest.raises(UsageError, match="no answer has that id"):
        pnk(str(answers), "--explain", "zzz")
