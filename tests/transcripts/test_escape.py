"""No title and no text can break out of Markdown or Mermaid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcripts.escape import markdown, mermaid, one_line, slug

HOSTILE = [
    "<script>alert(1)</script>",
    "](javascript:x) [a](b)",
    "```\n# Heading\n```",
    '"] --> end\nclick n0 "http://x"',
    "\u202eevil\u202c",
    "a\r\nb\x1b[31m",
    "**bold** _x_ | y ~~z~~",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_one_line_without_markup(text: str) -> None:
    shown = markdown(text)
    assert "\n" not in shown
    assert not set("<>[]`*_|\x1b\u202e") & set(shown)


def test_what_would_become_a_link_or_a_list_stays_text() -> None:
    assert "www." not in markdown("see www.example.org")
    assert not markdown("1. first").startswith("1.")
    assert not markdown("+ plus").startswith("+")


@given(st.text())
def test_markdown_and_mermaid_keep_to_one_line_and_their_own_characters(text: str) -> None:
    assert not set("<>[]`*_|\\\n\r") & set(markdown(text))
    assert not set('"<>[]`*_|\\\n\r(){}') & set(mermaid(text))
    assert "\n" not in one_line(text)


@given(st.text())
def test_a_slug_is_a_safe_folder_name(text: str) -> None:
    name = slug(text)
    assert name
    assert len(name) <= 48
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")
