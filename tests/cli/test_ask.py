"""``pnk ask`` on the sample library, as a user runs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.pnk import pnk
from transcripts.store import load

QUESTION = "Where was the composer of The Lantern Suite born?"
KEYS = {
    "schema_version", "question", "status", "stop_reason", "short_answer", "statements", "confidence", "plan",
    "score", "usage", "transcript", "warnings",
}  # fmt: skip
SCORE_KEYS = {"anchor", "completeness", "essentiality", "determinateness", "class", "gap", "citations"}


def test_a_two_hop_answer_cites_both_sentences_and_is_recorded(sample_library: Path, tmp_path: Path) -> None:
    ran = pnk("ask", "--deep", "--json", "--kb", sample_library, "--asks", tmp_path, QUESTION)
    assert ran.code == 0
    result = ran.json()
    assert set(result) == KEYS
    assert set(result["score"]) == SCORE_KEYS
    assert (result["status"], result["short_answer"]) == ("answered", "Merrowick")
    cited = [cite for statement in result["statements"] for cite in statement["citations"]]
    assert {cite["document"] for cite in cited} == {
        "docs/works/the-lantern-suite.md",
        "docs/people/elspeth-carrow.md",
    }
    assert all(set(cite) == {"passage", "sentence", "document", "title", "quote"} for cite in cited)
    assert all(cite["quote"] for cite in cited)
    assert (result["score"]["completeness"], result["score"]["determinateness"]) == (1, 1)
    folder = Path(result["transcript"])
    assert sorted(file.name for file in folder.iterdir()) == ["answer.md", "path.json", "transcript.json"]
    record = load(folder)
    assert record.content_hash() == record.sha256
    path = json.loads((folder / "path.json").read_text(encoding="utf-8"))
    assert [edge["citations"][0]["document"] for edge in path["edges"]] == [cite["document"] for cite in cited]


def test_every_citation_is_a_sentence_of_the_document_that_it_names(sample_library: Path) -> None:
    for deep in ((), ("--deep", "--no-save")):
        result = pnk("ask", *deep, "--json", "--kb", sample_library, QUESTION).json()
        cited = [cite for one in result["statements"] for cite in one["citations"]] or result["passages"]
        assert cited
        for one in cited:
            text = (sample_library / one["document"]).read_text(encoding="utf-8")
            shown = one["quote"] if "quote" in one else one["text"]
            assert shown
            assert " ".join(shown.split()) in " ".join(text.split())


def test_two_documents_of_one_title_are_told_apart_and_both_cited(tmp_path: Path) -> None:
    for folder, town in (("north", "Dale"), ("south", "Hull")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.md").write_text(
            f"# Notes\n\nThe {folder} mill was built by Ann Bell.\n\nThe {folder} mill stands in {town}.\n"
        )
    pnk("sync", "--kb", tmp_path)
    asked = "In which towns do the north mill and the south mill stand?"
    result = pnk("ask", "--deep", "--json", "--no-save", "--kb", tmp_path, asked).json()
    quoted = {cite["quote"]: cite["document"] for one in result["statements"] for cite in one["citations"]}
    assert quoted["The north mill stands in Dale."] == "north/notes.md"
    assert quoted["The south mill stands in Hull."] == "south/notes.md"
    hits = pnk("search", "--json", "--kb", tmp_path, asked).json()["passages"]
    assert {hit["passage"] for hit in hits} == {"north/notes.md#0", "south/notes.md#0"}


def test_for_a_person_it_prints_answer_sources_plan_scores_and_transcript(
    sample_library: Path, tmp_path: Path
) -> None:
    ran = pnk("ask", "--deep", "--kb", sample_library, "--asks", tmp_path, QUESTION)
    assert ran.code == 0
    for part in ("Merrowick", "[1]", "Sources", "LogicScore", "Transcript:", "it quotes your documents"):
        assert part in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("command", [("ask", "--deep", "--no-save"), ("ask",), ("search",)], ids=" ".join)
def test_in_a_pipe_no_line_ends_in_spaces(command: tuple[str, ...], sample_library: Path) -> None:
    ran = pnk(*command, "--kb", sample_library, QUESTION)
    assert len(ran.out.splitlines()) > 3
    assert [line for line in ran.out.splitlines() if line != line.rstrip()] == []
    assert ran.out.endswith("\n")


def test_an_unanswerable_question_is_refused(sample_library: Path, tmp_path: Path) -> None:
    ran = pnk(
        "ask", "--deep", "--json", "--kb", sample_library, "--asks", tmp_path,
        "Who was the mother of the astronomer Theodora Quist?",
    )  # fmt: skip
    assert ran.code == 0
    result = ran.json()
    assert (result["status"], result["short_answer"]) == ("partial", None)
    assert 1 <= len(result["statements"]) <= 6
    assert any("withheld" in warning for warning in result["warnings"])
    assert set(result) == KEYS
    assert set(result["score"]) == SCORE_KEYS


def test_without_deep_it_prints_evidence_and_writes_nothing(sample_library: Path) -> None:
    ran = pnk("ask", "--json", "--kb", sample_library, QUESTION)
    assert ran.code == 0
    assert set(ran.json()) >= KEYS
    assert "The Lantern Suite" in [passage["title"] for passage in ran.json()["passages"]]
    assert not (sample_library / "asks").exists()


def test_the_question_can_come_from_standard_input(sample_library: Path) -> None:
    ran = pnk("ask", "--deep", "--no-save", "--json", "--kb", sample_library, "-", stdin=QUESTION + "\n")
    assert ran.json()["short_answer"] == "Merrowick"
    assert ran.json()["transcript"] is None


def test_the_answer_is_printed_when_the_transcript_cannot_be_saved(sample_library: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    ran = pnk("ask", "--deep", "--json", "--kb", sample_library, "--asks", tmp_path / "file", QUESTION)
    assert ran.code == 0
    assert ran.json()["short_answer"] == "Merrowick"
    assert ran.json()["transcript"] is None
    assert "transcript was not saved" in ran.err


def test_strict_passes_a_sound_answer(sample_library: Path) -> None:
    assert pnk("ask", "--deep", "--no-save", "--strict", "--kb", sample_library, QUESTION).code == 0


def test_a_bounded_run_says_which_bound_ended_it(sample_library: Path) -> None:
    ran = pnk(
        "ask", "--deep", "--no-save", "--json", "--max-calls", 1, "--kb", sample_library,
        "Who took over as principal keeper from the father of Elspeth Carrow?",
    )  # fmt: skip
    assert (ran.json()["status"], ran.json()["stop_reason"], ran.code) == ("partial", "budget", 0)


@pytest.mark.parametrize("flag", [["--strict"], ["--force-answer"], ["--max-rounds", "2"], ["--no-save"]])
def test_a_flag_that_does_nothing_without_deep_is_named(flag: list[str], sample_library: Path) -> None:
    ran = pnk("ask", *flag, "--kb", sample_library, QUESTION)
    assert ran.code == 2
    assert flag[0] in ran.err


@pytest.mark.parametrize(
    "question",
    [
        "Who was born earlier, Dunstan Ferrow or Dunstan Ferrow?",
        "Who played {007} in the film {1}?",
        "Who is [bold]Elspeth[/] (Carrow)? ]( \\",
        "¿Dónde nació Séverine Almássy?",
        "エルスペスはどこで生まれた？",
    ],
)
def test_a_strange_question_is_answered_or_refused_and_never_a_crash(question: str, sample_library: Path) -> None:
    ran = pnk("ask", "--deep", "--no-save", "--json", "-v", "--kb", sample_library, question)
    assert ran.code in (0, 1)
    assert ran.json()["status"] in ("answered", "partial", "no_evidence")


def test_controls_in_a_question_do_not_reach_the_terminal(sample_library: Path) -> None:
    question = "Where was \x1b]0;x\x07 Elspeth Carrow \u202eborn?"
    ran = pnk("ask", "--deep", "--no-save", "-v", "--kb", sample_library, question)
    assert not set("\x1b\x07\u202e") & set(ran.out + ran.err)


def test_output_is_utf_8_whatever_the_locale(sample_library: Path) -> None:
    ran = pnk(
        "ask", "--deep", "--no-save", "--kb", sample_library, "Where was Séverine Almássy born?",
        env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert ran.code == 0
    assert "Almássy" in ran.out


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_in_a_git_library_the_record_is_committed_alone(sample_library: Path, tmp_path: Path) -> None:
    import shutil

    library = tmp_path / "library"
    shutil.copytree(sample_library, library)
    git(library, "init", "--quiet")
    git(library, "config", "user.name", "Test")
    git(library, "config", "user.email", "test@example.org")
    assert pnk("init", library).code == 0
    git(library, "add", "-A")
    git(library, "commit", "--quiet", "-m", "start")
    (library / "docs" / "staged.md").write_text("# Staged\n", encoding="utf-8")
    git(library, "add", "docs/staged.md")
    (library / "docs" / "loose.md").write_text("# Loose\n", encoding="utf-8")
    before = git(library, "status", "--porcelain")
    ran = pnk("ask", "--deep", "--json", "--kb", library, QUESTION, cwd=library)
    assert ran.code == 0
    assert git(library, "status", "--porcelain") == before
    changed = git(library, "show", "--name-only", "--format=%s", "HEAD").split("\n")
    assert changed[0].startswith("Ask: Where was the composer")
    folder = ran.json()["transcript"]
    assert sorted(filter(None, changed[1:])) == [
        f"{folder}/{name}" for name in ("answer.md", "path.json", "transcript.json")
    ]


@pytest.mark.parametrize("number", range(20))
def test_the_sample_questions_are_answered_right_or_not_at_all(
    number: int, sample_answers: list[dict[str, object]]
) -> None:
    row = sample_answers[number]
    assert row["short_answer"] in (row["gold"], None)


def test_most_sample_questions_are_answered(sample_answers: list[dict[str, object]]) -> None:
    answerable = [row for row in sample_answers if row["gold"] is not None]
    assert sum(row["short_answer"] == row["gold"] for row in answerable) >= 11


@pytest.fixture(scope="module")
def sample_answers(sample_library: Path) -> list[dict[str, object]]:
    """Every sample question asked, in one process."""
    import asyncio

    from pinakes_ask.check import SelfCheck
    from pinakes_ask.loop import Loop
    from pinakes_ask.models.extractive.model import ExtractiveModel
    from pinakes_ask.seams import SystemClock
    from pinakes_ask.settings import Settings
    from retrieval.library import Library
    from tests.conftest import SAMPLE

    rows: list[dict[str, object]] = []
    model = ExtractiveModel()
    with Library.open(sample_library) as library:
        for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            loop = Loop(library, model, SelfCheck(), Settings(), SystemClock())
            run = asyncio.run(loop.ask(asked["question"]))
            rows.append({"gold": asked["answer"], "short_answer": run.answer.short_answer})
    return rows
