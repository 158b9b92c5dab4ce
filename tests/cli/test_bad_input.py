"""Bad input: one line that says what, why and what to do; the right exit code; nothing half-written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.pnk import Ran, pnk


def one_line(ran: Ran, code: int) -> str:
    """Check that a command failed with one clear line on standard error, and return it."""
    assert ran.code == code, ran.err
    lines = [line for line in ran.err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1, ran.err
    assert ran.out == ""
    assert lines[0].endswith(".")
    return lines[0]


def test_a_missing_library(tmp_path: Path) -> None:
    for command in (["sync"], ["ask", "--deep", "Who?"]):
        line = one_line(pnk(command[0], "--kb", tmp_path / "nowhere", *command[1:]), 2)
        assert "nowhere" in line


def test_an_empty_library(tmp_path: Path) -> None:
    assert "document" in one_line(pnk("sync", "--kb", tmp_path), 2)


def test_a_library_that_was_never_synced(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nA note.\n", encoding="utf-8")
    assert "pnk sync" in one_line(pnk("ask", "--deep", "--kb", tmp_path, "What is a note?"), 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["note.md"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["ask", "--nonsense", "q"],
        ["nonsense"],
        ["ask"],
        ["ask", "-k", "0", "q"],
        ["ask", "-k", "x", "q"],
    ],
    ids=" ".join,
)
def test_an_unusable_command_line(arguments: list[str]) -> None:
    assert "--help" in one_line(pnk(*arguments), 2)


@pytest.mark.parametrize("question", ["", "   ", "?!"])
def test_an_empty_question(question: str, sample_library: Path) -> None:
    assert "no question" in one_line(pnk("ask", "--deep", "--kb", sample_library, question), 2)


def test_a_question_of_ten_thousand_words(sample_library: Path) -> None:
    ran = pnk("ask", "--deep", "--kb", sample_library, "-", stdin="why " * 10_000)
    assert "too long" in one_line(ran, 2)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[ask]\nkay = 3\n", "ask.kay"),
        ("[aks]\nk = 3\n", "aks"),
        ("[ask]\nk = 'many'\n", "ask.k"),
        ("k = 3\n", "'k'"),
        ("[ask\n", "pinakes-ask.toml"),
        ("[ask]\nk = 0\n", "ask.k"),
    ],
)
def test_a_configuration_that_cannot_be_used(text: str, named: str, tmp_path: Path) -> None:
    (tmp_path / "pinakes-ask.toml").write_text(text, encoding="utf-8")
    assert named in one_line(pnk("config", "--kb", tmp_path), 2)


def test_an_unknown_variable(tmp_path: Path) -> None:
    assert "PNK_ASK_KAY" in one_line(pnk("config", "--kb", tmp_path, env={"PNK_ASK_KAY": "3"}), 2)


def test_a_file_that_is_no_text_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nA good note about herons.\n", encoding="utf-8")
    (tmp_path / "bad.md").write_bytes(b"# Bad\n\n\xff\xfe\x00\x81 not text \x00\xff")
    ran = pnk("sync", "--kb", tmp_path)
    assert "bad.md" in ran.err
    assert "Good" in pnk("ask", "--kb", tmp_path, "What is said about herons?").out


def test_without_git_the_answer_is_recorded_and_not_committed(sample_library: Path, tmp_path: Path) -> None:
    ran = pnk(
        "ask", "--deep", "--json", "--commit", "--kb", sample_library, "--asks", tmp_path / "asks",
        "Who founded the Quist Shipyard?", env={"PATH": str(tmp_path)},
    )  # fmt: skip
    assert ran.code == 0
    assert Path(ran.json()["transcript"]).is_dir()
    assert "not committed" in ran.err


def test_a_merge_of_what_is_not_there_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("", encoding="utf-8")
    merge = ("batch", "merge", "--out", tmp_path / "all.jsonl")
    assert "b.jsonl were not merged" in one_line(pnk(*merge, tmp_path / "a.jsonl", tmp_path / "b.jsonl"), 2)
    absent = ("--questions", tmp_path / "q.jsonl")
    assert "q.jsonl cannot be read" in one_line(pnk(*merge, tmp_path / "a.jsonl", *absent), 2)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
