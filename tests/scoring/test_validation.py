"""The scorer makes no error on answers of known truth: here on made questions, and on public ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scoring.validate.cases import build_cases
from scoring.validate.measure import oracle, rogan_gladen, rules, validate
from scoring.validate.worlds import Excluded, World, build_world

DATA = Path(os.environ.get("PNK_ASK_DATA") or Path(__file__).parents[3] / "shared" / "data")

CHAIN: dict[str, Any] = {
    "id": "chain",
    "question": "When did the mother of Ann Abel die?",
    "answer": "20 March 1851",
    "type": "compositional",
    "evidences": [["Ann Abel", "mother", "Eve Bohr"], ["Eve Bohr", "date of death", "20 March 1851"]],
}
COMPARED: dict[str, Any] = {
    "id": "compared",
    "question": "Which film has the director who is older, Night Harbour or Blood Street?",
    "answer": "Night Harbour",
    "type": "bridge_comparison",
    "evidences": [
        ["Night Harbour", "director", "Lena Voss"],
        ["Blood Street", "director", "Leo Fong"],
        ["Lena Voss", "date of birth", "3 May 1900"],
        ["Leo Fong", "date of birth", "June 12, 1950"],
    ],
}
JOINED: dict[str, Any] = {
    "id": "joined",
    "question": "Q?",
    "answer": "Port Orla",
    "decomposition": [
        {"question": "Night Harbour >> director", "answer": "Lena Voss"},
        {"question": "Blood Street >> director", "answer": "Leo Fong"},
        {"question": "Where did #1 and #2 meet?", "answer": "Port Orla"},
    ],
}
MADE = [CHAIN, COMPARED, JOINED]


def test_every_construction_is_scored_without_error() -> None:
    result = validate(MADE, oracle)
    assert (result.constructible, result.total.wrong) == (3, 0)
    assert result.total.mean_essentiality_error == 0.0
    assert {"dropped hop", "negated", "cycle", "deviation", "wrong answer", "dropped branch"} <= set(
        result.by_kind
    )
    classes = {truth for truth, _ in result.total.confusion}
    assert len(classes) >= 9


def test_rules_read_the_template_rendering() -> None:
    result = validate([CHAIN, COMPARED], rules)
    assert result.by_kind["template"].sensitivity == 1.0
    assert result.by_kind["dropped hop"].specificity == 1.0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"evidences": [["A1", "r", "B1"], ["C1", "r", "20 March 1851"]]}, "no chain"),
        ({"evidences": [["A1", "r", "B1"], ["B1", "r", "A1"]]}, "twice"),
        ({"answer": "Nobody"}, "another name"),
        ({"evidences": None}, "neither"),
    ],
)
def test_what_cannot_be_built_is_excluded_with_its_reason(change: dict[str, Any], reason: str) -> None:
    world = build_world(CHAIN | change)
    assert isinstance(world, Excluded)
    assert reason in world.reason


def test_renderings_differ_in_their_text() -> None:
    world = build_world(CHAIN)
    assert isinstance(world, World)
    texts = {
        case.rendering: [part.text for part in case.parts] for case in build_cases(world) if case.damage == "none"
    }
    assert texts["template"] == ["Ann Abel's mother was Eve Bohr.", "Eve Bohr died on 20 March 1851."]
    assert texts["pronouns"][1] == "She died on 20 March 1851."
    assert texts["merged"] == ["Ann Abel's mother was Eve Bohr, and Eve Bohr died on 20 March 1851."]
    assert texts["dates"][1] == "Eve Bohr died on 1851-03-20."


def test_the_corrected_rate() -> None:
    # 90 % sensitive, 80 % specific: of 50 % true ones, 0.5 * 0.9 + 0.5 * 0.2 = 55 % are seen.
    assert rogan_gladen(0.55, 0.9, 0.8) == pytest.approx(0.5)
    assert rogan_gladen(0.05, 0.9, 0.8) == 0.0
    assert rogan_gladen(0.5, 0.5, 0.5) is None


@pytest.mark.parametrize(("name", "least"), [("2wikimultihopqa", 900), ("musique", 110)])
def test_no_error_on_public_questions(name: str, least: int) -> None:
    path = DATA / name / "questions.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here; set PNK_ASK_DATA")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    result = validate(rows, oracle)
    assert result.constructible >= least
    assert result.constructible + sum(result.excluded.values()) == len(rows)
    assert (result.total.wrong, result.total.mean_essentiality_error) == (0, 0.0)
