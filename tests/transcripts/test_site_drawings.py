"""Drawings: boxes do not overlap, ranks go down, nothing is cut without a sign, and chaos draws too."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcripts.record import PlanInfo, PlanNode
from transcripts.site.diagrams import Diagram
from transcripts.site.layout import Box, Join, draw
from transcripts.site.path_drawing import path_drawing
from transcripts.site.path_file import RecoveredPath
from transcripts.site.plan_drawing import plan_drawing, plan_ranks
from transcripts.site.wrapping import width, wrap


def node(number: int, *needs: int, question: str = "Who?", answer: str | None = "Ann") -> PlanNode:
    return PlanNode(
        id=number, question=question, asked=question, kind="find", needs=needs, grown=False,
        status="supported" if answer else "unsupported", answer=answer,
    )  # fmt: skip


def overlaps(diagram: Diagram) -> list[str]:
    return [
        f"{one.full} / {other.full}"
        for one, other in combinations(diagram.shapes, 2)
        if one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.floats(10, 300), st.floats(10, 120)), min_size=1, max_size=12
    ),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20),
)  # fmt: skip
def test_boxes_stay_apart_and_inside_whatever_is_joined(
    sizes: list[tuple[int, float, float]], pairs: list[tuple[int, int]]
) -> None:
    boxes = [Box(str(index), rank, wide, high) for index, (rank, wide, high) in enumerate(sizes)]
    drawing = draw(boxes, [Join(str(source), str(target)) for source, target in pairs])
    for one, other in combinations(boxes, 2):
        (x, y), (u, v) = drawing.corners[one.key], drawing.corners[other.key]
        apart = x + one.width <= u or u + other.width <= x or y + one.height <= v or v + other.height <= y
        assert apart
        if one.rank < other.rank:
            assert y + one.height <= v
    for box in boxes:
        x, y = drawing.corners[box.key]
        assert x >= 0 and x + box.width <= drawing.width
        assert y >= 0 and y + box.height <= drawing.height


def test_a_chain_is_one_column_and_what_is_ready_together_one_row() -> None:
    chain = plan_drawing(PlanInfo(form="chain", nodes=(node(1), node(2, 1), node(3, 2))))
    assert chain is not None
    assert len({shape.x for shape in chain.shapes}) == 1
    assert len(chain.lines) == 2
    pair = plan_drawing(PlanInfo(form="comparison", nodes=(node(1), node(2), node(3, 1, 2))))
    assert pair is not None
    assert pair.shapes[0].y == pair.shapes[1].y < pair.shapes[2].y


def test_ranks_are_the_longest_way_and_bear_circles_and_strangers() -> None:
    assert plan_ranks((node(1), node(2, 1), node(3, 1, 2))) == {1: 0, 2: 1, 3: 2}
    assert plan_ranks((node(1, 9), node(2, 2))) == {1: 0, 2: 0}
    assert plan_ranks((node(1, 2), node(2, 1))) == {1: 0, 2: 0}


def test_a_line_past_another_rank_goes_beside_the_boxes() -> None:
    drawn = plan_drawing(PlanInfo(form="chain", nodes=(node(1), node(2, 1), node(3, 1, 2))))
    assert drawn is not None
    rightmost = max(shape.x + shape.width for shape in drawn.shapes)
    across = [max(float(x) for x in re.findall(r"(-?[0-9.]+) -?[0-9.]+", line)) for line in drawn.lines]
    assert sum(x > rightmost for x in across) == 1
    assert max(across) <= drawn.width


def test_a_path_runs_from_the_question_to_the_answer_through_its_facts() -> None:
    path = RecoveredPath.model_validate(
        {
            "nodes": ["The Reed", "Ann Bell", "Dale"],
            "edges": [
                {"text": "The Reed was written by Ann Bell.", "entities": ["Ann Bell", "The Reed"]},
                {"text": "Ann Bell was born in Dale.", "entities": ["Ann Bell", "Dale"]},
            ],
            "anchors": {"question": ["The Reed"], "answer": "Dale"},
        }
    )
    drawn = path_drawing(path)
    assert drawn is not None
    down = sorted(drawn.shapes, key=lambda shape: shape.y)
    assert [shape.full for shape in down] == [
        "The Reed", "The Reed was written by Ann Bell.", "Ann Bell", "Ann Bell was born in Dale.", "Dale",
    ]  # fmt: skip
    assert (down[0].kind, down[-1].kind) == ("question", "answer")
    assert len(drawn.lines) == 4
    assert not overlaps(drawn)


def test_without_a_path_the_gap_is_drawn() -> None:
    gap = {"from": "The Reed", "to": "Dale", "text": "nothing connects The Reed to Dale"}
    drawn = path_drawing(RecoveredPath.model_validate({"nodes": [], "edges": [], "gap": gap}))
    assert drawn is not None
    assert [shape.kind for shape in drawn.shapes] == ["question", "gap", "lost"]
    assert path_drawing(RecoveredPath()) is None


@given(
    st.lists(st.text(max_size=8), max_size=6),
    st.lists(st.lists(st.text(max_size=8), max_size=4), max_size=6),
    st.lists(st.text(max_size=8), max_size=3),
)
def test_any_path_can_be_drawn(nodes: list[str], edges: list[list[str]], question: list[str]) -> None:
    unique = list(dict.fromkeys(nodes))
    facts = [{"text": "a fact", "entities": entities} for entities in edges]
    drawn = path_drawing(
        RecoveredPath.model_validate({"nodes": unique, "edges": facts, "anchors": {"question": question}})
    )
    assert (drawn is None) == (not unique)
    if drawn is not None:
        assert not overlaps(drawn)


@given(st.text(max_size=300), st.integers(1, 4))
def test_lines_fit_their_box_and_lose_nothing_silently(text: str, most: int) -> None:
    lines = wrap(text, 120.0, 13.0, most)
    assert len(lines) <= most
    assert all(width(line, 13.0) <= 120.0 for line in lines)
    kept = "".join("".join(lines).split())
    whole = "".join(text.split())
    assert kept == whole or (lines[-1].endswith("…") and whole.startswith("".join(kept.removesuffix("…").split())))


@pytest.mark.parametrize(
    "text", ["W" * 500, "Donaudampfschifffahrt" * 9, "漢字" * 90, "a\u0301" * 300, "שלום " * 60]
)
def test_long_labels_are_cut_with_a_sign_and_kept_whole_in_the_title(text: str) -> None:
    drawn = plan_drawing(PlanInfo(form="chain", nodes=(node(1, question=text),)))
    assert drawn is not None
    shape = drawn.shapes[0]
    assert text.strip() in shape.full
    assert any("…" in line.words for line in shape.texts)
    for line in shape.texts:
        assert width(line.words, 13.0) <= shape.width


def test_the_same_plan_gives_the_same_drawing() -> None:
    plan = PlanInfo(form="chain", nodes=(node(1), node(2), node(3, 1, 2), node(4, 1), node(5, 3, 4)))
    assert plan_drawing(plan) == plan_drawing(plan)
