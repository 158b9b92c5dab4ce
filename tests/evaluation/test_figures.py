"""Figures: every answer is counted, in a mean or as missing; groups; comparison over the common questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pinakes_ask.evaluation.comparison import compare_runs
from pinakes_ask.evaluation.figures import figures_of
from pinakes_ask.evaluation.measured import Measured, read_measured, write_measured
from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.evaluation.reliability import calibration_of
from retrieval.errors import UsageError
from tests.evaluation.made import row

ROWS = [
    row("a", exact_match=1, f1=1, hops=2),
    row("b", exact_match=0, f1=0.5, hops=2),
    row("c", f1=0, hops=4, missing="no reason to"),
    row("d", exact_match=1, hops=None, type=None),
]


def test_every_answer_is_in_a_mean_or_counted_as_missing() -> None:
    figures = figures_of(ROWS, METRICS, 0)
    for group in (figures.all, *figures.by_type, *figures.by_hops):
        for one in group.figures:
            assert one.mean.count + sum(one.missing.values()) == group.questions
    found = figures.all.figure("exact_match")
    assert (found.mean.mean, found.mean.count, found.missing) == (pytest.approx(2 / 3), 3, {"no reason to": 1})
    assert figures.all.figure("f1").missing == {"not here": 1}


def test_what_no_answer_has_is_null_and_never_nought() -> None:
    nothing = figures_of(ROWS, METRICS, 0).all.figure("cost").to_json()
    assert nothing == {
        "mean": None,
        "low": None,
        "high": None,
        "count": 0,
        "missing": {"no reason to": 1, "not here": 3},
    }


def test_groups_are_by_type_and_hops_and_the_unknown_is_a_group() -> None:
    figures = figures_of(ROWS, METRICS, 0)
    assert [(one.name, one.questions) for one in figures.by_hops] == [("2", 2), ("4", 1), ("unknown", 1)]
    assert [one.name for one in figures.by_type] == ["bridge", "unknown"]
    assert figures.by_hops[0].figure("f1").mean.mean == 0.75


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    rows = [*ROWS, row("ü", answer=None, question="a\u2028b", confidence=0.5, covered=True)]
    write_measured(rows, tmp_path / "measured.jsonl")
    assert read_measured(tmp_path / "measured.jsonl") == rows


@pytest.mark.parametrize("text", ["{", '{"id": 1}', "[]", "3"])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "measured.jsonl").write_text(text)
    with pytest.raises(UsageError, match="something else"):
        read_measured(tmp_path / "measured.jsonl")


def test_runs_are_compared_on_the_questions_that_both_measured() -> None:
    here = [row("a", exact_match=1, f1=1), row("b", exact_match=1, f1=0.5), row("c", f1=1), row("only", f1=1)]
    there = [row("c", exact_match=1, f1=0), row("b", exact_match=0, f1=0.5), row("a", exact_match=1, f1=0.5)]
    found = compare_runs(here, there, "base", METRICS, 0)
    assert (found.common, found.only_here, found.only_there) == (3, 1, 0)
    one = next(each for each in found.differences if each.metric.name == "exact_match")
    assert (one.paired.wins, one.paired.losses, one.only_here, one.only_there) == (1, 0, 0, 1)
    assert one.paired.test == "exact McNemar"
    f1 = next(each for each in found.differences if each.metric.name == "f1")
    assert f1.paired.difference.mean == pytest.approx(0.5)
    assert f1.paired.test == "permutation (sign flips)"
    assert json.dumps(found.to_json(), allow_nan=False)


def test_only_what_is_shown_is_called_better_and_less_cost_is_better() -> None:
    here = [row(str(n), exact_match=1, calls=1, coverage=1, f1=n % 2) for n in range(12)]
    there = [row(str(n), exact_match=0, calls=9, coverage=0, f1=(n + 1) % 2) for n in range(12)]
    found = {one.metric.name: one.better for one in compare_runs(here, there, "base", METRICS, 0).differences}
    assert (found["exact_match"], found["calls"], found["coverage"], found["f1"]) == (True, True, None, None)
    worse = {one.metric.name: one.better for one in compare_runs(there, here, "base", METRICS, 0).differences}
    assert (worse["exact_match"], worse["calls"]) == (False, False)


def test_runs_over_other_questions_are_not_compared() -> None:
    with pytest.raises(UsageError, match="no question in common"):
        compare_runs([row("a")], [row("b")], "base", METRICS, 0)
    with pytest.raises(UsageError, match="another question there"):
        compare_runs([row("a")], [row("a", question="Which?")], "base", METRICS, 0)


def probable(chance: float | None, covered: bool | None, count: int) -> list[Measured]:
    return [row(f"{chance}{covered}{n}", confidence=chance, covered=covered) for n in range(count)]


def test_the_calibration_error_by_hand() -> None:
    # In one bin 0.95 was given and 0.5 found, in the other 0.25 and 0.25; weighted 10 and 40 of 50.
    rows = [
        *probable(0.95, True, 5),
        *probable(0.95, False, 5),
        *probable(0.25, True, 10),
        *probable(0.25, False, 30),
    ]
    found = calibration_of([*rows, *probable(None, True, 3), *probable(0.5, None, 2)])
    assert (found.questions, found.unknown) == (50, 5)
    assert found.ece == pytest.approx(0.45 * 10 / 50)
    assert [(one.count, one.covered) for one in found.bins] == [(40, 0.25), (10, 0.5)]


def test_without_probabilities_nothing_is_said_of_them() -> None:
    found = calibration_of(ROWS)
    assert (found.ece, found.auroc, found.bins, found.unknown) == (None, None, (), 4)
