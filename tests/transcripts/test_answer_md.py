"""``answer.md`` says what a reader needs, and no title or text can change how it is built."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.transcripts.cited_twice import cited_twice
from tests.transcripts.test_store import run
from transcripts.escape import markdown, mermaid
from transcripts.record import Transcript
from transcripts.render import answer_md
from transcripts.store import load

STORED = next(Path(__file__).parent.glob("stored/version-1/*who-took-over*"))
HOSTILE = [
    "<script>alert(1)</script>", "<!-- --><img src=x onerror=alert(1)>", "](javascript:x) [a](b) ![c](d)",
    "```\n# Heading\n```", "~~~\ncode", '"] --> end\nclick n0 "http://x"', "end", "subgraph x", "%% comment",
    "%%{init: {'theme': 'dark'}}%%", "a\r\nb\x1b[31m", "\u202eevil\u202c \u2066x\u2069 \u200f",
    "**bold** _x_ ~~z~~",
    "a | b \\| c", "[^1]: a footnote", "[^1]", "1. first", "123456. many", "- item", "+ item", "* item",
    "- [ ] task",
    "=====", "-----", "# heading", "> quote", "    code", "&lt;b&gt; &amp; &#35; #quot;", "$x$ $$y$$", "`` ` ``",
    "https://example.org www.example.org a@example.org", "@user #123 :smile:", "", "   ", "\u2028\u2029\x00\ufeff",
    "1. FC Köln", "日本語 العربية", "👩‍👩‍👧 é",
]  # fmt: skip


def with_text(text: str) -> tuple[Transcript, dict[str, Any]]:
    """A record and its path with ``text`` wherever a document, a model or a user can put any."""
    base = load(STORED)
    assert base.plan is not None
    nodes = tuple(
        one.model_copy(update={"question": text, "asked": text, "answer": text}) for one in base.plan.nodes
    )
    cite = (
        base.answer.statements[0].citations[0].model_copy(update={"title": text, "quote": text, "document": text})
    )
    said = base.answer.statements[0].model_copy(update={"text": text, "citations": (cite, cite)})
    statements = (said, said.model_copy(update={"citations": ()}))
    changes = {
        "question": text,
        "plan": base.plan.model_copy(update={"nodes": nodes}),
        "answer": base.answer.model_copy(update={"short_answer": text, "statements": statements}),
        "searches": tuple(one.model_copy(update={"query": text}) for one in base.searches[:1]),
        "library": base.library.model_copy(update={"name": text}),
        "warnings": (text,),
        "model": text,
    }
    edges = [{"proposition": 0, "text": text, "entities": [text, "other"], "citations": []}]
    return base.model_copy(update=changes), {"nodes": [text, "other"], "edges": edges, "gap": None}


def structure(text: str) -> list[str]:
    """How a renderer of Markdown builds a page: its elements, without what they hold."""
    parsed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    kinds = []
    for token in parsed:
        inner = [one.type for one in token.children or () if one.type not in ("text", "text_special")]
        kinds.append(f"{token.type} {' '.join(inner)}".strip())
    return kinds


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_builds_the_same_page_as_any_other(text: str) -> None:
    assert structure(answer_md(*with_text(text))) == structure(answer_md(*with_text("x")))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_no_text_at_all_builds_another_page(text: str) -> None:
    assert structure(answer_md(*with_text(text))) == structure(answer_md(*with_text("x")))


@pytest.mark.parametrize("text", HOSTILE)
def test_diagrams_keep_their_lines_and_every_label_its_quotation_marks(text: str) -> None:
    page = answer_md(*with_text(text))
    drawn = [
        line for block in re.findall(r"```mermaid\n(.*?)\n```", page, re.DOTALL) for line in block.split("\n")
    ]
    allowed = re.compile(
        r'flowchart (TD|LR)|  q\d+\["[^"\[\]{}()<>`|\\]+"\]|  q\d+ --> q\d+'
        r'|  n\d+\(\["[^"\[\]{}()<>`|\\]+"\]\)|  n\d+ ---\|"[^"\[\]{}()<>`|\\]+"\| n\d+'
    )
    assert [line for line in drawn if not allowed.fullmatch(line)] == []


@given(st.text())
def test_a_label_is_never_empty_and_never_looks_like_a_list(text: str) -> None:
    label = mermaid(text)
    assert label.strip()
    assert not re.match(r"\d+[.)]|[-+*]", label)
    assert markdown(text).strip()


def test_directional_marks_are_gone() -> None:
    page = answer_md(*with_text("\u202eevil\u202c \u2066x\u2069 \u200f\u061c"))
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c") & set(page)


def test_the_page_says_what_a_reader_needs(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    page = (outcome.folder / "answer.md").read_text(encoding="utf-8")
    for part in (
        "# Where was the author of The Reed born?",
        "**Dale**",
        "- The Reed was written by Ann Bell. [^1]",
        "[^1]: The Reed: “The Reed was written by Ann Bell.”",
        "[^2]: Ann Bell: “Ann Bell was born in Dale.”",
        '  q2["2#58; Where was Ann Bell born#63; #8594; Dale"]',
        "  q1 --> q2",
        '---|"Ann Bell was born in Dale#46;"|',
        "| Completeness | 1.00 | 1 when stated facts connect question and answer without a gap |",
        "| Essentiality | 1.00 |",
        "| Determinateness | 1.00 |",
        "- searched: texts; 2 passages read",
        "  - for: Where was Ann Bell born?",
        "5 calls, 500 + 250 tokens, cost 0.0000",
    ):
        assert part in page, part


def test_a_sentence_that_is_cited_twice_is_noted_once() -> None:
    answered = cited_twice(load(STORED), withheld="")
    page = answer_md(answered, {"nodes": [], "edges": [], "gap": None})
    assert "- So it is. [^1] [^2]" in page
    assert len(re.findall(r"^\[\^\d+\]: ", page, re.MULTILINE)) == 2
    withheld = cited_twice(load(STORED), short_answer=None, withheld="The documents do not say.")
    page = answer_md(withheld, {"nodes": [], "edges": [], "gap": None})
    assert "*No short answer: The documents do not say.*" in page


def test_the_path_states_nodes_edges_citations_anchors_and_gap(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    assert outcome.folder is not None
    path = json.loads((outcome.folder / "path.json").read_text(encoding="utf-8"))
    assert path["nodes"] == ["The Reed", "Ann Bell", "Dale"]
    assert [edge["text"] for edge in path["edges"]] == [
        "The Reed was written by Ann Bell.",
        "Ann Bell was born in Dale.",
    ]
    assert [edge["citations"][0]["quote"] for edge in path["edges"]] == [edge["text"] for edge in path["edges"]]
    assert path["anchors"] == {"question": ["The Reed"], "answer": "Dale", "anchor": "self"}
    assert path["gap"] is None
