from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from fpdf import FPDF

from retrieval.errors import LibraryError, LibraryNotFound
from retrieval.sources import Scan, scan
from retrieval.sources.decode import decode
from retrieval.sources.pinakes import _matches
from retrieval.types import Document, FileProblem


def read(library: Path) -> tuple[dict[str, Document], list[FileProblem]]:
    """Scan a library and read everything in it."""
    found: Scan = scan(library)
    documents: dict[str, Document] = {}
    problems = list(found.problems)
    for origin in found.origins:
        reading = origin.read()
        problems += reading.problems
        for document in reading.documents:
            assert document.id not in documents
            documents[document.id] = document
    return documents, problems


def pdf(*pages: str) -> bytes:
    document = FPDF()
    document.set_font("helvetica")
    for page in pages:
        document.add_page()
        if page:
            document.multi_cell(0, text=page)
    return bytes(document.output())


def test_nothing_there_and_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryNotFound, match="no such file"):
        scan(tmp_path / "none")
    (tmp_path / "a.docx").write_bytes(b"x")
    with pytest.raises(LibraryNotFound, match="must be a corpus"):
        scan(tmp_path / "a.docx")


def test_markdown_says_its_title_tags_aliases_and_links(make) -> None:
    library = make(
        {
            "a.md": "---\ntitle: The A\ntags: [x, y]\naliases: Alpha\n---\n# Other\n[[b#part|B]] [c](sub/c.md#x) "
            "[web](https://e.org) ![i](i.png)\n```\n[[no]]\n```\n",
            "b.md": "# Bee\ntext",
            "sub/c.txt": "text",
        }
    )
    documents, problems = read(library)
    assert not problems
    a = documents["a.md"]
    assert (a.title, a.tags, a.aliases) == ("The A", ("x", "y"), ("Alpha",))
    assert [(link.target, link.kind) for link in a.links] == [("b", "wiki"), ("sub/c.md", "relative")]
    assert a.text[a.body_start :].startswith("# Other")
    assert documents["b.md"].title == "Bee"
    assert documents["sub/c.txt"].title == "c"


def test_broken_front_matter_is_named_and_the_text_kept(make) -> None:
    documents, problems = read(make({"a.md": "---\n# a comment\ntitle: [\n---\nbody"}))
    assert documents["a.md"].text.endswith("body")
    assert documents["a.md"].title == "a", "a comment in front matter is no heading"
    assert [(p.location, p.skipped) for p in problems] == [("a.md", False)]
    assert "front matter" in problems[0].problem


@pytest.mark.parametrize(
    ("raw", "text", "doubt"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café", False),
        ("café".encode("utf-16"), "café", False),
        ("café".encode("cp1252"), "café", True),
    ],
)
def test_encodings(raw: bytes, text: str, doubt: bool) -> None:
    found, reservation = decode(raw)
    assert found == text
    assert bool(reservation) is doubt


def test_one_bad_file_of_ten_is_named_and_nine_are_read(make) -> None:
    library = make({f"{n}.txt": f"text {n}" for n in range(9)} | {"bad.txt": b"\x00\x01\x02"})
    documents, problems = read(library)
    assert len(documents) == 9
    assert [(p.location, p.skipped) for p in problems] == [("bad.txt", True)]


def test_empty_files_and_windows_line_ends(make) -> None:
    documents, problems = read(make({"empty.md": "", "blank.txt": " \n", "dos.txt": "a\r\nb\r\n"}))
    assert documents["dos.txt"].text == "a\nb\n"
    assert sorted(p.location for p in problems) == ["blank.txt", "empty.md"]
    assert all(p.skipped for p in problems)


def test_pdfs_with_text_without_text_and_broken(make) -> None:
    library = make(
        {"good.pdf": pdf("First page.", "Second page."), "scan.pdf": pdf(""), "bad.pdf": b"%PDF-1.4 junk"}
    )
    documents, problems = read(library)
    assert documents["good.pdf"].text == "First page.\n\nSecond page."
    said = {p.location: p.problem for p in problems}
    assert "no text" in said["scan.pdf"]
    assert "no readable PDF" in said["bad.pdf"]


def test_links_that_leave_loop_or_dangle(make, tmp_path: Path) -> None:
    library = make({"a.md": "text", "in/b.md": "text"})
    (tmp_path / "outside.md").write_text("secret")
    (library / "out.md").symlink_to(tmp_path / "outside.md")
    (library / "none.md").symlink_to(library / "missing.md")
    (library / "self.md").symlink_to(library / "self.md")
    (library / "in" / "loop").symlink_to(library)
    documents, problems = read(library)
    assert sorted(documents) == ["a.md", "in/b.md"]
    assert sorted(p.location for p in problems) == ["in/loop", "none.md", "out.md", "self.md"]


def test_own_output_hidden_folders_and_sidecars_are_no_documents(make) -> None:
    library = make(
        {
            "a.md": "text",
            "a.md.pnk.yaml": "title: A",
            "asks/2026/answer.md": "text",
            "elsewhere/01J-run/transcript.json": "{}",
            "review/pinakes-ask-site.json": "{}",
            "review/assets/run.js": "const answer = 1;",
            "elsewhere/01J-run/answer.md": "text",
            "elsewhere/01J-run/deeper/b.md": "text",
            ".pinakes-ask/x.md": "text",
            ".pinakes/x.md": "text",
            ".git/x.md": "text",
            ".hidden.md": "text",
            "notes/asks/kept.md": "text",
        }
    )
    documents, problems = read(library)
    assert sorted(documents) == ["a.md", "notes/asks/kept.md"]
    assert not problems


def test_names_that_differ_only_in_form_stay_apart(make) -> None:
    library = make({"caf\u00e9.md": "composed", "cafe\u0301.md": "decomposed"})
    documents, _ = read(library)
    assert len(documents) == 2
    assert "caf\u00e9.md" in documents


def test_a_file_name_that_is_no_text(make) -> None:
    library = make({"a.md": "text"})
    with open(os.path.join(os.fsencode(library), b"b\xff.md"), "wb") as file:  # noqa: PTH118, PTH123
        file.write(b"text")
    documents, _ = read(library)
    assert len(documents) == 2
    for key in documents:
        key.encode("utf-8")


def test_an_unreadable_file_is_named(make) -> None:
    library = make({"a.md": "text"})
    os.mkfifo(library / "pipe.md")
    documents, _ = read(library)
    assert sorted(documents) == ["a.md"], "a pipe is no regular file, and reading it would hang"


def test_sidecars_are_read_and_tolerated(make) -> None:
    ulid = "01J8ZQ4N9W3V5X7Y1A2B3C4D5E"
    library = make(
        {
            "a.md": "# Own\ntext",
            "a.md.pnk.yaml": f"id: {ulid}\ntitle: Given\ntags: [t]\nlinks:\n"
            f"- to: pnk://self/{ulid}\n  rel: x\n- 5\n",
            "b.md": "text",
            "b.md.pnk.yaml": "title: [",
            "c.md": "text",
            "c.md.pnk.yaml": "- no mapping",
            "d.md": "text",
            "d.md.pnk.yaml": b"\xff\xfe\xff",
        }
    )
    documents, problems = read(library)
    a = documents["a.md"]
    assert (a.title, a.tags, a.external_id, a.aliases) == ("Given", ("t",), ulid, ("Own",))
    assert [link.target for link in a.links] == [f"pnk://self/{ulid}", "5"]
    assert sorted(p.location for p in problems) == ["b.md.pnk.yaml", "c.md.pnk.yaml", "d.md.pnk.yaml"]
    assert not any(p.skipped for p in problems)


def test_a_knowledge_base_reads_its_roots_only(make) -> None:
    library = make(
        {
            "pinakes.toml": '[kb]\nid = "x"\n[sources]\nroots = ["docs/", "more"]\nexclude = ["drafts/**"]\n',
            "docs/a.md": "text",
            "docs/deep/b.txt": "text",
            "docs/drafts/c.md": "text",
            "docs/d.pdf": b"x",
            "more/e.md": "text",
            "other/f.md": "text",
        }
    )
    assert sorted(read(library)[0]) == ["docs/a.md", "docs/deep/b.txt", "more/e.md"]


@pytest.mark.parametrize(
    ("manifest", "named"),
    [
        ('[sources]\nroots = ["../out"]', "sources.roots"),
        ('[sources]\nroots = ["/etc"]', "sources.roots"),
        ('[sources]\ninclude = ["../**"]', "sources.include"),
        ("[sources]\nroots = 3", "sources.roots"),
        ("[sources", "cannot be read"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused_by_key(make, manifest: str, named: str) -> None:
    with pytest.raises(LibraryError, match=named):
        scan(make({"pinakes.toml": manifest}))


def test_documents_of_kinds_that_are_not_read_are_counted_by_kind(make) -> None:
    library = make({"a.md": "text", "b.docx": "x", "sub/c.DOCX": "x", "d.html": "x", "picture.png": "x"})
    _, problems = read(library)
    assert [(one.location, one.problem.split(" of ")[0], one.skipped) for one in problems] == [
        ("*.docx", "2 files", True),
        ("*.html", "1 file", True),
    ]


def test_a_missing_root_is_named(make) -> None:
    documents, problems = read(make({"pinakes.toml": ""}))
    assert not documents
    assert problems[0].location == "docs/"


@pytest.mark.parametrize(
    ("name", "pattern", "matches"),
    [
        ("a.md", "**/*.md", True),
        ("x/y/a.md", "**/*.md", True),
        ("x/a.md", "*.md", False),
        ("drafts/x/a.md", "drafts/**", True),
        ("a1.md", "a[0-9].md", True),
        ("ab.md", "a[!b].md", False),
        ("a.md", "?.md", True),
    ],
)
def test_patterns(name: str, pattern: str, matches: bool) -> None:
    assert _matches(name, (pattern,)) is matches


def test_a_corpus_in_both_forms_with_and_without_ids(tmp_path: Path) -> None:
    records = [
        {"idx": 7, "title": "A", "text": "one"},
        {"title": "B", "text": "two"},
        {"id": "x", "text": "three"},
    ]
    lines, array = tmp_path / "c.jsonl", tmp_path / "c.json"
    lines.write_text("\n".join(map(json.dumps, records)))
    array.write_text(json.dumps(records))
    for path in (lines, array):
        documents, problems = read(path)
        assert not problems
        assert [d.title for d in documents.values()] == ["A", "B", "x"]
        assert set(documents) > {"7", "x"}


def test_bad_records_are_named_by_line_and_the_rest_kept(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    good = json.dumps({"id": "a", "title": "A", "text": "one"})
    cut = '{"id": "b", "title": "B", "te'
    path.write_text("\n".join([good, "[1]", '{"title": "no text"}', '{"text": "  "}', '{"text": "\\ud863"}', cut]))
    documents, problems = read(path)
    assert len(documents) == 2
    assert [p.location for p in problems] == ["c.jsonl#2", "c.jsonl#3", "c.jsonl#4", "c.jsonl#5", "c.jsonl#6"]
    assert [p.location for p in problems if not p.skipped] == ["c.jsonl#5"]


def test_one_title_or_one_id_twice_makes_two_documents(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record = json.dumps({"id": "a", "title": "Same", "text": "one"})
    path.write_text(f"{record}\n{record}\n" + json.dumps({"title": "Same", "text": "two"}))
    documents, problems = read(path)
    assert len(documents) == 3
    assert [p.problem for p in problems] == ["its id is taken; it is called a~2 here"]
    assert {"a", "a~2"} < set(documents)


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[" * 100_000])
def test_a_broken_array_is_one_problem(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text)
    documents, problems = read(path)
    assert not documents
    assert len(problems) == 1
