from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text import (
    Date,
    clean,
    content_words,
    find_amounts,
    find_dates,
    find_names,
    find_numbers,
    fold,
    jaccard,
    name_key,
    parse_date,
    parse_number,
    same_name,
    sentence_spans,
    words,
)
from retrieval.text.language import language_of
from retrieval.text.words import placed_words


@given(st.text())
def test_cleaning_twice_changes_nothing_and_leaves_encodable_text(raw: str) -> None:
    once = clean(raw)
    assert clean(once) == once
    once.encode("utf-8")


def test_cleaning_replaces_lone_surrogates_and_line_ends() -> None:
    assert clean("a\udc63b\r\nc\rd\ufeff\x00e\x1b[31m") == "a\ufffdb\nc\nde[31m"
    assert clean("Cafe\u0301") == "Café"


def test_words_fold_case_accents_and_possessives() -> None:
    assert words("Séverine's ØRSTED café") == ["severine", "orsted", "cafe"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都", ["東京", "京都"]),
        ("山", ["山"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("Москва река", ["москва", "река"]),
        ("v2の話", ["v2", "の話"]),
    ],
)
def test_words_of_every_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_content_words_leave_out_grammar() -> None:
    assert content_words("Where was the composer of the suite born?") == ["composer", "suite", "born"]


def test_placed_words_know_where_they_stand() -> None:
    text = "The Grey Heron's crew"
    assert [text[start : start + len(word)].lower() for word, start in placed_words(text)] == words(text)


def test_jaccard() -> None:
    assert jaccard("ab", "bc") == pytest.approx(1 / 3)
    assert jaccard([], []) == 1.0


def test_fold_keeps_other_scripts_whole() -> None:
    assert fold("Ελλάδα") == "ελλαδα"
    assert fold("が") == "が"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("The Grey Heron", "grey heron", True),
        ("U.S.", "US", True),
        ("20 March 851", "March 20, 851", True),
        ("1,200", "1200", True),
        ("Mexico", "Mexico City", False),
        ("India", "Indiana", False),
        ("Lothair II's", "Lothair II", True),
        ("!!!", "???", False),
    ],
)
def test_identity_of_names(left: str, right: str, same: bool) -> None:
    assert same_name(left, right) is same


@given(st.text(max_size=60))
def test_only_an_empty_mention_has_an_empty_key(mention: str) -> None:
    assert name_key(mention) or not mention.strip()


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("20 March 851", "0851-03-20"),
        ("March 20th, 1851", "1851-03-20"),
        ("1851-03-20", "1851-03-20"),
        ("Feb. 1900", "1900-02"),
        ("44 BC", "-0044"),
        ("1868", "1868"),
    ],
)
def test_dates_in_their_spellings(text: str, iso: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.iso == iso


def test_a_text_that_says_more_is_no_date() -> None:
    assert parse_date("born in 1868") is None
    assert [(date, start) for date, start, _ in find_dates("(d. 20 March 851)")] == [(Date(851, 3, 20), 4)]


def test_numbers_in_digits_and_words() -> None:
    assert [value for value, _, _ in find_numbers("35,000 men, 3.5 million ships, forty-two dogs")] == [
        Decimal(35000),
        Decimal(3500000),
        Decimal(42),
    ]
    assert parse_number("twelve") == 12
    assert parse_number("twelve men") is None


def test_an_amount_is_a_number_that_is_no_part_of_a_date() -> None:
    text = "On 3 May 1901 they bought 12 boats; by 1904 there were twenty."
    assert [text[start:end] for _, start, end in find_amounts(text)] == ["12", "twenty"]


def test_names_by_their_form() -> None:
    text = "When did Lothair II marry Teutberga, daughter of Boso the Elder, in \u201cAas Ka Panchhi\u201d?"
    assert [mention.text for mention in find_names(text)] == [
        "Lothair II",
        "Teutberga",
        "Boso the Elder",
        "Aas Ka Panchhi",
    ]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_names_stand_where_they_say(text: str) -> None:
    for mention in find_names(text):
        assert text[mention.start : mention.end] == mention.text


def test_sentences_end_at_blank_lines_headings_and_items() -> None:
    text = "# Title\n\nDr. Marlow came. He left at 3.5 knots.\n- one item\n- two items\n"
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "# Title",
        "Dr. Marlow came.",
        "He left at 3.5 knots.",
        "- one item",
        "- two items",
    ]


@pytest.mark.parametrize("marker", ["•", "▪", "-", "*", "1.", "12)", "2.4", "1.2.3.", "(a)", "b)"])
def test_the_marker_of_an_item_is_no_sentence_and_hides_none(marker: str) -> None:
    text = f"Orders\n\n{marker} Bring the lamp. Low numbers come\nfirst. Leave at 3.15 sharp."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "Orders",
        f"{marker} Bring the lamp.",
        "Low numbers come\nfirst.",
        "Leave at 3.15 sharp.",
    ]


def test_a_full_stop_ends_a_sentence_by_the_rules_of_its_language() -> None:
    text = "Sie wurde am 3. Mai 1881 in Merwick geboren. Ihre Mutter war Dr. Anna Lind."
    assert language_of(text) == "de"
    assert [text[start:end] for start, end in sentence_spans(text, "de")] == [
        "Sie wurde am 3. Mai 1881 in Merwick geboren.",
        "Ihre Mutter war Dr. Anna Lind.",
    ]
    unheard = "One here. And two."
    assert sentence_spans(unheard, "zxx") == sentence_spans(unheard)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The spare key is kept in an attic.", "en"),
        ("Was die Mühle kostet, steht im Heft von Anna.", "de"),
        ("Elle est née le 3 mars 1881 à Lyon, où sa mère vendait du pain.", "fr"),
        ("La lámpara del faro fue encendida por primera vez en una noche de tormenta.", "es"),
        ("The lamp was lit for the first time on a stormy night.", "en"),
        ("Harlan Heating, 555-0142", "en"),
        ("", "en"),
    ],
)
def test_a_language_is_told_from_the_text_and_few_words_are_english(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text(alphabet="aB.!? \n#-1•)", max_size=200))
def test_sentences_hold_every_character_that_is_no_space(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join(text[a:b] for a, b in spans).split() == "".join(text[a:b] for a, b in spans).split()
    covered = "".join(char for a, b in spans for char in text[a:b] if not char.isspace())
    assert covered == "".join(text.split())
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
