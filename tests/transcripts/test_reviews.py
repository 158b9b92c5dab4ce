"""Reviews only accumulate, the last one counts, and nothing that goes wrong takes another one along."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from retrieval.errors import UsageError
from tests.transcripts.test_store import run
from transcripts.errors import TranscriptError
from transcripts.record import Transcript
from transcripts.reviews import NOTE_LIMIT, REVIEWS, add_review, read_reviews
from transcripts.store import load

TIME = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
WHO = "Ada Example <ada@example.org>"


@pytest.fixture
def record(tmp_path: Path) -> tuple[Path, Transcript]:
    """A saved run: its folder and its record."""
    outcome = run(tmp_path)
    assert outcome.folder is not None
    return outcome.folder, outcome.transcript


def test_a_run_that_nobody_judged_has_no_review(record: tuple[Path, Transcript]) -> None:
    reviews = read_reviews(record[0])
    assert reviews.last is None
    assert reviews.problems == ()


def test_the_last_review_counts_and_all_are_kept(record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    first = add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    second = add_review(folder, transcript, "reject", reviewer=WHO, time=TIME, note='Not so:\n"Dale" — {no}')
    reviews = read_reviews(folder)
    assert reviews.all == (first, second)
    assert reviews.last == second
    assert second.is_of(transcript)
    assert len((folder / REVIEWS).read_text(encoding="utf-8").splitlines()) == 2


def test_a_review_changes_nothing_in_the_record(record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert load(folder) == transcript


def test_a_review_says_which_record_it_judged(record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    review = add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    assert not review.is_of(transcript.model_copy(update={"question": "Another?"}).sealed())


@pytest.mark.parametrize("cut", [1, 2, 40, -1])
def test_a_line_cut_short_is_named_and_the_others_stay(cut: int, record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    first = add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    file = folder / REVIEWS
    whole = file.read_bytes()
    file.write_bytes(whole + whole.rstrip(b"\n")[:cut])
    cut_short = read_reviews(folder)
    assert cut_short.all == (first,)
    assert "line 2 was skipped" in cut_short.problems[0]
    third = add_review(folder, transcript, "reject", reviewer=WHO, time=TIME)
    after = read_reviews(folder)
    assert after.all == (first, third)
    assert len(after.problems) == 1


@pytest.mark.parametrize(
    "line", [b"\xff\xfe", b"[]", b'{"verdict":"perhaps"}', b"null", b"[" * 100_000, b'{"time":"2026-03-02"}']
)
def test_a_foreign_line_is_named_wherever_it_stands(line: bytes, record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    (folder / REVIEWS).write_bytes(line + b"\n")
    review = add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    reviews = read_reviews(folder)
    assert reviews.last == review
    assert "line 1 was skipped" in reviews.problems[0]


def test_many_who_judge_at_once_all_leave_their_line(record: tuple[Path, Transcript]) -> None:
    folder, _ = record
    code = (
        "import sys; from datetime import UTC, datetime; from pathlib import Path\n"
        "from transcripts.reviews import add_review; from transcripts.store import load\n"
        "folder = Path(sys.argv[1]); record = load(folder); at = datetime(2026, 3, 2, tzinfo=UTC)\n"
        "for turn in range(50):\n"
        "    add_review(folder, record, 'accept', reviewer=sys.argv[2], time=at, note=f'{turn} ' + 'x' * 3000)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(folder), f"writer {n}"]) for n in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 4
    reviews = read_reviews(folder)
    assert reviews.problems == ()
    said = [(review.reviewer, review.note.split()[0]) for review in reviews.all]
    assert sorted(said) == sorted((f"writer {n}", str(turn)) for n in range(4) for turn in range(50))


def test_a_note_without_end_is_refused(record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    with pytest.raises(UsageError, match="Shorten the note"):
        add_review(folder, transcript, "accept", reviewer=WHO, time=TIME, note="x" * (NOTE_LIMIT + 1))
    assert not (folder / REVIEWS).exists()


def test_a_place_that_cannot_be_written_is_named(record: tuple[Path, Transcript]) -> None:
    folder, transcript = record
    (folder / REVIEWS).mkdir()
    with pytest.raises(TranscriptError, match=r"reviews\.jsonl"):
        add_review(folder, transcript, "accept", reviewer=WHO, time=TIME)
    with pytest.raises(TranscriptError, match=r"reviews\.jsonl"):
        read_reviews(folder)
