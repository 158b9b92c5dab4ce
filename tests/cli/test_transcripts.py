"""``pnk transcripts`` on runs of the sample library, as a reviewer uses it."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from tests.cli.asked import (
    COMPARED,
    NOTHING,
    PLANNED,
    SUMMARY_KEYS,
    TWO_HOPS,
    changed,
    folder_of,
    runs,
    transcripts,
)
from tests.cli.pnk import pnk
from tests.transcripts.test_git import git


def test_list_shows_the_newest_first_with_every_key(asked: Path) -> None:
    listed = transcripts(asked, "list", "--json").json()
    assert (listed["schema_version"], listed["count"], listed["problems"]) == (1, 4, [])
    assert [run["question"] for run in listed["runs"]] == [COMPARED, NOTHING, PLANNED, TWO_HOPS]
    assert all(set(run) == SUMMARY_KEYS for run in listed["runs"])
    assert listed["runs"][3]["chain"] == ["docs/works/the-lantern-suite.md", "docs/people/elspeth-carrow.md"]


@pytest.mark.parametrize(
    ("flags", "questions"),
    [
        (["--status", "answered"], [COMPARED, TWO_HOPS]),
        (["--status", "partial", "--status", "no_evidence"], [NOTHING, PLANNED]),
        (["--score", "C=1", "--score", "D=1"], [COMPARED, TWO_HOPS]),
        (["--score", "E<0"], []),
        (["--score", "E>=0", "--score", "C!=0"], [COMPARED, TWO_HOPS]),
        (["--score", "C=null"], [NOTHING, PLANNED]),
        (["--class", "none", "--text", "merrowick"], [TWO_HOPS]),
        (["--class", "broken"], []),
        (["--review", "none", "--limit", "1"], [COMPARED]),
        (["--since", "2000-01-01", "--sort", "question", "--descending"], [NOTHING, COMPARED, PLANNED, TWO_HOPS]),
        (["--until", "2000-01-01"], []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) and value and value[0].startswith("-") else "",
)
def test_list_filters(flags: list[str], questions: list[str], asked: Path) -> None:
    assert [one["question"] for one in runs(asked, *flags)] == questions


@pytest.mark.parametrize(
    "flags",
    [["--score", "F=1"], ["--score", "C<null"], ["--class", "odd"], ["--status", "odd"], ["--review", "odd"],
     ["--since", "yesterday"], ["--sort", "odd"]],
    ids=" ".join,
)  # fmt: skip
def test_list_names_what_it_cannot_filter_by(flags: list[str], asked: Path) -> None:
    ran = transcripts(asked, "list", *flags)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")


def test_list_names_and_skips_what_is_no_transcript(library: Path) -> None:
    file = folder_of(library, PLANNED) / "transcript.json"
    file.write_text(file.read_text(encoding="utf-8")[:700], encoding="utf-8")
    for name, text in {"foreign": "{}", "newer": '{"schema_version": 99}'}.items():
        folder = library / "asks" / "2026" / "01" / name
        folder.mkdir(parents=True)
        (folder / "transcript.json").write_text(text, encoding="utf-8")
    (library / "asks" / "2026" / "01" / "01KJM000000000000000000000-empty").mkdir()
    for _ in range(2):  # from the files, then from the kept rows
        ran = transcripts(library, "list")
        assert ran.code == 0
        assert [line.count("?") for line in ran.out.splitlines()[1:]] == [1, 1, 1]
        for name in (file.parent.name, "foreign", "newer", "01KJM000000000000000000000-empty"):
            assert name in ran.err


def test_list_sees_at_once_what_was_added_changed_or_removed(library: Path) -> None:
    assert len(runs(library)) == 4
    changed(folder_of(library, PLANNED), status="failed")
    shutil.rmtree(folder_of(library, NOTHING))
    assert {run["question"]: run["status"] for run in runs(library)} == {
        TWO_HOPS: "answered", PLANNED: "failed", COMPARED: "answered",
    }  # fmt: skip
    (library / ".pinakes-ask" / "transcripts.sqlite3").write_bytes(b"damaged")
    assert len(runs(library)) == 3
    assert len(runs(library)) == 3


def test_without_transcripts_it_says_how_to_have_some(sample_library: Path) -> None:
    ran = transcripts(sample_library, "list")
    assert (ran.code, ran.out) == (0, "")
    assert "pnk ask --deep" in ran.err


def test_show_takes_an_id_its_beginning_its_end_a_folder_and_last(asked: Path) -> None:
    newest = runs(asked)[0]
    names = [newest["id"], newest["id"][:18].lower(), newest["id"][-6:], asked / "asks" / newest["folder"], "last"]
    shown = [transcripts(asked, "show", name) for name in names]
    assert {ran.out for ran in shown} == {shown[0].out}
    for part in (
        COMPARED,
        "Theodora Quist",
        "docs/people/theodora-quist.md",
        "C completeness",
        "Reviews",
        newest["id"],
    ):
        assert part in shown[0].out
    assert "\x1b" not in shown[0].out


def test_show_names_an_id_that_is_none_or_too_short(asked: Path) -> None:
    for name, reason in (("01ZZ", "no id"), ("0", "begin or end so"), ("nonsense", "no id")):
        ran = transcripts(asked, "show", name)
        assert (ran.code, reason in ran.err) == (2, True), ran.err


def test_show_prints_rounds_evidence_and_calls(asked: Path) -> None:
    shown = transcripts(asked, "show", folder_of(asked, PLANNED), "--evidence", "--exchanges").out
    for part in ("Rounds", "Who is the father of Elspeth Carrow?", "Evidence", "reached by", "Calls of the model"):
        assert part in shown
    whole = transcripts(asked, "show", folder_of(asked, PLANNED), "--json").json()
    assert set(whole) == {"schema_version", "folder", "transcript", "path", "reviews", "rescored"}
    assert whole["transcript"]["question"] == PLANNED
    assert whole["path"]["nodes"] == []


def test_diff_tells_two_runs_apart_part_by_part(asked: Path) -> None:
    a, b = folder_of(asked, TWO_HOPS), folder_of(asked, PLANNED)
    found = transcripts(asked, "diff", a, b, "--json").json()
    assert set(found) == {"schema_version", "a", "b", "settings", "plan", "evidence", "answer", "scores"}
    assert {"name": "short answer", "a": "Merrowick", "b": None} in found["answer"]["changed"]
    assert {"name": "completeness", "a": 1, "b": None} in found["scores"]["changed"]
    assert [one["name"] for one in found["settings"]["changed"]] == ["question"]
    assert len(found["plan"]["only_b"]) == 2
    shown = transcripts(asked, "diff", a, b).out
    assert "Merrowick" in shown
    assert transcripts(asked, "diff", a, a).out == "The same: settings, plan, evidence, answer, scores.\n"


def test_a_review_is_appended_under_the_name_that_git_knows(library: Path) -> None:
    folder = folder_of(library, PLANNED)
    before = (folder / "transcript.json").read_bytes()
    assert transcripts(library, "review", folder, "--accept").code == 0
    ran = transcripts(library, "review", folder, "--reject", "--note", "It stops at the father", "--json")
    assert ran.code == 0
    review = ran.json()["review"]
    assert (review["reviewer"], review["verdict"]) == ("Rita Reviewer <rita@example.org>", "reject")
    assert [json.loads(line)["verdict"] for line in (folder / "reviews.jsonl").read_text().splitlines()] == [
        "accept",
        "reject",
    ]
    assert (folder / "transcript.json").read_bytes() == before
    (listed,) = runs(library, "--review", "reject")
    assert (listed["question"], listed["note"]) == (PLANNED, "It stops at the father")
    assert "It stops at the father" in " ".join(transcripts(library, "show", folder).out.split())
    assert len(runs(library, "--review", "none")) == 3


def test_a_review_says_which_judgement_and_whose(library: Path) -> None:
    ran = transcripts(library, "review", "last")
    assert (ran.code, "--accept" in ran.err) == (2, True)
    git(library, "config", "--unset", "user.name")
    git(library, "config", "--unset", "user.email")
    git(library, "config", "user.useConfigOnly", "true")
    env = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    ran = pnk("transcripts", "review", "last", "--accept", "--kb", library, env=env)
    assert (ran.code, "--reviewer" in ran.err) == (2, True)
    ran = pnk("transcripts", "review", "last", "--accept", "--reviewer", "Someone", "--kb", library, env=env)
    assert (ran.code, "Someone" in ran.err) == (0, True)
    both = transcripts(library, "review", "last", "--accept", "--reject")
    assert (both.code, "both --accept and --reject" in both.err) == (2, True)


def test_links_are_suggested_in_the_form_of_sidecars_and_written_nowhere(library: Path) -> None:
    before = git(library, "status", "--porcelain")
    ran = transcripts(library, "links")
    assert ran.code == 0
    list(yaml.safe_load_all(ran.out))
    assert "docs/works/the-lantern-suite.md.pnk.yaml" in ran.out
    assert "docs/people/elspeth-carrow.md" in ran.out
    assert git(library, "status", "--porcelain") == before
    (link,) = transcripts(library, "links", "--json").json()["links"]
    assert (link["source"], link["target"], link["often"]) == (
        "docs/works/the-lantern-suite.md", "docs/people/elspeth-carrow.md", 1,
    )  # fmt: skip


def test_links_state_the_id_that_pinakes_gives_and_leave_out_what_is_linked(library: Path) -> None:
    sidecar = library / "docs" / "people" / "elspeth-carrow.md.pnk.yaml"
    sidecar.write_text("id: 01KYC8V00000000000000000AA\ntitle: Elspeth Carrow\n", encoding="utf-8")
    (stated,) = yaml.safe_load_all(transcripts(library, "links").out)
    assert stated == {"links": [{"to": "pnk://self/01KYC8V00000000000000000AA", "rel": "related"}]}
    file = library / "docs" / "people" / "elspeth-carrow.md"
    backwards = file.read_text(encoding="utf-8") + "\nSee [[The Lantern Suite]].\n"
    file.write_text(backwards, encoding="utf-8")
    assert transcripts(library, "links", "--json").json()["links"] == []


def test_links_leave_out_what_a_reviewer_rejected(library: Path) -> None:
    assert transcripts(library, "review", folder_of(library, TWO_HOPS), "--reject").code == 0
    ran = transcripts(library, "links")
    assert (ran.code, ran.out) == (0, "")


def test_stats_average_what_is_known_and_say_what_is_not(library: Path) -> None:
    changed(
        folder_of(library, COMPARED), created=datetime(2026, 1, 5, 10, tzinfo=UTC), id="01KE6VBN400000000000000000"
    )
    found = transcripts(library, "stats", "--by", "month", "--json").json()
    assert [one["runs"] for one in found["periods"]] == [1, 3]
    whole = found["all"]
    measure = whole["completeness"]
    assert (measure["mean"], measure["measured"], measure["null"]) == (1.0, 2, 2)
    assert sum(measure["reasons"].values()) == 2
    assert "the short answer is withheld" in measure["reasons"]
    assert (whole["statuses"]["answered"], sum(whole["statuses"].values())) == (2, 4)
    assert whole["cost"] == {"known": 0.0, "unknown": 0}
    assert transcripts(library, "stats", "--by", "week", "--json").json()["periods"][0]["period"] == "2026-W02"
    shown = " ".join(transcripts(library, "stats").out.split())
    assert "2026-01" in shown
    assert "the short answer is withheld" in shown


def test_recover_without_anything_to_do_says_so(asked: Path) -> None:
    ran = transcripts(asked, "recover")
    assert (ran.code, ran.out) == (0, "")
    assert "no unfinished run" in ran.err
    assert transcripts(asked, "recover", "--json").json() == {"schema_version": 1, "runs": []}
    assert transcripts(asked, "recover", "01ZZ").code == 2
    assert transcripts(asked, "recover", "--yes").code == 2


@pytest.mark.parametrize("command", ["list", "show last", "verify", "stats", "links", "recover"])
def test_a_library_that_is_not_there_is_named(command: str, tmp_path: Path) -> None:
    ran = pnk("transcripts", *command.split(), "--kb", tmp_path / "nowhere")
    assert (ran.code, "nowhere" in ran.err) == (2, True)


def test_a_run_is_asked_and_reviewed_from_end_to_end(library: Path) -> None:
    """What a person does: ask, look, check, judge; git sees one commit and what the reviewer wrote."""
    before = git(library, "status", "--porcelain")
    question = "Who founded the shipyard that built the ferry Grey Heron?"
    assert pnk("ask", "--deep", question, cwd=library).code == 0
    assert git(library, "status", "--porcelain") == before
    assert question in pnk("transcripts", "list", "--limit", 1, cwd=library).out
    assert "Corwin Quist" in pnk("transcripts", "show", "last", cwd=library).out
    assert pnk("transcripts", "verify", "last", cwd=library).code == 0
    assert pnk("transcripts", "replay", "last", "--now", cwd=library).code == 0
    accepted = pnk("transcripts", "review", "last", "--accept", "--note", "Checked both sources", cwd=library)
    assert accepted.code == 0
    assert runs(library, "--review", "accept")[0]["question"] == question
    assert git(library, "status", "--porcelain").count("reviews.jsonl") == 1
