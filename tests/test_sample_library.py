"""The sample library keeps its promises: the questions are answerable from the documents they name, and
only by joining them; every link leads somewhere; people die after they are born."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml

SAMPLE = Path(__file__).parents[1] / "docs" / "sample"
LIBRARY = SAMPLE / "library"
DOCS = sorted(p for ext in ("md", "txt", "pdf") for p in (LIBRARY / "docs").rglob(f"*.{ext}"))
SIDECARS = sorted((LIBRARY / "docs").rglob("*.pnk.yaml"))
LINES = (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()
QUESTIONS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
ANSWERABLE = [q for q in QUESTIONS if q["type"] != "unanswerable"]
CHAINS = [q for q in QUESTIONS if q["type"] in ("two-hop", "three-hop")]
COUNTS = {"one-hop": 4, "two-hop": 6, "three-hop": 3, "comparison": 3, "yes-no": 2, "unanswerable": 2}
HOPS = {"one-hop": 1, "two-hop": 2, "three-hop": 3, "comparison": 2, "yes-no": 2, "unanswerable": 0}
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
DATE = r"(\d{1,2} [A-Z][a-z]+ \d{4})"


@functools.cache
def read(path: Path) -> str:
    if path.suffix != ".pdf":
        return path.read_text("utf-8")
    pdf = pypdfium2.PdfDocument(path)
    pages = []
    for page in pdf:
        textpage = page.get_textpage()
        pages.append(textpage.get_text_range())
        textpage.close()
        page.close()
    pdf.close()
    return "\n".join(pages)


def front(path: Path) -> dict[str, Any]:
    match = re.match(r"---\n(.*?)\n---\n", read(path), re.DOTALL) if path.suffix == ".md" else None
    return yaml.safe_load(match[1]) if match else {}


def title(path: Path) -> str:
    text = " ".join(read(path).split()) if path.suffix == ".pdf" else read(path)
    heading = re.search(r"^# (.+)$", text, re.MULTILINE) if path.suffix == ".md" else None
    return heading[1] if heading else text.split("\n")[0]


def fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def has(text: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(fold(phrase))}(?!\w)", fold(text)) is not None


def ids(question: dict[str, Any]) -> str:
    return str(question["id"])


def test_the_library_has_about_forty_short_documents() -> None:
    kinds = Counter(p.suffix for p in DOCS)
    assert 38 <= len(DOCS) <= 46
    assert (kinds[".txt"], kinds[".pdf"]) == (2, 1)
    assert all(80 <= len(read(p).split()) <= 250 for p in DOCS)
    assert len({title(p) for p in DOCS}) == len(DOCS)
    assert all(front(p).get("title", title(p)) == title(p) for p in DOCS)


def test_the_manifest_names_the_documents() -> None:
    manifest = tomllib.loads((LIBRARY / "pinakes.toml").read_text("utf-8"))
    assert ULID.fullmatch(manifest["kb"]["id"])
    roots, globs = manifest["sources"]["roots"], manifest["sources"]["include"]
    assert {p for root in roots for glob in globs for p in (LIBRARY / root).glob(glob)} == set(DOCS)


def test_the_questions_are_of_the_promised_kinds() -> None:
    assert [q["id"] for q in QUESTIONS] == [f"q{n:02}" for n in range(1, 21)]
    assert Counter(q["type"] for q in QUESTIONS) == COUNTS
    assert {q["answer"] for q in QUESTIONS if q["type"] == "yes-no"} == {"yes", "no"}
    for q in QUESTIONS:
        assert q["hops"] == len(q["supporting"]) == len(q["evidences"]) == HOPS[q["type"]]
        assert (q["answer"] is None) == (q["type"] == "unanswerable")


@pytest.mark.parametrize("question", ANSWERABLE, ids=ids)
def test_the_supporting_documents_carry_the_answer(question: dict[str, Any]) -> None:
    paths = [LIBRARY / s for s in question["supporting"]]
    assert set(paths) <= set(DOCS)
    if question["type"] != "yes-no":
        assert has(read(paths[-1]), question["answer"])
    for path, (subject, _, value) in zip(paths, question["evidences"], strict=True):
        assert has(read(path), subject), (path, subject)
        assert has(read(path), value), (path, value)


@pytest.mark.parametrize("question", CHAINS, ids=ids)
def test_a_chain_has_to_be_followed(question: dict[str, Any]) -> None:
    """No document joins the two ends, each holds one step only, and the question names no bridge."""
    steps = question["evidences"]
    assert [s[2] for s in steps[:-1]] == [s[0] for s in steps[1:]]
    assert steps[-1][2] == question["answer"]
    assert not any(has(question["question"], s[2]) for s in steps)
    assert not [p for p in DOCS if has(read(p), steps[0][0]) and has(read(p), question["answer"])]
    for support in question["supporting"]:
        text = read(LIBRARY / support)
        assert sum(has(text, s[0]) and has(text, s[2]) for s in steps) == 1


def test_links_lead_to_documents() -> None:
    names = {n for p in DOCS for n in (title(p), *front(p).get("aliases", []))}
    wiki = [w for p in DOCS for w in re.findall(r"\[\[([^\]|]+)(?:\|[^\]]+)?\]\]", read(p))]
    relative = [(p, r) for p in DOCS for r in re.findall(r"\]\(([^)]+)\)", read(p))]
    assert len(wiki) >= 5 and set(wiki) <= names
    assert len(relative) >= 5 and all((p.parent / r).is_file() for p, r in relative)


def test_sidecars_describe_and_link_documents() -> None:
    cards = {p: yaml.safe_load(p.read_text("utf-8")) for p in SIDECARS}
    assert len(cards) == 2
    for path, card in cards.items():
        assert ULID.fullmatch(card["id"])
        assert card["title"] == title(path.with_name(path.name.removesuffix(".pnk.yaml")))
        datetime.strptime(card["created"], "%Y%m%d %H:%M")
    targets = {link["to"].removeprefix("pnk://self/") for c in cards.values() for link in c["links"]}
    assert targets and targets <= {c["id"] for c in cards.values()}


@pytest.mark.parametrize("path", [p for p in DOCS if p.parent.name == "people"], ids=lambda p: p.stem)
def test_people_are_born_before_they_die(path: Path) -> None:
    who = rf"(?:{re.escape(title(path))}|She|He)"
    born, died = (re.search(rf"{who} {verb} on {DATE}", read(path)) for verb in ("was born", "died"))
    assert born and died
    years = [datetime.strptime(m[1], "%d %B %Y") for m in (born, died)]
    assert 0 < (years[1] - years[0]).days / 365.25 < 100
