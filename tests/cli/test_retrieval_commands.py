"""``pnk search``, ``doctor`` and ``calibrate`` as a user runs them, on the sample library."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.pnk import pnk

QUESTION = "Where was the composer of The Lantern Suite born?"
KEYS = {
    "schema_version",
    "question",
    "confidence",
    "confidence_reason",
    "threshold",
    "enough",
    "signals",
    "passages",
}


def test_json_holds_all_keys_and_says_how_each_hit_was_reached(sample_library: Path) -> None:
    shown = json.loads(pnk("search", "--json", "-k", "5", "--kb", str(sample_library), QUESTION).out)
    assert set(shown) == KEYS
    assert shown["signals"] is None
    hops = [
        reach for hit in shown["passages"] for reach in hit["reached_by"] if reach["hops"] >= 1 and reach["source"]
    ]
    assert hops
    for hit in shown["passages"]:
        text = (sample_library / hit["location"]).read_text("utf-8") if hit["location"].endswith(".md") else None
        assert text is None or text[hit["start"] : hit["end"]] == hit["text"]
    explained = json.loads(pnk("search", "--json", "--explain", "--kb", str(sample_library), QUESTION).out)
    assert explained["signals"]
    assert all(hit["signals"] for hit in explained["passages"])


def test_the_table_is_for_people(sample_library: Path) -> None:
    ran = pnk("search", "--kb", str(sample_library), "--explain", QUESTION)
    assert ran.code == 0
    assert "The Lantern Suite" in ran.out
    assert "reached by" in ran.out
    assert "onfidence" in ran.out


def test_many_questions_in_one_process(sample_library: Path, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        json.dumps({"id": "a", "question": QUESTION}) + "\n\n" + json.dumps({"question": "ferry"}) + "\n"
    )
    lines = [
        json.loads(line)
        for line in pnk("search", "--kb", str(sample_library), "--questions", str(file)).out.splitlines()
    ]
    assert [line["id"] for line in lines] == ["a", "3"]
    for line in lines:
        assert set(line) == {"id", "question", "confidence", "passages"}
        for hit in line["passages"]:
            assert set(hit) == {"rank", "document", "title", "text", "score", "reached_by"}


@pytest.mark.parametrize(
    ("line", "said"), [("no json", "is not JSON"), ('{"question": ""}', "asks nothing"), ("[1]", "asks nothing")]
)
def test_a_bad_line_is_named_before_anything_is_searched(
    sample_library: Path, tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"question": "ferry"}) + "\n" + line)
    ran = pnk("search", "--kb", str(sample_library), "--questions", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert "Line 2" in ran.err
    assert said in ran.err


@pytest.mark.parametrize(
    "arguments",
    [("",), ("?!",), ("x", "--questions", "y"), ("--tag",), ("x", "-k", "0"), ("x", "--source-type", "film")],
)
def test_calls_that_cannot_be_used(sample_library: Path, arguments: tuple[str, ...]) -> None:
    ran = pnk("search", "--kb", str(sample_library), *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")


def test_nothing_left_by_the_filters_is_no_error_but_no_success(sample_library: Path) -> None:
    ran = pnk("search", "--kb", str(sample_library), "--path-prefix", "nowhere/", "--json", QUESTION)
    assert ran.code == 1
    assert json.loads(ran.out)["passages"] == []


def test_an_unknown_reranker_is_named(sample_library: Path) -> None:
    ran = pnk("search", "--kb", str(sample_library), "--reranker", "no-such-model", QUESTION)
    assert ran.code == 1
    assert "no-such-model" in ran.err


def test_doctor_tells_sound_from_changed_from_broken(sample_library: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(sample_library, library)
    ran = pnk("sync", "--kb", str(library))
    assert ran.code == 0
    sound = json.loads(pnk("doctor", "--json", "--kb", str(library)).out)
    assert sound["healthy"]
    assert sound["waiting"] == sound["faults"] == sound["orphans"] == []
    (library / "docs" / "new.md").write_text("new")
    (library / ".pinakes-ask" / "generations" / "000099.unfinished").mkdir()
    changed = pnk("doctor", "--kb", str(library))
    assert changed.code == 0
    assert "new: docs/new.md" in changed.out
    assert "000099.unfinished" in changed.out
    vectors = next((library / ".pinakes-ask").glob("generations/*/vectors.npy"))
    vectors.write_bytes(vectors.read_bytes()[:-4])
    broken = pnk("doctor", "--kb", str(library))
    assert broken.code == 1
    assert "fault" in broken.out


def test_calibrate_prints_and_writes_only_when_told(sample_library: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(sample_library, library)
    text = (Path(__file__).parents[2] / "docs" / "sample" / "questions.jsonl").read_text("utf-8")
    questions = [json.loads(line) for line in text.splitlines()]
    labelled = tmp_path / "labelled.jsonl"
    rows = [{"question": q["question"], "documents": q["supporting"]} for q in questions] * 2
    rows += [{"question": f"Who was the mother of person {n}?", "documents": []} for n in range(20)]
    labelled.write_text("\n".join(map(json.dumps, rows)))
    own = library / ".pinakes-ask" / "calibration.json"
    shown = json.loads(pnk("calibrate", "--json", "--kb", str(library), str(labelled)).out)
    assert shown["questions"] == 60
    assert shown["written"] is None
    assert not own.exists()
    ran = pnk("calibrate", "--write", "--kb", str(library), str(labelled))
    assert ran.code == 0
    assert "ECE" in ran.out
    assert own.exists()
    assert json.loads(pnk("doctor", "--json", "--kb", str(library)).out)["calibration"] == "own"
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps(rows[0]))
    ran = pnk("calibrate", "--kb", str(library), str(few))
    assert ran.code == 2
    assert "at least 40" in ran.err
