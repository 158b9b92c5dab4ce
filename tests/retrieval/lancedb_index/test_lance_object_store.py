"""The tables in an object store, over HTTP: it works, and what the store refuses is said clearly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.pnk import Ran, pnk
from tests.retrieval.conftest import Make
from tests.retrieval.lancedb_index.built import needs_lancedb
from tests.retrieval.lancedb_index.object_store import BUCKET, Store, serving

pytestmark = pytest.mark.slow
FILES: dict[str, str | bytes] = {
    "heron.md": "# The Grey Heron\n\nThe Grey Heron was built by Ann Bell.",
    "ann.md": "# Ann Bell\n\nAnn Bell was born in Corvane.",
    "pinakes-ask.toml": f'[index]\nbackend = "lance"\nuri = "s3://{BUCKET}/some/where"\n',
}
QUESTION = "Where was the builder of The Grey Heron born?"


@pytest.fixture
def store() -> Iterator[Store]:
    needs_lancedb()
    with serving() as store:
        yield store


def run(store: Store, library: Path, *command: str, **changed: str) -> Ran:
    return pnk(*command, "--kb", library, home=library.parent, env={**store.environment, **changed})


def titles(ran: Ran) -> list[str]:
    assert ran.code == 0, ran.err
    return [one["title"] for one in ran.json()["passages"]]


def refused(ran: Ran, *said: str) -> None:
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    for words in said:
        assert words in ran.err


def test_a_library_is_synced_into_it_and_searched_from_it(store: Store, make: Make, tmp_path: Path) -> None:
    library = make(FILES)
    ran = run(store, library, "sync")
    assert ran.out.startswith("2 documents, 2 passages: 2 added"), ran.err
    elsewhere = tmp_path / "worker"
    elsewhere.mkdir()
    (elsewhere / "pinakes-ask.toml").write_bytes((library / "pinakes-ask.toml").read_bytes())
    assert titles(run(store, elsewhere, "search", QUESTION, "--json")) == ["The Grey Heron", "Ann Bell"]
    (library / "ann.md").write_text("# Ann Bell\n\nAnn Bell was born in Sele.")
    assert "1 changed" in run(store, library, "sync").out


def test_what_it_refuses_is_said_and_nothing_is_lost(store: Store, make: Make) -> None:
    library = make(FILES)
    assert run(store, library, "sync").code == 0
    kept = dict(store.objects)
    wrong = {"AWS_ACCESS_KEY_ID": "unknown"}
    for command in (("sync",), ("search", QUESTION)):
        refused(run(store, library, *command, **wrong), "access is refused", "InvalidAccessKeyId", "credentials")
        away = {"AWS_ENDPOINT": "http://127.0.0.1:9"}
        refused(run(store, library, *command, **away), "cannot be reached", "Connection refused")
    store.refuses = True
    (library / "new.md").write_text("# Lamp\n\nThe lamp of Ann Bell.")
    refused(run(store, library, "sync"), "access is refused", "AccessDenied")
    assert titles(run(store, library, "search", QUESTION, "--json")) == ["The Grey Heron", "Ann Bell"]
    assert store.objects == kept
    store.refuses = False
    assert "1 added" in run(store, library, "sync").out


def test_a_bucket_that_is_not_there_is_named(store: Store, make: Make) -> None:
    library = make(
        {**FILES, "pinakes-ask.toml": '[index]\nbackend = "lance"\nuri = "s3://elsewhere/x"\n'},
    )
    for command in (("sync",), ("search", QUESTION)):
        refused(run(store, library, *command), "s3://elsewhere/x", "NoSuchBucket")
