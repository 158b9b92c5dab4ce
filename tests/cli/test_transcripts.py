"""``pnk transcripts`` on runs of the sample library, as a reviewer uses it."""

from __future__ import annotations

import asyncio
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from pinakes_ask.asking import ask_and_record
from pinakes_ask.cli.app import run
from pinakes_ask.models.extractive.model import ExtractiveModel
from pinakes_ask.seams import SystemClock, UlidIds
from pinakes_ask.settings import Settings
from retrieval.library import Library
from tests.cli.pnk import Ran, pnk
from tests.transcripts.test_git import git
from transcripts.record import Transcript
from transcripts.store import load

TWO_HOPS = "Where was the composer of The Lantern Suite born?"
PLANNED = "Who took over as principal keeper from the father of Elspeth Carrow?"
NOTHING = "Who was the mother of the astronomer Theodora Quist?"
COMPARED = "Who was born earlier, Elspeth Carrow or Theodora Quist?"
SUMMARY_KEYS = {
    "id", "folder", "created", "question", "model", "status", "stop_reason", "short_answer", "completeness",
    "essentiality", "determinateness", "class", "confidence", "unsupported", "calls", "prompt_tokens",
    "completion_tokens", "cost", "seconds", "fingerprint", "reasons", "chain", "review", "reviewer", "note",
}  # fmt: skip


@pytest.fixture(scope="module")
def asked(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample library in a git repository, with four runs in it. Tests do not change it."""
    library = tmp_path_factory.mktemp("asked") / "library"
    shutil.copytree(sample_library, library)
    git(library, "init", "--quiet", "--initial-branch", "main")
    git(library, "config", "user.name", "Rita Reviewer")
    git(library, "config", "user.email", "rita@example.org")
    assert pnk("init", library).code == 0
    git(library, "add", "--all")
    git(library, "commit", "--quiet", "-m", "start")
    with Library.open(library) as opened:
        settings, model = Settings(), ExtractiveModel()
        for question in (TWO_HOPS, PLANNED, NOTHING, COMPARED):
            outcome = asyncio.run(
                ask_and_record(
                    question, searcher=opened, library_name="library", model=model, settings=settings,
                    clock=SystemClock(), ids=UlidIds(), asks=library / "asks", commit=True,
                )
            )  # fmt: skip
            assert outcome.notes == ()
    return library


@pytest.fixture
def library(asked: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    copy = tmp_path / "library"
    shutil.copytree(asked, copy, symlinks=True)
    return copy


def transcripts(library: Path, *arguments: object) -> Ran:
    """Run one of the commands. It is done in this process, since there are many of them."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run(["transcripts", str(arguments[0]), "--kb", str(library), *map(str, arguments[1:])])
    return Ran(code, out.getvalue(), err.getvalue())


def runs(library: Path, *flags: object) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = transcripts(library, "list", "--json", *flags).json()["runs"]
    return listed


def folder_of(library: Path, question: str) -> Path:
    (found,) = [one for one in runs(library) if one["question"] == question]
    return library / "asks" / found["folder"]


def changed(folder: Path, **changes: Any) -> Transcript:
    """Write another record of the same run, sealed, in place of the first."""
    record = load(folder).model_copy(update=changes).sealed()
    (folder / "transcript.json").write_text(record.to_json(), encoding="utf-8")
    return record


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


def test_verify_finds_sound_runs_sound_and_their_citations_in_place(asked: Path) -> None:
    ran = transcripts(asked, "verify", "--json")
    assert ran.code == 0
    found = ran.json()["runs"]
    assert [one["sound"] for one in found] == [True] * 4
    assert {each["state"] for one in found for each in one["cited"]} == {"same"}


def test_verify_tells_which_cited_sentences_changed_or_vanished(library: Path) -> None:
    people = library / "docs" / "people"
    elspeth = (people / "elspeth-carrow.md").read_text(encoding="utf-8")
    text = elspeth.replace("in Merrowick.", "in Tamber.", 1).replace("They had no children.", "")
    (people / "elspeth-carrow.md").write_text(text, encoding="utf-8")
    (people / "theodora-quist.md").unlink()
    ran = transcripts(library, "verify", "--json")
    assert ran.code == 0, "a library that has changed is no fault"
    states = {
        (each["document"].rsplit("/")[-1], each["state"]) for one in ran.json()["runs"] for each in one["cited"]
    }
    assert {("the-lantern-suite.md", "same"), ("elspeth-carrow.md", "vanished")} <= states
    assert {state for name, state in states if name == "elspeth-carrow.md"} == {"vanished", "changed"}
    assert {state for name, state in states if name == "theodora-quist.md"} == {"document_gone"}
    assert {state for name, state in states if name.startswith("the-")} == {"same"}
    assert "no longer says this" in transcripts(library, "verify").out


@pytest.mark.parametrize("name", ["transcript.json", "path.json", "answer.md"])
def test_verify_finds_what_was_edited_cut_or_removed(name: str, library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    whole = (folder / name).read_text(encoding="utf-8")
    for text in (whole.replace("Merrowick", "Tamber"), whole[:200], None):
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text, encoding="utf-8")
        ran = transcripts(library, "verify", folder, "--json", "--no-library")
        assert ran.code == 1
        (found,) = ran.json()["runs"]
        assert (found["sound"], any(name in fault for fault in found["faults"])) == (False, True)


def test_verify_finds_a_quote_that_is_not_in_the_evidence(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    answer = load(folder).answer
    cite = answer.statements[0].citations[0].model_copy(update={"quote": "Something else."})
    first = answer.statements[0].model_copy(update={"citations": (cite,)})
    changed(folder, answer=answer.model_copy(update={"statements": (first, *answer.statements[1:])}))
    ran = transcripts(library, "verify", folder, "--no-library")
    assert (ran.code, "quotes something else" in ran.out) == (1, True)


def test_replay_is_identical_without_the_library(asked: Path) -> None:
    for question in (TWO_HOPS, PLANNED, NOTHING, COMPARED):
        ran = transcripts(asked, "replay", folder_of(asked, question), "--json")
        assert ran.code == 0, ran.out
        found = ran.json()
        assert (found["identical"], found["difference"], found["searched"]) == (True, None, "record")
        assert found["fingerprint"]["same"] is True


def test_replay_over_a_changed_library_names_the_first_difference_and_the_new_answer(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    assert transcripts(library, "replay", folder, "--now").code == 0
    file = library / "docs" / "people" / "elspeth-carrow.md"
    file.write_text(file.read_text(encoding="utf-8").replace("in Merrowick.", "in Tamber.", 1), encoding="utf-8")
    assert pnk("sync", "--kb", library).code == 0
    ran = transcripts(library, "replay", folder, "--now", "--json")
    assert ran.code == 1
    found = ran.json()
    assert found["difference"]["path"].startswith(("evidence.", "confidence."))
    assert (found["recorded"]["short_answer"], found["again"]["short_answer"]) == ("Merrowick", "Tamber")
    assert found["fingerprint"]["same"] is False
    without = transcripts(library, "replay", folder)
    assert (without.code, "has changed" in without.err) == (0, True)


def test_replay_names_where_the_program_reasons_otherwise(library: Path) -> None:
    folder = folder_of(library, PLANNED)
    rounds = load(folder).rounds
    changed(folder, rounds=(rounds[0].model_copy(update={"memory": "It was otherwise."}), *rounds[1:]))
    ran = transcripts(library, "replay", folder, "--json")
    assert ran.code == 1
    assert ran.json()["difference"]["path"] == "rounds.1.memory"


def test_rescore_keeps_new_scores_beside_the_record_and_never_over_it(library: Path) -> None:
    folder = folder_of(library, TWO_HOPS)
    assert transcripts(library, "rescore").code == 0
    assert not (folder / "rescored.jsonl").exists(), "the same scores are not kept twice"
    score = load(folder).score
    assert score is not None
    old = score.model_copy(update={"verdict": {**score.verdict, "completeness": 0, "class": "broken"}})
    record = changed(folder, score=old)
    ran = transcripts(library, "rescore", "--json")
    (row,) = [one for one in ran.json()["runs"] if one["changed"]]
    assert (row["before"]["completeness"], row["after"]["completeness"], row["saved"]) == (0, 1, True)
    assert load(folder) == record
    transcripts(library, "rescore")
    (line,) = (folder / "rescored.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["verdict"]["completeness"], json.loads(line)["sha256"]) == (1, record.sha256)
    assert "Scored again" in transcripts(library, "show", folder).out


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
