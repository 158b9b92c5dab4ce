"""The page: whole in itself, and inert whatever questions, answers and names hold."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from pinakes_ask.evaluation.metrics.usage import TOKENS
from pinakes_ask.evaluation.report.cost_quality import points
from pinakes_ask.evaluation.report.drawing import steps
from pinakes_ask.evaluation.report.page import LISTED, page
from pinakes_ask.evaluation.reporting import EvalReport, EvalRun
from pinakes_ask.evaluation.run_folder import RunInfo
from tests.evaluation.made import row

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}{% raw %}\u202e\x00]]>"


def info(name: str = "set") -> RunInfo:
    digest = "0" * 64
    return RunInfo(
        dataset={"name": name, "sha256": digest, "questions": 40},
        corpus={"name": name, "documents": 3, "sha256": digest},
        answers=None, model=name, judge=None, settings={"k": 5}, limit=None, seed=0, created=name,
        versions={name: name},
    )  # fmt: skip


def report(text: str = "set", *, baseline: bool = False) -> EvalReport:
    found = {f"{kind}@{k}": 1 for kind in ("recall", "all_evidence") for k in (2, 5, 10)}
    rows = [
        row(
            f"{n} {text}", question=f"{text} {n}?", type=text, hops=2 + n % 3, gold=(text,), answer=text,
            confidence=n / 40, covered=n % 2 == 0, error=text, failure_class="broken" if n % 3 else None,
            f1=n % 2, essentiality=0.5, completeness=1, citation_precision=0.3, citation_recall=1,
            tokens=100 * n, seconds=1, **found,
        )
        for n in range(40)
    ]  # fmt: skip
    run = EvalRun(text, info(text), rows)
    return EvalReport.of(run, run if baseline else None, 0)


class Parsed(HTMLParser):
    """All tags with their attributes, and whether they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def test_the_page_needs_nothing_from_elsewhere() -> None:
    text = page(report(baseline=True))
    parsed = Parsed(text)
    assert not {"script", "link", "img", "iframe", "object", "embed", "form"} & {tag for tag, _ in parsed.tags}
    for _, attributes in parsed.tags:
        assert not {"src", "href", "xlink:href", "srcset", "action"} & attributes.keys()
    assert not re.search(r"url\(|@import|https?:", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("baseline", [False, True])
def test_hostile_texts_are_shown_and_do_nothing(baseline: bool) -> None:
    harmless = Parsed(page(report(baseline=baseline)))
    hostile = Parsed(text := page(report(HOSTILE, baseline=baseline)))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in harmless.tags]
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)
    assert (hostile.open, hostile.faults) == ([], [])
    assert "&lt;script&gt;" in text
    assert "{{7*7}}" in text
    assert "\u202e" not in text
    assert "\x00" not in text


def test_every_plot_is_drawn_well_and_can_be_read_without_seeing_it() -> None:
    text = page(report(baseline=True))
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawings) == 5 + 5
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    for drawing in drawings:
        svg = ElementTree.fromstring(drawing)
        title, description = svg.find("title"), svg.find("desc")
        assert title is not None and title.text and description is not None and description.text
        assert svg.get("role") == "img"
        assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
        width, height = (float(one) for one in (svg.get("viewBox") or "").split()[2:])
        for mark in svg.iter():
            for name, most in (("x", width), ("cx", width), ("x1", width), ("y", height), ("cy", height)):
                assert -0.1 <= float(mark.get(name, 0)) <= most + 0.1
    assert text.count("<details>") == len(drawings)


def test_colours_follow_the_readers_scheme() -> None:
    text = page(report())
    assert "color-scheme: light dark" in text
    assert text.count("light-dark(") >= 10


def test_wrong_answers_are_listed_first_and_not_all_of_many() -> None:
    shown = report()
    text = page(shown)
    body = text[text.index('class="answers"') :]
    assert body.index("set 0?") < body.index("set 1?")
    many = [row(str(n), f1=0) for n in range(LISTED + 5)]
    assert f"{LISTED} of {LISTED + 5}" in page(EvalReport.of(EvalRun("r", info(), many), None, 0))


def test_a_run_in_which_nothing_is_known_has_a_page_too() -> None:
    nothing = EvalReport.of(EvalRun("r", info(), [row("a", answer=None, status="failed", gold=())]), None, 0)
    assert "<svg" not in page(nothing)


def test_questions_of_one_effort_stay_together() -> None:
    rows = [row(str(n), tokens=100 if n < 9 else 500 + n, f1=n % 2) for n in range(12)]
    found = points(rows, TOKENS, 0)
    assert (found[0][0], found[0][1].count) == (100.0, 9)
    assert sum(mean.count for _, mean in found) == 12


@pytest.mark.parametrize("end", [0.003, 0.4, 1, 3, 7, 11, 99, 12345.0])
def test_an_axis_has_a_few_round_marks(end: float) -> None:
    marks = [at for at, _ in steps(end)]
    assert 2 <= len(marks) <= 6
    assert marks[0] == 0
    assert end * 0.5 < marks[-1] <= end * 1.0001
