"""Program text is cut at its definitions, and cited by line or by sentence of its documentation."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages import split
from retrieval.sources.code import read_code
from retrieval.types import Document, Passage

PYTHON = '''\
"""Keeping the lamp. It burns oil."""

WICK = 3
OIL = "whale"


# Lights the lamp.
# It takes a minute.
@logged
def light(lamp):
    """Light `lamp`. It must hold oil.

    Raises EmptyLamp where it holds none.
    """
    lamp.burn(WICK)  # in mm
    return lamp


class Keeper(Person):
    """Keeps one lamp."""

    def watch(self, hours):
        while hours:
            self.look()
            hours -= 1

    def sleep(self): ...
'''


def passages(text: str, name: str) -> list[Passage]:
    return split(Document("d", "Title", name, text, "code", ""))


def test_definitions_open_passages_with_the_comments_above_them() -> None:
    found = passages(PYTHON, "lamp.py")
    assert [(one.heading_path, one.text.split("\n")[0]) for one in found] == [
        ((), '"""Keeping the lamp. It burns oil."""'),
        (("light",), "# Lights the lamp."),
        (("Keeper", "watch"), "class Keeper(Person):"),
        (("Keeper", "sleep"), "def sleep(self): ..."),
    ]


def test_documentation_is_cited_by_sentence_and_code_by_line() -> None:
    cited = [PYTHON[start:end] for start, end in read_code(PYTHON, "lamp.py").spans]
    for whole in (
        "WICK = 3",
        "# Lights the lamp.",
        '"""Light `lamp`.',
        "It must hold oil.",
        "Raises EmptyLamp where it holds none.",
        "lamp.burn(WICK)  # in mm",
        '"""Keeps one lamp."""',
    ):
        assert whole in cited


@pytest.mark.parametrize(
    ("name", "text", "titles"),
    [
        ("a.js", "export default function lamp(a) {\n}\nclass K extends L {\n m(x) {}\n}\n", ["lamp", "K"]),
        ("a.go", "func (r *Keeper) Watch(a int) {\n look(a)\n}\ntype Lamp struct {\n}\n", ["Watch", "Lamp"]),
        ("a.rs", "pub fn lamp(a: i32) -> i32 {\n look(a)\n}\n", ["lamp"]),
        ("a.c", "static int lamp(int a)\n{\n  return look(a);\n}\nstruct s {\n int a;\n};\n", ["lamp", "s"]),
        ("a.java", "/** Doc. */\npublic class A {\n  public int lamp(int a) {\n  }\n}\n", ["A", "lamp"]),
        ("a.rb", "module M\n class A\n  def lamp(a)\n   look(a)\n  end\n end\nend\n", ["M", "A", "lamp"]),
        ("a.hs", "lamp :: Int -> Int\nlamp 0 = 1\nlamp x = x\n", ["lamp"]),
        ("a.unheard", "function lamp() {\n}\n", []),
    ],
)  # fmt: skip
def test_many_languages_are_known(name: str, text: str, titles: list[str]) -> None:
    assert [heading.title for heading in read_code(text, name).definitions] == titles


@given(
    st.lists(
        st.sampled_from(
            [
                "def f(x):\n",
                "    return f(x)\n",
                "# A note. And more.\n",
                '"""',
                "class A:\n",
                "\n",
                "\n\n",
                "x = 'a",
            ]
        ),
        max_size=40,
    ).map("".join),
    st.sampled_from(["a.py", "a.js", "a.sh", "a.unheard"]),
)
def test_passages_hold_every_word_once(text: str, name: str) -> None:
    found = passages(text, name)
    assert "".join("".join(one.text.split()) for one in found) == "".join(text.split())
    assert all(before.end <= after.start for before, after in pairwise(found))
    for one in found:
        assert (one.sentences[0][0], one.sentences[-1][1]) == (0, len(one.text))
        assert all(before[1] <= after[0] for before, after in pairwise(one.sentences))
