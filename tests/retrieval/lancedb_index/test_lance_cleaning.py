"""Old versions go when nobody can be reading them any more, and not before."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from retrieval.lance import schema
from retrieval.lance.cleaning import clean, readable
from retrieval.lance.log import Generation, Log, read_log
from retrieval.lance.tables import Tables
from retrieval.library import Library
from retrieval.syncing import sync
from retrieval.testing import HashEmbedder
from tests.retrieval.conftest import Make


def test_a_generation_may_be_open_for_a_week_after_it_was_replaced() -> None:
    def generation(version: int) -> Generation:
        return Generation("model", str(version), "library", 1, 1, 1, {schema.FILES: version})

    start = datetime(2026, 1, 1, tzinfo=UTC)
    # Made on days 0, 10 and 12; the first one was replaced on day 10.
    times = {1: start, 2: start + timedelta(days=10), 3: start + timedelta(days=12)}
    first, second, third = (generation(version) for version in (1, 2, 3))
    log = Log(3, schema.FORMAT, {1: first, 2: second, 3: third})
    assert readable(log, times) == {3: third, 2: second, 1: first}
    later = {**times, 3: start + timedelta(days=18)}
    assert readable(log, later) == {3: third, 2: second}


@pytest.mark.slow
def test_what_is_not_needed_is_removed_and_the_current_generation_stays(
    make: Make, uri: str, embedder: HashEmbedder
) -> None:
    library = make({"a.md": "# A\n\nThe first of them.", "b.md": "# B\n\nThe second of them."})
    tables = Tables(uri)
    for number in range(4):
        if number == 3:
            time.sleep(3)
        (library / "a.md").write_text(f"# A\n\nThe first of them, for time {number}.")
        sync(library, embedder=embedder, uri=uri)
    before = {name: len(tables.open(name).list_versions()) for name in schema.WHOLE}
    assert min(before.values()) >= 4, "a week has not passed"
    assert len(read_log(tables).generations) == 4
    clean(tables, timedelta(0), timedelta(seconds=2.5))
    after = {name: len(tables.open(name).list_versions()) for name in (*schema.WHOLE, schema.PASSAGES)}
    assert all(after[name] < before.get(name, 9) for name in after)
    with Library.open(library, embedder=embedder, uri=uri) as opened:
        assert [passage.text.split()[-1] for passage in opened.passages()] == ["3.", "them."]
        assert opened.search(["first"])[0].hits
    assert sync(library, embedder=embedder, uri=uri).unchanged == 2
    assert list(read_log(tables).generations) == [4]
