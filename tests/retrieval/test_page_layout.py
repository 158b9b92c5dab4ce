"""Printed pages become running text: paragraphs apart, sentences whole, nothing that is set on every page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fpdf import FPDF

from retrieval.sources.folder import read_file
from retrieval.sources.page_layout import running_text
from retrieval.text import sentence_spans

BODY = (
    "The lighthouse at Marrow Point was built of granite that came by barge from the quarries of Senn, and "
    "it has been kept by the Ash family ever since. Its lamp was lit for the first time on a stormy night."
)
ENDS = [
    "Between the wars it stood dark, since nobody would pay for the oil, and the keepers who were left lived on",
    "what they could sell in the town, as letters of that time tell. It was lit again when the harbour grew.",
]


class Printed(FPDF):
    def header(self) -> None:
        self.set_font("Helvetica", size=9)
        self.cell(0, 8, "The Marrow Light: a history", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.cell(0, 8, f"- {self.page_no()} -", align="C")


def printed() -> bytes:
    document = Printed()
    for number in range(1, 4):
        document.add_page()
        document.set_font("Helvetica", size=12)
        if number > 1:
            document.multi_cell(0, 7, ENDS[1], new_x="LMARGIN", new_y="NEXT")
        document.multi_cell(0, 7, f"{number}.1 The years of Keeper Ash", new_x="LMARGIN", new_y="NEXT")
        document.multi_cell(0, 7, BODY, new_x="LMARGIN", new_y="NEXT")
        if number < 3:
            document.multi_cell(0, 7, ENDS[0], new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


@pytest.fixture
def sentences(tmp_path: Path) -> list[str]:
    file = tmp_path / "light.pdf"
    file.write_bytes(printed())
    (document,) = read_file(file, "light.pdf", datetime(2026, 1, 1, tzinfo=UTC)).documents
    return [" ".join(document.text[start:end].split()) for start, end in sentence_spans(document.text)]


def test_a_heading_is_no_part_of_the_sentence_below_it(sentences: list[str]) -> None:
    for number in (1, 2, 3):
        at = sentences.index(f"{number}.1 The years of Keeper Ash")
        assert sentences[at + 1].startswith("The lighthouse at Marrow Point")
        assert sentences[at + 1].endswith("ever since.")


def test_a_sentence_that_goes_on_on_the_next_page_is_whole(sentences: list[str]) -> None:
    whole = " ".join(ENDS).split(" It was lit")[0]
    assert sentences.count(whole) == 2


def test_running_heads_and_page_numbers_are_no_text(sentences: list[str]) -> None:
    assert not [one for one in sentences if "a history" in one or one.strip("- ").isdigit()]


def test_what_is_not_repeated_stays() -> None:
    pages = ["Minutes\nWe met at noon.", "Minutes\nWe parted."]
    assert running_text(pages) == "Minutes\nWe met at noon.\n\nMinutes\nWe parted."
    assert running_text(["Only a line"] * 4) == "\n\n".join(["Only a line"] * 4)
    assert running_text(["", "  \n", ""]) == ""


def test_a_narrow_page_is_left_as_it_is() -> None:
    poem = "The lamp is lit\nThe sea\nIs far below"
    assert running_text([poem]) == poem
