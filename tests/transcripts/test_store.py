"""Records are written whole, read back equal, and named when they cannot be read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pinakes_ask.asking import Outcome, ask_and_record
from pinakes_ask.settings import Settings
from tests.ask.fakes import CountingIds, QueueModel, TestClock, TextSearcher
from tests.ask.test_loop import DOCUMENTS, QUESTION, replies
from transcripts.errors import TranscriptError
from transcripts.record import canonical
from transcripts.store import load, save


def run(asks: Path, **changes: object) -> Outcome:
    return asyncio.run(
        ask_and_record(
            QUESTION,
            searcher=TextSearcher(DOCUMENTS),
            library_name="texts",
            model=QueueModel(**replies(**changes)),
            settings=Settings(),
            clock=TestClock(),
            ids=CountingIds(),
            asks=asks,
        )
    )


def test_a_record_is_read_back_equal_and_its_seal_holds(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    assert outcome.folder.relative_to(tmp_path).parts[:2] == ("2026", "03")
    read = load(outcome.folder)
    assert read == outcome.transcript
    assert read.sha256 == read.content_hash()


def test_the_record_holds_every_exchange_and_the_text_of_all_evidence(tmp_path: Path) -> None:
    transcript = run(tmp_path).transcript
    assert [one.kind for one in transcript.exchanges] == ["plan", "solve", "solve", "write", "reinfer"]
    assert all(one.reply is not None for one in transcript.exchanges)
    assert {passage.text for passage in transcript.evidence} <= set(DOCUMENTS.values())
    for statement in transcript.answer.statements:
        for cite in statement.citations:
            passage = transcript.evidence[cite.passage - 1]
            start, end = passage.sentences[cite.sentence - 1]
            assert passage.text[start:end] == cite.quote


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = run(tmp_path / "a"), run(tmp_path / "b")
    assert first.folder is not None
    assert second.folder is not None
    for name in ("transcript.json", "path.json", "answer.md"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()


def test_a_changed_record_no_longer_fits_its_seal(tmp_path: Path) -> None:
    transcript = run(tmp_path).transcript
    assert transcript.model_copy(update={"question": "Another?"}).content_hash() != transcript.sha256


def test_an_edited_record_is_not_read_as_if_it_were_whole(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    file = outcome.folder / "transcript.json"
    file.write_text(file.read_text(encoding="utf-8").replace("The Reed", "The Oar"), encoding="utf-8")
    with pytest.raises(TranscriptError, match="was changed"):
        load(outcome.folder)


def test_a_folder_that_cannot_be_written_loses_no_answer(tmp_path: Path) -> None:
    (tmp_path / "asks").write_text("in the way", encoding="utf-8")
    outcome = run(tmp_path / "asks")
    assert outcome.folder is None
    assert outcome.transcript.answer.short_answer == "Dale"
    assert "not saved" in outcome.notes[0]


def test_a_run_that_is_already_there_is_not_overwritten(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    before = (outcome.folder / "answer.md").read_bytes()
    with pytest.raises(TranscriptError):
        save(tmp_path, outcome.transcript.model_copy(update={"status": "failed"}), {"nodes": [], "edges": []})
    assert (outcome.folder / "answer.md").read_bytes() == before
    assert [path.name for path in outcome.folder.parent.iterdir()] == [outcome.folder.name]


@pytest.mark.parametrize("damage", ["", "{", '{"schema_version": 1}', '{"schema_version": 99}', "\x00\x01"])
def test_a_damaged_record_is_named(damage: str, tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    file = outcome.folder / "transcript.json"
    file.write_text(damage, encoding="utf-8")
    with pytest.raises(TranscriptError, match=r"transcript\.json"):
        load(outcome.folder)


def test_canonical_json_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": [2, {"d": 3, "c": 4}]}) == canonical({"a": [2, {"c": 4, "d": 3}], "b": 1})
