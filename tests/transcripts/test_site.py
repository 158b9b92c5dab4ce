"""The site: complete in itself, whatever the records hold, and careful with what else lies in its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from retrieval.sources.walk import MARKS
from tests.transcripts.made_runs import hostile_run, made_run, run_id, scored, store_run
from transcripts.errors import TranscriptError
from transcripts.lines import append_line
from transcripts.rescore import RESCORED, Rescored
from transcripts.reviews import add_review
from transcripts.site.build import Built, build_site
from transcripts.site.output import LIST


class Elements(HTMLParser):
    """The elements and the text of a page, as a browser without a script would take them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def ids(self) -> list[str]:
        return [one for _, attributes in self.elements if (one := attributes.get("id"))]

    def addresses(self) -> list[str]:
        names = ("href", "src", "action", "srcset", "data", "poster")
        return [value for _, found in self.elements for name in names if (value := found.get(name))]


@pytest.fixture
def asks(tmp_path: Path) -> Path:
    return tmp_path / "asks"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def build(asks: Path, out: Path) -> Built:
    return build_site(asks, out, library="texts")


def page(out: Path, number: int = 1) -> Elements:
    return Elements((out / "runs" / f"{run_id(number)}.html").read_text(encoding="utf-8"))


def files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def test_a_page_holds_what_a_reviewer_needs(asks: Path, out: Path) -> None:
    store_run(asks)
    build(asks, out)
    shown = page(out)
    for words in ("Where was the author of The Reed born?", "Dale", "The Reed was written by Ann Bell.",
                  "Completeness", "Round 2", "Who is the author of The Reed?", "What was remembered",
                  "Exchanges with the model", "SHA-256", made_run().sha256):  # fmt: skip
        assert words in shown.text, words


def test_every_citation_leads_to_its_sentence_on_the_page(asks: Path, out: Path) -> None:
    store_run(asks)
    build(asks, out)
    shown = page(out)
    cites = [found for tag, found in shown.elements if tag == "a" and found.get("class") == "cite"]
    assert len(cites) >= 2
    for cite in cites:
        assert (cite["href"] or "").removeprefix("#") in shown.ids()
        assert (cite["aria-label"] or "").startswith("Citation")


def test_ids_are_unique_and_links_within_a_page_lead_somewhere(asks: Path, out: Path) -> None:
    store_run(asks)
    build(asks, out)
    shown = page(out)
    assert len(shown.ids()) == len(set(shown.ids()))
    for address in shown.addresses():
        if address.startswith("#"):
            assert address.removeprefix("#") in shown.ids(), address


def test_nothing_is_loaded_from_elsewhere_and_every_file_is_there(asks: Path, out: Path) -> None:
    store_run(asks, 1)
    store_run(asks, 2)
    build(asks, out)
    for file in files(out):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".html":
            for address in Elements(text).addresses():
                assert not re.match(r"(?:[a-z]+:|//)", address), address
                target = address.partition("#")[0]
                assert not target or (file.parent / target).is_file(), f"{file.name}: {address}"
        elif file.suffix in (".css", ".js"):
            assert not re.search(r"url\(|@import|https?:|eval\(|innerHTML|document\.write", text), file.name


def test_no_script_or_style_stands_in_a_page(asks: Path, out: Path) -> None:
    """So that a policy without inline scripts holds for all of it."""
    store_run(asks)
    build(asks, out)
    for file in files(out):
        if file.suffix != ".html":
            continue
        for tag, found in Elements(file.read_text(encoding="utf-8")).elements:
            assert tag != "style" and "style" not in found
            assert tag != "script" or "src" in found or found.get("type") == "application/json"
            assert not [name for name in found if name.startswith("on")]


def test_hostile_texts_stay_texts(asks: Path, out: Path) -> None:
    store_run(asks, 1)
    hostile_run(asks, 2)
    built = build(asks, out)
    assert built.runs == 2
    assert built.problems == ()
    plain, hostile = page(out, 1), page(out, 2)
    kinds = {tag for tag, _ in plain.elements}
    assert {tag for tag, _ in hostile.elements} <= kinds
    assert "img" not in {tag for tag, _ in hostile.elements}
    assert [tag for tag, _ in hostile.elements].count("script") == [tag for tag, _ in plain.elements].count(
        "script"
    )
    for _, found in hostile.elements:
        assert not [name for name in found if name.startswith("on") or name == "autofocus"]
    assert "<script>window.hit = 1</script><img src=x" in hostile.text
    assert "{{ 7 * 7 }}" in hostile.text
    index = Elements((out / "index.html").read_text(encoding="utf-8"))
    assert "img" not in {tag for tag, _ in index.elements}
    assert "{{ 7 * 7 }}" in index.text


def test_scores_that_do_not_apply_say_why(asks: Path, out: Path) -> None:
    store_run(asks, **scored(completeness=None, not_applicable={"completeness": "the moon was not full"}))
    build(asks, out)
    assert "Not measured: the moon was not full." in page(out).text


def test_a_failure_is_explained_with_its_gap(asks: Path, out: Path) -> None:
    gap = {"from": "The Reed", "to": "Dale", "text": "nothing connects The Reed to Dale"}
    store_run(asks, **scored(completeness=0, **{"class": "broken"}, gap=gap))
    build(asks, out)
    assert "Both sides are there, and nothing connects them." in page(out).text
    assert "nothing connects The Reed to Dale" in page(out).text


def test_a_repair_shows_the_answer_before_and_after(asks: Path, out: Path) -> None:
    record = made_run()
    assert record.score is not None
    before = record.answer.model_copy(
        update={"statements": (record.answer.statements[0].model_copy(update={"text": "The Reed is old."}),)}
    )
    store_run(asks, before_repair=(before, scored(completeness=0)["score"]))
    build(asks, out)
    text = page(out).text
    assert "Repair" in text
    assert "The Reed is old." in text
    assert "dropped" in text
    assert "added" in text


def test_a_review_shows_and_one_of_another_record_says_so(asks: Path, out: Path) -> None:
    folder = store_run(asks)
    record = made_run()
    add_review(folder, record, "accept", reviewer="Ada <ada@example.org>", time=record.created, note="Well read.")
    changed = record.model_copy(update={"sha256": "0" * 64})
    add_review(folder, changed, "reject", reviewer="Bo <bo@example.org>", time=record.created)
    build(asks, out)
    text = page(out).text
    assert "Well read." in text
    assert "Ada <ada@example.org>" in text
    assert "of an earlier record" in text


def test_scores_of_a_later_version_stand_beside_the_old_ones(asks: Path, out: Path) -> None:
    folder = store_run(asks)
    build(asks, out)
    record = made_run()
    assert record.score is not None
    later = Rescored(
        transcript=record.id, sha256=record.sha256, version="9.8", time=record.created,
        verdict={**record.score.verdict, "essentiality": 0.25}, citations=record.score.citations,
    )  # fmt: skip
    append_line(folder / RESCORED, later)
    assert build(asks, out).written == 1
    text = " ".join(page(out).text.split())
    assert "by version 9.8: C 1, E 0.25, D 1" in text


def test_a_second_build_writes_only_what_changed(asks: Path, out: Path) -> None:
    folders = [store_run(asks, number) for number in (1, 2, 3, 4)]
    assert build(asks, out).written == 4
    assert build(asks, out).written == 0
    record = made_run(1)
    add_review(folders[0], record, "reject", reviewer="Ada", time=record.created)
    assert build(asks, out).written == 1
    assert "rejected" in page(out, 1).text
    store_run(asks, 5)
    assert build(asks, out).written == 2  # itself, and the one that now has a neighbour


def test_a_page_that_was_deleted_is_written_again(asks: Path, out: Path) -> None:
    store_run(asks)
    build(asks, out)
    (out / "runs" / f"{run_id(1)}.html").unlink()
    assert build(asks, out).written == 1


def test_neighbours_lead_from_page_to_page(asks: Path, out: Path) -> None:
    for number in (1, 2, 3):
        store_run(asks, number)
    build(asks, out)
    assert f"{run_id(3)}.html" in page(out, 2).addresses()
    assert f"{run_id(1)}.html" in page(out, 2).addresses()


def test_the_page_of_a_run_that_is_gone_goes_and_other_files_stay(asks: Path, out: Path) -> None:
    store_run(asks, 1)
    gone = store_run(asks, 2)
    build(asks, out)
    mine = [out / "notes.txt", out / "runs" / "mine.html", out / "assets" / "mine.css"]
    for file in mine:
        file.write_text("mine", encoding="utf-8")
    for file in gone.iterdir():
        file.unlink()
    gone.rmdir()
    built = build(asks, out)
    assert (built.runs, built.removed) == (1, 1)
    assert not (out / "runs" / f"{run_id(2)}.html").exists()
    assert [file.read_text(encoding="utf-8") for file in mine] == ["mine"] * 3


def test_a_folder_that_is_not_ours_is_left_alone(asks: Path, out: Path) -> None:
    store_run(asks)
    out.mkdir()
    (out / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(TranscriptError, match="not empty"):
        build(asks, out)
    assert [file.name for file in out.iterdir()] == ["index.html"]
    assert (out / "index.html").read_text(encoding="utf-8") == "mine"


def test_the_folder_of_the_records_is_no_place_for_the_site(asks: Path) -> None:
    folder = store_run(asks)
    before = sorted(files(asks))
    for place in (asks, folder):
        with pytest.raises(TranscriptError):
            build(asks, place)
    assert sorted(files(asks)) == before


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 99}', '{"format": 1, "pages": {"../../notes": "x"}}']
)
def test_a_list_that_was_damaged_costs_only_time_and_removes_nothing(content: str, asks: Path, out: Path) -> None:
    store_run(asks)
    build(asks, out)
    (out.parent / "notes.html").write_text("mine", encoding="utf-8")
    (out / LIST).write_text(content, encoding="utf-8")
    assert build(asks, out).written == 1
    assert (out.parent / "notes.html").exists()


def test_a_damaged_record_is_named_and_the_others_are_shown(asks: Path, out: Path) -> None:
    store_run(asks, 1)
    for number, damage in ((2, b"{"), (3, b""), (4, b'{"schema_version": 99}'), (5, b"\xff")):
        (store_run(asks, number) / "transcript.json").write_bytes(damage)
    edited = store_run(asks, 6) / "transcript.json"
    edited.write_text(edited.read_text(encoding="utf-8").replace("Ann Bell", "Eve"), encoding="utf-8")
    built = build(asks, out)
    assert built.runs == 1
    assert len(built.problems) == 5
    assert [file.stem for file in (out / "runs").iterdir()] == [run_id(1)]
    text = Elements((out / "index.html").read_text(encoding="utf-8")).text
    assert "5 files were skipped" in text
    assert "was changed" in text


@pytest.mark.parametrize("content", ["", "{", "[]", '{"nodes": 1}', '{"nodes": [], "edges": [{}]}'])
def test_a_damaged_path_costs_only_its_drawing(content: str, asks: Path, out: Path) -> None:
    (store_run(asks) / "path.json").write_text(content, encoding="utf-8")
    assert build(asks, out).runs == 1
    assert "The path is not shown" in page(out).text


def test_a_copied_run_is_shown_once(asks: Path, out: Path) -> None:
    folder = store_run(asks)
    copy = folder.with_name("copied")
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    built = build(asks, out)
    assert built.runs == 1
    assert "a copy of" in built.problems[0]


def test_an_id_that_is_none_names_no_page(asks: Path, out: Path) -> None:
    folder = store_run(asks)
    record = made_run().model_copy(update={"id": "../../../notes"}).sealed()
    (folder / "transcript.json").write_text(record.to_json(), encoding="utf-8")
    built = build(asks, out)
    assert built.runs == 0
    assert "no ULID" in built.problems[0]
    assert not list((out.parent).glob("notes*"))


def test_no_records_make_an_empty_list(asks: Path, out: Path) -> None:
    asks.mkdir()
    assert build(asks, out).runs == 0
    assert "There are no runs yet." in Elements((out / "index.html").read_text(encoding="utf-8")).text


def test_a_site_within_a_library_is_not_read_as_documents() -> None:
    assert LIST in MARKS


def test_where_there_are_no_records_at_all_nothing_is_made(asks: Path, out: Path) -> None:
    with pytest.raises(TranscriptError, match="no such folder"):
        build(asks, out)
    assert not out.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written_is_named(asks: Path, tmp_path: Path) -> None:
    store_run(asks)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(TranscriptError, match="was not written"):
            build(asks, tmp_path / "out")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_in_the_way_is_named(asks: Path, out: Path) -> None:
    store_run(asks)
    out.write_text("in the way", encoding="utf-8")
    with pytest.raises(TranscriptError, match="was not written"):
        build(asks, out)


def test_the_same_records_give_the_same_bytes(asks: Path, tmp_path: Path) -> None:
    store_run(asks, 1)
    hostile_run(asks, 2)
    first, second = tmp_path / "first", tmp_path / "second"
    build(asks, first)
    build(asks, second)
    for file in files(first):
        if file.name != LIST:
            assert file.read_bytes() == (second / file.relative_to(first)).read_bytes()
