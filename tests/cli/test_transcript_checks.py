"""``pnk transcripts verify``, ``replay`` and ``rescore``: what a record still says later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.asked import (
    COMPARED,
    NOTHING,
    PLANNED,
    TWO_HOPS,
    changed,
    folder_of,
    transcripts,
)
from tests.cli.pnk import pnk
from transcripts.store import load


def test_verify_finds_sound_runs_sound_and_their_citations_in_place(asked: Path) -> None:
    ran = transcripts(asked, "verify", "--json")
    assert ran.code == 0
    found = ran.json()["runs"]
    assert [one["sound"] for one in found] == [True] * 4
    assert {each["state"] for one in found for each in one["cited"]} == {"same"}


def test_verify_tells_which_cited_sentences_changed_or_vanished(library: Path) -> None:
    people = library / "docs" / "people"
    elspeth = (people / "elspeth-carrow.md").read_text(encoding="utf-8")
    text = elspeth.replace("in Merrowick.", "in Tamber.", 1).replace("They had no children.", "")
    (people / "elspeth-carrow.md").write_text(text, encoding="utf-8")
    (people / "theodora-quist.md").unlink()
    ran = transcripts(library, "verify", "--json")
    assert ran.code == 0, "a library that has changed is no fault"
    states = {
        (each["document"].rsplit("/")[-1], each["state"]) for one in ran.json()["runs"] for each in one["cited"]
    }
    assert {("the-lantern-suite.md", "same"), ("elspeth-carrow.md", "vanished")} <= states
    assert {state for name, state in states if name == "elspeth-carrow.md"} == {"vanished", "changed"}
    assert {state for name, state in states if name == "theodora-quist.md"} == {"document_gone"}
    assert {state for name, state in states if name.startswith("the-")} == {"same"}
    assert "no longer says this" in transcripts(library, "verify").out


@pytest.mark.parametrize("name", ["transcript.json", "path.json", "answer.md"])
def test_verify_finds_what_was_edited_cut_or_removed(name: str, library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    whole = (folder / name).read_text(encoding="utf-8")
    for text in (whole.replace("Merrowick", "Tamber"), whole[:200], None):
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
        ran = transcripts(library, "verify", folder, "--json", "--no-library")
        assert ran.code == 1
        (found,) = ran.json()["runs"]
        assert (found["sound"], any(name in fault for fault in found["faults"])) == (False, True)


def test_verify_finds_a_quote_that_is_not_in_the_evidence(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    answer = load(folder).answer
    cite = answer.statements[0].citations[0].model_copy(update={"quote": "Something else."})
    first = answer.statements[0].model_copy(update={"citations": (cite,)})
    changed(folder, answer=answer.model_copy(update={"statements": (first, *answer.statements[1:])}))
    ran = transcripts(library, "verify", folder, "--no-library")
    assert (ran.code, "quotes something else" in ran.out) == (1, True)


def test_replay_is_identical_without_the_library(asked: Path) -> None:
    for question in (TWO_HOPS, PLANNED, NOTHING, COMPARED):
        ran = transcripts(asked, "replay", folder_of(asked, question), "--json")
        assert ran.code == 0, ran.out
        found = ran.json()
        assert (found["identical"], found["difference"], found["searched"]) == (True, None, "record")
        assert found["fingerprint"]["same"] is True


def test_replay_over_a_changed_library_names_the_first_difference_and_the_new_answer(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    assert transcripts(library, "replay", folder, "--now").code == 0
    file = library / "docs" / "people" / "elspeth-carrow.md"
    file.write_text(file.read_text(encoding="utf-8").replace("in Merrowick.", "in Tamber.", 1), encoding="utf-8")
    assert pnk("sync", "--kb", library).code == 0
    ran = transcripts(library, "replay", folder, "--now", "--json")
    assert ran.code == 1
    found = ran.json()
    assert found["difference"]["path"].startswith(("evidence.", "confidence."))
    assert (found["recorded"]["short_answer"], found["again"]["short_answer"]) == ("Merrowick", "Tamber")
    assert found["fingerprint"]["same"] is False
    without = transcripts(library, "replay", folder)
    assert (without.code, "has changed" in without.err) == (0, True)


def test_replay_names_where_the_program_reasons_otherwise(library: Path) -> None:
    folder = folder_of(library, PLANNED)
    rounds = load(folder).rounds
    changed(folder, rounds=(rounds[0].model_copy(update={"memory": "It was otherwise."}), *rounds[1:]))
    ran = transcripts(library, "replay", folder, "--json")
    assert ran.code == 1
    assert ran.json()["difference"]["path"] == "rounds.1.memory"
    shown = transcripts(library, "replay", folder)
    assert shown.code == 1
    said = " ".join(shown.out.split())
    assert "comes out otherwise. The first difference: rounds.1.memory" in said
    assert "before It was otherwise." in said
    assert "recorded partial: no short answer again partial: no short answer" in said


def test_rescore_keeps_new_scores_beside_the_record_and_never_over_it(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    assert transcripts(library, "rescore").code == 0
    assert not (folder / "rescored.jsonl").exists(), "the same scores are not kept twice"
    score = load(folder).score
    assert score is not None
    old = score.model_copy(update={"verdict": {**score.verdict, "completeness": 0, "class": "broken"}})
    record = changed(folder, score=old)
    ran = transcripts(library, "rescore", "--json")
    (row,) = [one for one in ran.json()["runs"] if one["changed"]]
    assert (row["before"]["completeness"], row["after"]["completeness"], row["saved"]) == (0, 1, True)
    assert load(folder) == record
    transcripts(library, "rescore")
    (line,) = (folder / "rescored.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["verdict"]["completeness"], json.loads(line)["sha256"]) == (1, record.sha256)
    assert "Scored again" in transcripts(library, "show", folder).out
