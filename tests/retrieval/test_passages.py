from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages import WHOLE, embedded_text, split
from retrieval.text import clean
from retrieval.types import Document


def document(text: str, kind: str = "markdown", start: int = 0) -> Document:
    return Document("d", "Title", "d.md", text, kind, "", body_start=start)


TEXTS = st.lists(
    st.sampled_from(
        ["# One\n", "## Two\n", "word ", "Some sentence here. ", "\n\n", "- item\n", "```\n# no\n```\n", "漢字。"]
    ),
    max_size=60,
).map("".join)


@given(TEXTS)
def test_passages_are_exact_spans_that_hold_every_word(raw: str) -> None:
    text = clean(raw)
    passages = split(document(text))
    for place, passage in enumerate(passages):
        assert text[passage.start : passage.end] == passage.text == passage.text.strip()
        assert passage.ordinal == place
        assert passage.sentences[0][0] == 0
        assert passage.sentences[-1][1] == len(passage.text)
    assert all(a.end <= b.start for a, b in pairwise(passages))
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(text.split())


def test_headings_open_passages_and_give_their_path() -> None:
    text = "intro\n\n# A\n\ntext a\n\n## B\n\ntext b\n\n# C\n\ntext c\n"
    assert [(p.text.split("\n")[0], p.heading_path) for p in split(document(text))] == [
        ("intro", ()),
        ("# A", ("A",)),
        ("## B", ("A", "B")),
        ("# C", ("C",)),
    ]


def test_a_heading_without_text_joins_what_follows() -> None:
    assert [p.text for p in split(document("# A\n\n## B\n\ntext"))] == ["# A\n\n## B\n\ntext"]


def test_a_heading_in_code_is_no_heading() -> None:
    assert len(split(document("text\n\n```\n# comment\n```\n\nmore"))) == 1


def test_front_matter_is_no_passage() -> None:
    text = "---\ntitle: x\n---\nbody"
    assert [p.text for p in split(document(text, start=text.index("body")))] == ["body"]


def test_long_sections_are_cut_evenly_at_sentences() -> None:
    text = " ".join(f"Sentence number {n} has six words." for n in range(200))
    passages = split(document(text, "text"))
    counts = [len(passage.text.split()) for passage in passages]
    assert max(counts) <= WHOLE
    assert min(counts) > WHOLE / 3
    assert all(passage.text.endswith(".") for passage in passages)


def test_a_text_without_sentences_is_cut_at_words() -> None:
    for text in ("word " * 10_000, "x" * 100_000, "漢字" * 10_000):
        passages = split(document(text, "text"))
        assert len(passages) > 3
        assert max(len(passage.text) for passage in passages) <= 100 * WHOLE
    assert max(len(passage.text.split()) for passage in split(document("word " * 10_000, "text"))) <= WHOLE


def test_records_stay_whole() -> None:
    assert len(split(document("word " * 390, "record"))) == 1


def test_the_embedded_text_begins_with_title_and_headings() -> None:
    assert embedded_text("T", ("T", "Part"), "text") == "T - Part\ntext"
