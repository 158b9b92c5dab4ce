"""Whatever lies in the folder of records, a list of them is made, and each row of it can be used."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pinakes_ask.cli.transcripts.show_rows import show_rows
from transcripts.cache import CACHE
from transcripts.filtering import SORTS, Choice, ordered, read_condition
from transcripts.links import suggest
from transcripts.listing import Listing, list_runs
from transcripts.reviews import add_review
from transcripts.stats import PERIODS, figures, trend
from transcripts.store import load
from transcripts.summary import Summary

STORED = Path(__file__).parent / "stored" / "version-1"
ODD: tuple[Any, ...] = (None, True, -1, 1e400, "x", "2026-03-01", [], {}, [None], {"x": None}, "\ud800")


@pytest.fixture
def asks(tmp_path: Path) -> Path:
    """Three records."""
    shutil.copytree(STORED, tmp_path / "asks" / "2026" / "03")
    return tmp_path / "asks"


def use(listing: Listing) -> None:
    """Do with all rows what the commands do."""
    Choice(since=datetime(2020, 1, 1, tzinfo=UTC), text="a", scores=(read_condition("E<1"),)).of(listing.runs)
    for by in SORTS:
        ordered(listing.runs, by, descending=True)
    for by in PERIODS:
        trend(listing.runs, by)
    json.dumps([figures(listing.runs), [run.to_json() for run in listing.runs]], allow_nan=False)
    suggest(listing.runs)
    show_rows(Console(file=StringIO()), listing.runs, 6)


def places(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside, but for long lists, of which the first item stands for all."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, *path, key)
    elif isinstance(value, list) and value:
        yield from places(value[0], *path, 0)


def test_a_record_with_an_odd_value_anywhere_is_a_row_or_a_problem(asks: Path) -> None:
    file = next(asks.rglob("*who-took-over*/transcript.json"))
    whole = file.read_text(encoding="utf-8")
    parts = ("exchanges", "evidence", "searches", "rounds", "settings")  # a row holds nothing of these
    tried = [path for path in places(json.loads(whole)) if path[0] not in parts]
    assert len(tried) > 80
    for number, path in enumerate(tried):
        record = json.loads(whole)
        at = record
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = ODD[number % len(ODD)]
        file.write_text(json.dumps(record), encoding="utf-8")
        listing = list_runs(asks, asks.parent / CACHE)
        assert len(listing.runs) + len(listing.problems) == 3, path
        use(listing)


def test_rows_that_were_kept_are_those_that_were_read(asks: Path, tmp_path: Path) -> None:
    folder = next(asks.rglob("*author-of-the-reed*"))
    when = datetime(2026, 3, 2, tzinfo=UTC)
    add_review(folder, load(folder), "accept", reviewer="Rita", time=when, note="good")
    first = list_runs(asks, tmp_path / CACHE)
    again = list_runs(asks, tmp_path / CACHE)
    assert (again, list_runs(asks)) == (first, first)
    assert {run.review for run in again.runs} == {None, "accept"}


def test_a_kept_row_is_read_again_when_its_record_or_its_reviews_change(asks: Path, tmp_path: Path) -> None:
    read: list[int] = []
    cache = tmp_path / CACHE

    def listed() -> int:
        read.clear()
        list_runs(asks, cache, lambda done, total: read.append(done))
        return len(read)

    assert (listed(), listed()) == (3, 0)
    folder = next(asks.rglob("*author-of-the-reed*"))
    add_review(folder, load(folder), "reject", reviewer="Rita", time=datetime(2026, 3, 2, tzinfo=UTC))
    assert (listed(), listed()) == (1, 0)
    (folder / "transcript.json").write_text("{", encoding="utf-8")
    assert (listed(), listed()) == (1, 0)
    assert len(list_runs(asks, cache).problems) == 1


@pytest.mark.parametrize("damage", [b"", b"not a database", None])
def test_a_damaged_database_is_made_anew(damage: bytes | None, asks: Path, tmp_path: Path) -> None:
    cache = tmp_path / CACHE
    list_runs(asks, cache)
    cache.write_bytes(cache.read_bytes()[:5000] if damage is None else damage)
    assert [len(list_runs(asks, cache).runs) for _ in range(3)] == [3, 3, 3]


def test_a_database_that_cannot_be_written_is_done_without(asks: Path, tmp_path: Path) -> None:
    assert len(list_runs(asks, tmp_path / "nowhere" / CACHE).runs) == 3
    (tmp_path / "folder").mkdir()
    assert len(list_runs(asks, tmp_path / "folder").runs) == 3


def test_two_folders_of_records_share_a_database_and_no_row(asks: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(next(asks.rglob("*author-of-the-reed*")), other / "2026" / "03" / "renamed")
    cache = tmp_path / CACHE
    assert [len(list_runs(place, cache).runs) for place in (asks, other, asks, other)] == [3, 1, 3, 1]
    assert list_runs(other, cache).runs[0].folder == "2026/03/renamed"


def test_measures_that_are_not_known_come_last_in_every_order(asks: Path) -> None:
    for descending in (True, False):
        rows = ordered(list_runs(asks).runs, "completeness", descending=descending)
        assert [row.completeness is None for row in rows] == sorted(row.completeness is None for row in rows)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [("C=1", True), ("c = 0", False), ("E>=0.5", True), ("E<.5", False), ("D!=1", False), ("D=null", False),
     ("D!=null", True)],
)  # fmt: skip
def test_conditions_on_scores(condition: str, holds: bool, asks: Path) -> None:
    (run,) = [one for one in list_runs(asks).runs if one.completeness == 1]
    assert isinstance(run, Summary)
    assert read_condition(condition).holds(run) is holds
