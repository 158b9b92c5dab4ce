"""``pnk ask --deep --model`` as a user runs it, against the scripted server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.pnk import Ran, pnk
from tests.endpoint.server import KEY, MODEL, ChatServer, failure, tokens_of
from tests.endpoint.test_loop import DOCUMENTS, KINDS, QUESTION
from transcripts.store import load


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two notes, indexed; so small a library is outside of what the gate was fitted on, so it is planned."""
    folder = tmp_path_factory.mktemp("library")
    for title, text in DOCUMENTS.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    assert pnk("sync", "--kb", folder).code == 0
    return folder


def ask(chat: ChatServer, library: Path, *flags: object, **env: str) -> Ran:
    named = ("--model", MODEL, "--base-url", chat.url)
    return pnk("ask", "--deep", "--json", "--kb", library, *named, *flags, QUESTION, env=env)


def test_a_run_with_a_model_is_answered_checked_and_recorded_without_its_key(
    chat: ChatServer, library: Path, tmp_path: Path
) -> None:
    chat.script_kinds(**KINDS)
    ran = ask(chat, library, "--yes", "--asks", tmp_path, PNK_ASK_API_KEY=KEY)
    assert ran.code == 0, ran.err
    result = ran.json()
    assert (result["status"], result["short_answer"]) == ("answered", "Dale")
    assert (result["score"]["completeness"], result["score"]["determinateness"]) == (1, 1)
    assert result["usage"] == {**result["usage"], "calls": 6, "prompt_tokens": 600, "cost": None}
    assert chat.keys == {f"Bearer {KEY}"}
    record = load(Path(result["transcript"]))
    assert record.model == MODEL
    assert all(one.prompt_digest for one in record.exchanges)
    for file in Path(result["transcript"]).iterdir():
        assert KEY not in file.read_text(encoding="utf-8")


def test_without_a_terminal_a_model_is_not_asked_unless_that_was_agreed(chat: ChatServer, library: Path) -> None:
    chat.script_kinds(**KINDS)
    ran = ask(chat, library, "--no-save")
    assert (ran.code, chat.count, ran.out) == (2, 0, "")
    assert "--yes" in ran.err
    assert "may be asked 16 times" in ran.err
    assert "an unknown cost" in ran.err


def test_without_deep_nothing_is_asked_and_what_it_would_take_at_worst_is_told(
    chat: ChatServer, library: Path
) -> None:
    chat.script_kinds(**KINDS)
    named = {"PNK_ASK_MODEL": MODEL, "PNK_ASK_BASE_URL": chat.url, "PNK_ASK_API_KEY": KEY}
    ran = pnk("ask", "--json", "--kb", library, QUESTION, env=named)
    deep = ran.json()["deep"]
    assert (ran.code, chat.count) == (0, 0)
    assert (deep["model"], deep["calls_at_most"], deep["cost_at_most"]) == (MODEL, 16, None)
    prices = {"PNK_ASK_PROMPT_PRICE": "1", "PNK_ASK_COMPLETION_PRICE": "2"}
    priced = pnk("ask", "--json", "--kb", library, QUESTION, env={**named, **prices}).json()["deep"]
    assert deep["tokens_at_most"] / 1e6 < priced["cost_at_most"] < 2 * deep["tokens_at_most"] / 1e6
    told = pnk("ask", "--kb", library, QUESTION, env=named).err
    assert f"asks {MODEL} at most 16 times, with at most {deep['tokens_at_most']:,} tokens" in told
    assert "an unknown cost" in told
    # What a run then takes, were every reply as long as it may be, is within it.
    ask(chat, library, "--yes", "--no-save")
    largest = sum(tokens_of(body) + body["max_tokens"] for body in chat.requests)
    assert largest < deep["tokens_at_most"]


def test_a_model_whose_server_is_not_named_yet_hinders_no_search(library: Path) -> None:
    ran = pnk("ask", "--kb", library, QUESTION, env={"PNK_ASK_MODEL": "m"})
    assert ran.code == 0
    assert "asks m at most 16 times" in ran.err


def test_a_budget_is_agreement_and_binds(chat: ChatServer, library: Path) -> None:
    chat.script_kinds(**KINDS)
    ran = ask(chat, library, "--no-save", "--max-calls", 3)
    assert (ran.json()["stop_reason"], ran.json()["status"], chat.count) == ("budget", "partial", 3)


def test_an_answer_whose_record_cannot_be_saved_is_printed_all_the_same(
    chat: ChatServer, library: Path, tmp_path: Path
) -> None:
    chat.script_kinds(**KINDS)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    ran = ask(chat, library, "--yes", "--asks", tmp_path / "file" / "asks")
    assert (ran.code, ran.json()["short_answer"], ran.json()["transcript"]) == (0, "Dale", None)
    assert str(tmp_path / "file") in ran.err
    assert any(str(tmp_path / "file") in warning for warning in ran.json()["warnings"])


def test_a_window_that_is_configured_is_kept_and_what_did_not_fit_is_said(
    chat: ChatServer, library: Path, tmp_path: Path
) -> None:
    chat.script_kinds(**KINDS)
    ran = ask(chat, library, "--yes", "--asks", tmp_path, PNK_ASK_CONTEXT_WINDOW="1000")
    assert any("did not fit into the model's window" in warning for warning in ran.json()["warnings"])
    assert any("did not fit" in warning for warning in load(Path(ran.json()["transcript"])).warnings)
    assert max(tokens_of(body) + body["max_tokens"] for body in chat.requests) < 1700


def test_a_rejected_key_is_one_clear_failure_at_once(chat: ChatServer, library: Path) -> None:
    chat.script(failure(401, "bad key"))
    ran = ask(chat, library, "--no-save", "--yes", PNK_ASK_API_KEY=KEY)
    assert (ran.code, ran.json()["status"], chat.count) == (1, "failed", 1)
    assert any("key" in warning for warning in ran.json()["warnings"])
    assert KEY not in ran.out + ran.err


def test_a_key_in_the_environment_is_no_reason_to_use_a_model(chat: ChatServer, library: Path) -> None:
    chat.script_kinds(**KINDS)
    ran = pnk("ask", "--deep", "--no-save", "--kb", library, QUESTION, env={"OPENAI_API_KEY": KEY})
    assert (ran.code, chat.count) == (0, 0)


def test_a_model_can_be_named_in_the_configuration_with_its_price(chat: ChatServer, library: Path) -> None:
    chat.script_kinds(**KINDS)
    file = library / "pinakes-ask.toml"
    prices = "prompt_price = 1.0\ncompletion_price = 2.0\n"
    file.write_text(f'[model]\nname = "{MODEL}"\nbase_url = "{chat.url}"\n{prices}', encoding="utf-8")
    try:
        ran = pnk("ask", "--deep", "--json", "--no-save", "--yes", "--kb", library, QUESTION)
    finally:
        file.unlink()
    assert ran.json()["usage"]["cost"] == pytest.approx((600 * 1.0 + 60 * 2.0) / 1e6)


@pytest.mark.parametrize("flags", [["--model", "m"], ["--model", "m", "--base-url", "nonsense"]])
def test_a_model_without_a_usable_server_is_refused(flags: list[str], library: Path) -> None:
    ran = pnk("ask", "--deep", "--yes", "--no-save", "--kb", library, *flags, QUESTION)
    assert ran.code == 2
    assert "--base-url" in ran.err
