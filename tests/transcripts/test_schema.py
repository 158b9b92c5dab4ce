"""The published schema is the model's, every record fits it, and stored records stay readable for ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pinakes_ask import __version__
from tests.docs.generate_schema import SCHEMA, text
from tests.transcripts.test_store import run
from transcripts.errors import TranscriptError
from transcripts.record import SCHEMA_VERSION
from transcripts.store import load
from transcripts.verify import verify

#: Records that the documentation shows.
SHIPPED = sorted((SCHEMA.parent / "sample" / "asks").rglob("transcript.json"))
#: Records as former versions wrote them, one folder a schema version. They are never changed.
STORED = sorted((Path(__file__).parent / "stored").glob("version-*/*/transcript.json"))


def validate(record: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    checker.validate(record)


def test_the_published_schema_is_current() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == text(), "run: python -m tests.docs.generate_schema"


def test_the_published_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_a_record_fits_the_schema(tmp_path: Path) -> None:
    folder = run(tmp_path).folder
    assert folder is not None
    record = json.loads((folder / "transcript.json").read_text(encoding="utf-8"))
    validate(record)
    with pytest.raises(jsonschema.ValidationError):
        validate({**record, "key": "nothing may be added"})
    with pytest.raises(jsonschema.ValidationError):
        validate({name: value for name, value in record.items() if name != "searches"})


def test_every_version_has_a_stored_record() -> None:
    versions = {int(file.parts[-3].removeprefix("version-")) for file in STORED}
    assert versions == set(range(1, SCHEMA_VERSION + 1))


@pytest.mark.parametrize("file", STORED, ids=lambda file: f"{file.parts[-3]}/{file.parts[-2][:40]}")
def test_a_stored_record_is_read_as_it_was_written(file: Path) -> None:
    record = load(file)
    raw = json.loads(file.read_text(encoding="utf-8"))
    assert record.sha256 == raw["sha256"]
    assert (record.id, record.question, record.status) == (raw["id"], raw["question"], raw["status"])
    assert [passage.text for passage in record.evidence] == [passage["text"] for passage in raw["evidence"]]
    if raw["schema_version"] == SCHEMA_VERSION:
        validate(raw)


def test_a_record_of_a_newer_version_asks_for_an_upgrade(tmp_path: Path) -> None:
    file = tmp_path / "transcript.json"
    file.write_text(json.dumps({"schema_version": SCHEMA_VERSION + 1, "id": "x"}), encoding="utf-8")
    with pytest.raises(TranscriptError, match="Upgrade pinakes-ask") as caught:
        load(tmp_path)
    assert f"schema version {SCHEMA_VERSION + 1}" in caught.value.why


@pytest.mark.parametrize("version", ["1", 1.5, None, 0, -1, [1]])
def test_a_version_that_is_none_is_named(version: object, tmp_path: Path) -> None:
    (tmp_path / "transcript.json").write_text(json.dumps({"schema_version": version}), encoding="utf-8")
    with pytest.raises(TranscriptError, match="schema_version"):
        load(tmp_path)


@pytest.mark.parametrize("text", ["NaN", '{"schema_version": 1, "usage": NaN}', "[" * 100_000, "[]", "null", "1"])
def test_what_is_no_record_is_named_and_no_crash(text: str, tmp_path: Path) -> None:
    (tmp_path / "transcript.json").write_text(text, encoding="utf-8")
    with pytest.raises(TranscriptError, match="cannot be used"):
        load(tmp_path)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.parts[-2][:40])
def test_a_record_in_the_documentation_fits_the_schema_and_is_sound(file: Path) -> None:
    validate(json.loads(file.read_text(encoding="utf-8")))
    found = verify(file.parent, version=__version__)
    assert (found.faults, found.notes) == ((), ())
