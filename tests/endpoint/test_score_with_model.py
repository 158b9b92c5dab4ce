"""``pnk score`` with a language model, as a process of its own against the scripted server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Response

from tests.cli.pnk import Ran, pnk
from tests.endpoint.server import KEY, MODEL, ChatServer, failure
from tests.endpoint.tasks import QUESTION, REPLIES, STATEMENTS

ROW = {"question": QUESTION, "long_answer": " ".join(STATEMENTS), "short_answer": "Dale"}


def right(body: dict[str, Any]) -> str | Response:
    """The right reply to either request of scoring."""
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    return json.dumps(REPLIES["propositions" if "propositions" in properties else "reinference"])


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": n, **ROW}) + "\n" for n in ("a", "b", "c")), encoding="utf-8")
    return path


def score(chat: ChatServer, *arguments: object, env: dict[str, str] | None = None) -> Ran:
    usual = {"PNK_ASK_API_KEY": KEY, "OPENAI_API_KEY": "sk-other"}
    return pnk("score", *arguments, "--model", MODEL, "--base-url", chat.url, env=usual if env is None else env)


def test_scores_by_a_model(chat: ChatServer, answers: Path) -> None:
    chat.script(right)
    others = {"OPENAI_API_KEY": "sk-other", "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "project"}
    ran = score(chat, answers, "--json", "-j", 2, env={"PNK_ASK_API_KEY": KEY, **others})
    assert ran.code == 0, ran.err
    assert not any(name.startswith("Openai-") for name in map(str.title, chat.headers))
    data = ran.json()
    assert [(v["completeness"], v["essentiality"], v["determinateness"]) for v in data["verdicts"]] == [
        (1, 1.0, 1)
    ] * 3
    assert (data["model"]["name"], data["model"]["calls"], data["model"]["prompt_tokens"]) == (MODEL, 6, 600)
    assert (data["model"]["cost"], data["model"]["estimated"]) == (None, False)
    assert chat.count == 6
    assert chat.keys == {f"Bearer {KEY}"}
    assert "At most 6 calls" in ran.err
    assert KEY not in ran.out + ran.err


def test_what_the_configuration_says_of_the_model_holds_for_scoring_too(
    chat: ChatServer, answers: Path, tmp_path: Path
) -> None:
    chat.script(right)
    prices = "prompt_price = 1.0\ncompletion_price = 2.0\n"
    file = tmp_path / "pinakes-ask.toml"
    file.write_text(f'[model]\nname = "{MODEL}"\nbase_url = "{chat.url}"\n{prices}', encoding="utf-8")
    ran = pnk("score", answers, "--json", "--model", MODEL, cwd=tmp_path, env={"PNK_ASK_API_KEY": KEY})
    assert ran.code == 0, ran.err
    assert ran.json()["model"]["cost"] == pytest.approx((600 * 1.0 + 60 * 2.0) / 1e6)


def test_calls_beyond_the_budget_are_not_made_and_a_later_run_makes_them(
    chat: ChatServer, answers: Path, tmp_path: Path
) -> None:
    chat.script(right)
    out = tmp_path / "verdicts.jsonl"
    ran = score(chat, answers, "--max-calls", 3, "-j", 1, "--out", out)
    assert (ran.code, chat.count) == (0, 3), ran.err
    first, second, third = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert (first["completeness"], first["determinateness"]) == (1, 1)
    assert (second["completeness"], second["determinateness"]) == (1, None)
    assert "call 4 of 3" in second["not_applicable"]["determinateness"]
    assert (third["completeness"], third["class"]) == (None, "extraction_failed")
    assert "call 4 of 3" in third["not_applicable"]["completeness"]
    again = score(chat, answers, "--out", out)
    assert "1 failed extractions are tried again" in again.err
    ids = [json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert (ids, chat.count) == (["a", "b", "c"], 5)


def test_repeats_are_compared(chat: ChatServer, answers: Path) -> None:
    chat.script(right)
    ran = score(chat, answers, "--repeats", 3, "--json")
    assert chat.count == 18
    assert [verdict["uncertain"] for verdict in ran.json()["verdicts"]] == [False] * 3


def test_a_rejected_key_ends_the_command_at_once_without_a_row(chat: ChatServer, answers: Path) -> None:
    chat.script(failure(401, f"bad key {KEY}"))
    ran = score(chat, answers, "-j", 1)
    assert (ran.code, ran.out, chat.count) == (1, "", 1)
    assert "the key was rejected" in ran.err
    assert KEY not in ran.err


def test_a_row_that_the_model_fails_on_is_told_and_the_others_go_on(chat: ChatServer, answers: Path) -> None:
    chat.script("prose", "prose", right)
    ran = score(chat, answers, "-j", 1)
    first, *others = (json.loads(line) for line in ran.out.splitlines())
    assert "no JSON object" in first["not_applicable"]["completeness"]
    assert [one["completeness"] for one in others] == [1, 1]


def test_explains_what_the_model_found(chat: ChatServer, answers: Path) -> None:
    chat.script(right)
    ran = score(chat, answers, "--explain", "b")
    assert (ran.code, chat.count) == (0, 2)
    assert "Ann Bell" in ran.out


def test_validates_the_model(chat: ChatServer, tmp_path: Path) -> None:
    row = {
        "id": "v",
        "question": QUESTION,
        "answer": "Dale",
        "type": "compositional",
        "evidences": [["The Reed", "author", "Ann Bell"], ["Ann Bell", "place of birth", "Dale"]],
    }
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    chat.script(right)
    ran = score(chat, "validate", path, "--extraction", "model", "--max-calls", 2, "--json")
    assert (ran.code, chat.count) == (0, 2), ran.err
    tally = ran.json()["model"]["total"]
    assert tally["true_positive"] == 2
    assert any("call 3 of 2" in reason for reason in tally["not_applicable"])


def test_the_second_key_is_read_only_without_the_first_and_none_is_needed(chat: ChatServer, answers: Path) -> None:
    chat.script(right)
    score(chat, answers, "--explain", "a", env={"OPENAI_API_KEY": "sk-other"})
    assert chat.keys == {"Bearer sk-other"}
    assert score(chat, answers, "--explain", "a", env={"OPENAI_API_KEY": ""}).code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--base-url", "http://127.0.0.1:9/v1"], "no model was named"),
        (["--max-calls", "3"], "no model was named"),
        (["-j", "3"], "no model was named"),
        (["--repeats", "3"], "rules find the same"),
        (["--model", "m"], "its server was not named"),
        (["--model", " ", "--base-url", "http://127.0.0.1:9/v1"], "--model is empty"),
        (["--model", "m", "--base-url", "127.0.0.1:9"], "no plain http"),
        (["--model", "m", "--base-url", "http://u:secret@127.0.0.1:9/v1"], "no plain http"),
        (["--model", "m", "--base-url", "http://127.0.0.1:99999/v1"], "no plain http"),
        (["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--patterns"], "a model was named"),
    ],
)
def test_flags_that_do_not_belong_together(arguments: list[str], why: str, answers: Path) -> None:
    ran = pnk("score", answers, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert "secret" not in ran.err


def test_a_key_in_the_environment_is_no_reason_to_use_a_model(chat: ChatServer, answers: Path) -> None:
    ran = pnk("score", answers, "--json", env={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": chat.url})
    assert ran.json()["model"] is None
    assert chat.count == 0
