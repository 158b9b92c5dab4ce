from __future__ import annotations

from bisect import bisect_left

import pytest

from retrieval.hops.collect import Names, Text, collect
from retrieval.hops.index import Finder, HopIndex, build
from retrieval.hops.links import Linking, resolve
from retrieval.hops.surface import plain, spans, titles_of
from retrieval.indexes.tokens import tokens_at
from retrieval.types import Link


def texts(*pairs: tuple[str, str]) -> list[Text]:
    return [Text(row, f"d{row}", title, text) for row, (title, text) in enumerate(pairs)]


def index_of(*pairs: tuple[str, str]) -> tuple[Names, HopIndex]:
    names = collect(texts(*pairs))
    finder = Finder(names)
    mentions = []
    for _, text in pairs:
        starts = tokens_at(text)[1]
        mentions.append(
            [(s.name, bisect_left(starts, s.start), bisect_left(starts, s.end)) for s in finder.find(text)]
        )
    return names, build(names, mentions, [], [0] * len(pairs))


def found(names: Names, text: str) -> list[str]:
    return [names.shown[standing.name] for standing in Finder(names).find(text)]


def test_titles_with_and_without_their_parenthesis() -> None:
    assert titles_of("Tenet (film)") == ["Tenet (film)", "Tenet"]
    assert titles_of("東京（都市）") == ["東京（都市）", "東京"]
    assert titles_of("A") == []


def test_the_longest_whole_name_counts() -> None:
    names = collect(texts(("Mexico", ""), ("Mexico City", ""), ("India", "")))
    assert found(names, "From Mexico City to Mexico, not to Indiana.") == ["Mexico City", "Mexico"]


def test_a_name_in_a_text_has_a_capital() -> None:
    names = collect(texts(("Home", "go home, go home, no place like home"), ("Grey Heron", "")))
    assert found(names, "She went home on the grey heron. Home is far; the play Home is near.") == ["Home"]


def test_possessives_and_articles_are_one_name() -> None:
    names = collect(texts(("The Grey Heron", ""), ("Ada", "")))
    assert found(names, "Ada's trip on the Grey Heron") == ["Ada", "The Grey Heron"]


def test_names_that_recur_in_texts_are_names_too() -> None:
    names = collect(
        texts(("A one", "It was Natalie Wood."), ("B two", "Lana, sister of Natalie Wood."), ("C", "Once Only."))
    )
    assert "Natalie Wood" in names.shown
    assert "Once Only" not in names.shown


def test_an_acronym_in_parentheses_is_a_spelling() -> None:
    names = collect(
        texts(
            ("Corvane Isles Pilotage Board", "The Corvane Isles Pilotage Board (CIPB) sits."),
            ("X y", "The CIPB met."),
        )
    )
    assert found(names, "The CIPB met.") == ["Corvane Isles Pilotage Board"]


def test_an_acronym_of_two_things_is_neither() -> None:
    names = collect(
        texts(
            ("Alpha Beta", "Alpha Beta (AB) is."),
            ("Apple Bee", "Apple Bee (AB) is."),
        )
    )
    assert "ab" not in names.surfaces


def test_a_rubric_is_no_name_but_a_rare_heading_is() -> None:
    many = [Text(row, f"d{row}", f"Title {row}", "x", heading="History") for row in range(6)]
    names = collect([*many, Text(6, "d6", "Title 6", "x", heading="Loss of the Anne")])
    assert "History" not in names.shown
    assert names.called[names.keys.index("loss of the anne")] == [6]


def test_aliases_lead_to_their_document() -> None:
    names = collect([Text(0, "d", "Wilhelmina Stroud", "x", aliases=("W. S. Marlock",))])
    assert names.called[names.keys.index("w s marlock")] == [0]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When did Lothair Ii's mother die?", ["Lothair II"]),
        ("when did lothair ii's mother die?", ["Lothair II"]),
        ("Is Home a film by Die?", ["Home", "Die"]),
        ("Home is where?", []),
        ("who went home", []),
        ("Who wrote The Lothair II Home Story?", ["Lothair II", "Home"]),
    ],
)
def test_names_in_questions(question: str, names: list[str]) -> None:
    _, index = index_of(("Lothair II", ""), ("Home", "at home, my home"), ("Die", "they die, all die"))
    assert [index.shown(standing.name) for standing in index.in_question(question)] == names


def test_the_index_survives_the_disk(tmp_path) -> None:
    _, index = index_of(("Ada", "Ada met Bea Cole."), ("Bea Cole", "Bea Cole met nobody."))
    index.save(tmp_path)
    again = HopIndex.load(tmp_path)
    assert [again.shown(name) for name in range(len(again.owners))] == ["Ada", "Bea Cole"]
    ada, bea = 0, 1
    assert again.holders[bea].tolist() == [0, 1]
    assert again.called[bea].tolist() == [1]
    assert again.owned[0].tolist() == [ada]
    assert again.places[bea].tolist() == [2, 0]


def test_a_library_without_names(tmp_path) -> None:
    _, index = index_of(("x", "nothing here"))
    index.save(tmp_path)
    assert HopIndex.load(tmp_path).in_question("Who is Nobody?") == []


def test_spans_and_plain_names() -> None:
    assert plain("the grey-heron") == "grey heron"
    assert "grey heron" in {text for text, _, _, _ in spans("On The Grey Heron")}
    assert "東京" in {text for text, _, _, _ in spans("東京はどこ")}


def linking(identity: str, row: int, *links: Link, external: str = "", title: str = "") -> Linking:
    return Linking(identity, identity, title or identity, (), external, links, (row,))


def test_links_of_every_kind_are_resolved() -> None:
    documents = [
        linking(
            "docs/a.md",
            0,
            Link("Bee", "wiki"),
            Link("b", "wiki"),
            Link("../docs/b.md", "relative"),
            Link("b", "relative"),
            Link("pnk://kb/01B", "sidecar"),
            Link("../../outside.md", "relative"),
            Link("nowhere", "wiki"),
            Link("docs/a.md", "wiki"),
        ),
        linking("docs/b.md", 1, external="01B", title="Bee"),
    ]
    resolved = list(resolve(documents, {0: "see [[b]]", 1: ""}))
    assert len(resolved) == 5
    assert {(shown, tuple(rows)) for _, shown, rows in resolved} == {("Bee", (1,))}
    assert resolved[1][0] == (0, 6), "a link stands where its target is written"
