"""``pnk eval`` as its user runs it: run, report again, compare, go on after a kill, and refuse what is bad."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from pinakes_ask.evaluation.metrics import METRICS
from pinakes_ask.models.endpoint.prompts import prompt_text
from tests.cli.pnk import Ran, pnk
from tests.cli.test_bad_input import one_line
from tests.conftest import SAMPLE
from tests.endpoint.server import MODEL, ChatServer, kind_of
from tests.endpoint.test_loop import KINDS

QUESTIONS = SAMPLE / "questions.jsonl"
PUBLIC = {
    "_id": "p1",
    "question": "Where was the author of The Reed born?",
    "answer": "Dale",
    "type": "bridge",
    "supporting_facts": [["The Reed", 1], ["Ann Bell", 0]],
    "context": [
        ["The Reed", ["The Reed is a novel.", " The Reed was written by Ann Bell."]],
        ["Ann Bell", ["Ann Bell was born in Dale.", " She kept bees."]],
        ["Hull", ["Hull is a port."]],
    ],
}


def evaluate(*arguments: object, cwd: Path, env: dict[str, str] | None = None) -> Ran:
    return pnk("eval", *arguments, cwd=cwd, home=cwd, env=env)


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def timeless(measured: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**one, "values": {**one["values"], "seconds": 0}} for one in measured]


@pytest.fixture(scope="module")
def place(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample library and its questions."""
    folder = tmp_path_factory.mktemp("eval")
    shutil.copytree(sample_library, folder / "library")
    shutil.copy(QUESTIONS, folder)
    return folder


@pytest.fixture(scope="module")
def run(place: Path) -> Iterator[dict[str, Any]]:
    """A run over all sample questions, as it was reported."""
    ran = evaluate("questions.jsonl", "--corpus", "library", "--out", "run", "--json", cwd=place)
    assert ran.code == 0, ran.err
    yield ran.json()


def test_a_run_reports_every_metric_and_counts_every_question(run: dict[str, Any]) -> None:
    assert (run["schema_version"], run["questions"], run["baseline"]) == (1, 20, None)
    assert set(run) == {
        "schema_version", "run", "questions", "statuses", "all", "by_type", "by_hops", "reliability", "classes",
        "baseline",
    }  # fmt: skip
    assert sum(run["statuses"].values()) == 20
    metrics = run["all"]["metrics"]
    assert list(metrics) == [metric.name for metric in METRICS]
    for one in metrics.values():
        assert one["count"] + sum(one["missing"].values()) == 20
    assert metrics["exact_match"]["missing"] == {"the documents hold no answer": 2}
    assert metrics["exact_match"]["mean"] > 0.5
    assert metrics["recall@10"]["mean"] > 0.9
    assert metrics["model_judged"]["mean"] is None
    assert metrics["false_confidence"]["count"] == 2
    assert set(run["by_hops"]) == {"0", "1", "2", "3"}
    assert sum(run["classes"].values()) == 20
    assert {"python", "pinakes-ask", "numpy", "scipy"} <= run["run"]["versions"].keys()


def test_a_run_is_reported_again_from_its_folder_alone(run: dict[str, Any], place: Path, tmp_path: Path) -> None:
    shutil.copy(place / "run" / "run.json", tmp_path)
    shutil.copy(place / "run" / "measured.jsonl", tmp_path)
    again = evaluate("--report", ".", "--json", "--html", "page.html", cwd=tmp_path)
    assert again.code == 0, again.err
    assert {**again.json(), "run": {**again.json()["run"], "name": "run"}} == run
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_run_that_is_reported_again_keeps_its_seed(place: Path, run: dict[str, Any], tmp_path: Path) -> None:
    given = (
        "questions.jsonl",
        "--corpus",
        "library",
        "--answers",
        "run/answers.jsonl",
        "--out",
        tmp_path / "seven",
    )
    first = evaluate(*given, "--seed", "7", "--json", cwd=place).json()["all"]
    assert evaluate("--report", tmp_path / "seven", "--json", cwd=place).json()["all"] == first
    assert evaluate("--report", tmp_path / "seven", "--seed", "8", "--json", cwd=place).json()["all"] != first


def test_the_terminal_shows_the_figures_and_why_some_are_missing(run: dict[str, Any], place: Path) -> None:
    shown = evaluate("--report", "run", cwd=place)
    assert shown.code == 0
    for text in ("exact match", "recall@5", "95% interval", "the documents hold no answer", "hops", place.name):
        assert text in shown.out
    assert f"{run['all']['metrics']['exact_match']['mean']:.3f}" in shown.out


def test_no_type_of_question_is_broken_on_a_usual_terminal(run: dict[str, Any], place: Path) -> None:
    shown = pnk("eval", "--report", "run", cwd=place, env={"COLUMNS": "80"}).out
    firsts = {line.split()[0] for line in shown.splitlines() if line.strip()}
    assert {"comparison", "one-hop", "three-hop", "two-hop", "unanswerable"} <= firsts
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_rows_of_a_batch_are_measured_as_the_run_was(run: dict[str, Any], place: Path) -> None:
    before = sorted(place.iterdir())
    ran = evaluate("questions.jsonl", "--corpus", "library", "--answers", "run/answers.jsonl", "--json", cwd=place)
    assert ran.code == 0, ran.err
    read = ran.json()
    for name, one in run["all"]["metrics"].items():
        if name not in ("recall@10", "all_evidence@10"):
            assert read["all"]["metrics"][name] == one, name
    assert read["all"]["metrics"]["recall@10"]["missing"]["fewer than 10 passages were retrieved"] == 18
    assert read["run"]["model"] is None
    assert sorted(place.iterdir()) == before, "answers that are read leave nothing behind"


def test_two_engines_are_compared_on_their_common_questions(
    run: dict[str, Any], place: Path, tmp_path: Path
) -> None:
    gold = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    answers = [{"id": one["id"], "answer": one["answer"]} for one in gold[:15]]
    (tmp_path / "plain.jsonl").write_text("\n".join(map(json.dumps, answers)))
    given = ("--answers", tmp_path / "plain.jsonl", "--out", tmp_path / "oracle", "--baseline", "run")
    ran = evaluate("questions.jsonl", *given, "--json", cwd=place)
    assert ran.code == 0, ran.err
    found = ran.json()
    assert found["statuses"]["missing"] == 5
    assert "5 of 20 questions have no answer" in ran.err
    assert found["all"]["metrics"]["exact_match"]["mean"] == 1.0
    difference = found["baseline"]["metrics"]["exact_match"]
    ours = {one["id"]: one["values"]["exact_match"] for one in rows(place / "run" / "measured.jsonl")[:15]}
    assert difference["wins"] == sum(value == 0 for value in ours.values())
    assert (difference["losses"], difference["test"]) == (0, "exact McNemar")
    assert difference["only_there"] == 3, "those of the five without an answer that are answerable"
    table = evaluate("--report", tmp_path / "oracle", "--baseline", "run", cwd=place)
    assert "Against run" in table.out
    assert "not corrected" in table.out


def test_public_sets_bring_their_own_corpus(tmp_path: Path) -> None:
    (tmp_path / "hotpot.json").write_text(json.dumps([PUBLIC]), encoding="utf-8")
    ran = evaluate("hotpot.json", "--json", cwd=tmp_path)
    assert ran.code == 0, ran.err
    found = ran.json()
    folder = tmp_path / "eval" / f"hotpot-{found['run']['fingerprint']}"
    assert "The run lies in eval" in ran.err
    assert sorted(one.name for one in folder.iterdir() if not one.name.startswith(".")) == [
        "answers.jsonl", "asks", "corpus.jsonl", "corpus.jsonl.pinakes-ask", "measured.jsonl", "run.json",
    ]  # fmt: skip
    metrics = found["all"]["metrics"]
    assert metrics["recall@5"]["mean"] == 1.0
    assert metrics["sentence_recall"]["count"] == 1


def kill_in_the_middle(place: Path, folder: Path) -> list[str]:
    """Start a run into ``folder``, kill it once it has answered some questions, and return those rows."""
    given = ["questions.jsonl", "--corpus", "library", "--out", str(folder)]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PNK_ASK_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "pinakes_ask", "eval", *given],
        cwd=place, env={**clean, "HOME": str(place)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    answers = folder / "answers.jsonl"
    while not (answers.exists() and answers.read_bytes().count(b"\n") >= 3) and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait()
    return [one for one in answers.read_text(encoding="utf-8").splitlines() if one.endswith("}")]


def test_a_killed_run_goes_on_and_asks_nothing_twice(place: Path, run: dict[str, Any], tmp_path: Path) -> None:
    # On a busy machine the kill may come too late; then a new run is killed.
    for _ in range(10):
        shutil.rmtree(tmp_path / "killed", ignore_errors=True)
        before = kill_in_the_middle(place, tmp_path / "killed")
        if len(before) < 20:
            break
    assert 3 <= len(before) < 20
    given = ["questions.jsonl", "--corpus", "library", "--out", str(tmp_path / "killed")]
    answers = tmp_path / "killed" / "answers.jsonl"
    line = one_line(evaluate("--report", tmp_path / "killed", cwd=place), 2)
    assert "has not ended" in line
    done = evaluate(*given, "--json", cwd=place)
    assert done.code == 0, done.err
    after = answers.read_text(encoding="utf-8").splitlines()
    assert after[: len(before)] == before
    assert len(after) == 20
    left, right = (timeless(rows(one / "measured.jsonl")) for one in (tmp_path / "killed", place / "run"))
    assert left == right


def test_a_run_is_not_mixed_with_another(place: Path, run: dict[str, Any]) -> None:
    line = one_line(evaluate("questions.jsonl", "--corpus", "library", "--out", "run", "-k", "3", cwd=place), 2)
    assert "another settings" in line
    line = one_line(evaluate("questions.jsonl", "--corpus", "library", "--out", "library", cwd=place), 2)
    assert "the folder holds something else" in line
    assert not (place / "library" / "run.json").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "no DATASET was named"),
        (["nowhere.jsonl"], "No such file"),
        (["questions.jsonl"], "no library was named"),
        (["questions.jsonl", "--answers", "nowhere"], "No such file"),
        (["questions.jsonl", "--corpus", "nowhere"], "no such file or folder"),
        (["questions.jsonl", "--corpus", "library", "--baseline", "library"], "Cannot read library"),
        (["questions.jsonl", "--corpus", "library", "--judge"], "no model was named"),
        (["--report", "nowhere"], "Cannot read nowhere"),
        (["--report", "run", "--limit", "3"], "--limit cannot be used"),
        (["questions.jsonl", "--report", "run"], "DATASET cannot be used"),
        (["questions.jsonl", "--answers", "a", "-k", "3"], "-k cannot be used"),
        (["--limit", "0"], "--limit"),
        (["--report", "run", "--html", "no/folder/page.html"], "cannot go to"),
        (["questions.jsonl", "--corpus", "library", "--out", "questions.jsonl/run"], "The run cannot go to"),
        (["questions.jsonl", "--corpus", "library", "--out", "questions.jsonl"], "The run cannot go to"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_call_that_cannot_be_used_says_so(
    arguments: list[str], why: str, place: Path, run: dict[str, Any]
) -> None:
    before = sorted(place.iterdir())
    assert why in one_line(evaluate(*arguments, cwd=place), 2)
    assert sorted(place.iterdir()) == before


def test_every_bad_line_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    lines = ["{", json.dumps(PUBLIC), json.dumps({**PUBLIC, "_id": "2", "answer": []})]
    (tmp_path / "set.jsonl").write_text("\n".join(lines))
    ran = evaluate("set.jsonl", cwd=tmp_path)
    line = one_line(ran, 2)
    assert "2 lines cannot be asked, the first is line 1" in line
    assert "line 3: its gold answer is neither a text nor null" in ran.err
    assert [one.name for one in tmp_path.iterdir()] == ["set.jsonl"]


def test_a_failed_answer_is_counted_apart_and_ends_with_5(tmp_path: Path) -> None:
    """It is neither wrong, nor right to say nothing where nothing could be said: it is in no mean."""
    unanswerable = {**PUBLIC, "_id": "p2", "answer": None}
    (tmp_path / "set.json").write_text(json.dumps([PUBLIC, {**PUBLIC, "_id": "p3"}, unanswerable]))
    answers = [
        {"id": "p1", "answer": PUBLIC["answer"], "usage": {"calls": 2}},
        *({"id": one, "answer": None, "error": "it fell over", "usage": {"calls": 4}} for one in ("p2", "p3")),
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    ran = evaluate("set.json", "--answers", "answers.jsonl", "--json", cwd=tmp_path)
    assert ran.code == 5
    assert ran.json()["statuses"] == {"answered": 1, "withheld": 0, "failed": 2, "missing": 0}
    metrics = ran.json()["all"]["metrics"]
    for name in ("exact_match", "f1", "coverage"):
        assert (metrics[name]["mean"], metrics[name]["count"]) == (1.0, 1)
    assert metrics["false_confidence"]["count"] == 0
    assert metrics["false_confidence"]["missing"]["the answer failed"] == 2
    assert metrics["calls"]["mean"] == pytest.approx(10 / 3), "what it took, it took"


def test_a_named_model_judges_where_that_was_agreed(httpserver: HTTPServer, tmp_path: Path) -> None:
    chat = ChatServer(httpserver)
    chat.script(json.dumps({"reasoning": "The same town.", "right": True}))
    (tmp_path / "set.json").write_text(json.dumps([PUBLIC]))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "p1", "answer": "in Dale"}))
    given = ("set.json", "--answers", "answers.jsonl", "--json", "--model", MODEL, "--base-url", chat.url)
    refused = evaluate(*given, cwd=tmp_path)
    assert "would judge 1 answers" in one_line(refused, 2)
    assert chat.count == 0
    ran = evaluate(*given, "--yes", "--out", "run", cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert ran.json()["all"]["metrics"]["model_judged"]["mean"] == 1.0
    assert ran.json()["all"]["metrics"]["exact_match"]["mean"] == 0.0
    assert ran.json()["run"]["judge"]["model"] == MODEL
    assert evaluate(*given, "--yes", "--out", "run", cwd=tmp_path).code == 0
    assert chat.count == 1, "a judgement is kept with its run"
    unjudged = evaluate(*given, "--no-judge", cwd=tmp_path)
    assert unjudged.json()["all"]["metrics"]["model_judged"]["missing"] == {"no model was named to judge": 1}


def test_asking_and_judging_share_a_budget_and_a_larger_one_goes_on(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    chat = ChatServer(httpserver)
    verdict = json.dumps({"reasoning": "The same town.", "right": True})

    def reply(body: dict[str, Any]) -> Any:
        if body["messages"][0]["content"] == prompt_text("judge"):
            return verdict
        step = KINDS[kind_of(body)]
        return step(body) if callable(step) else step

    chat.script(reply)
    (tmp_path / "set.json").write_text(json.dumps([PUBLIC]))
    given = ("set.json", "--out", "run", "--json", "--model", MODEL, "--base-url", chat.url)
    ran = evaluate(*given, "--yes", "--no-judge", cwd=tmp_path)
    assert ran.code == 0, ran.err
    asked = chat.count
    assert ran.json()["all"]["metrics"]["calls"]["mean"] == asked
    assert ran.json()["all"]["metrics"]["exact_match"]["mean"] == 1.0
    judging = [*given[:2], "judged", *given[3:], "--max-calls"]
    spent = evaluate(*judging, asked, cwd=tmp_path)
    assert spent.code == 0, spent.err
    assert chat.count == 2 * asked
    why = spent.json()["all"]["metrics"]["model_judged"]["missing"]
    assert why == {"the budget ended before it was judged": 1}
    more = evaluate(*judging, asked + 1, cwd=tmp_path)
    assert more.json()["all"]["metrics"]["model_judged"]["mean"] == 1.0
    assert chat.count == 2 * asked + 1
