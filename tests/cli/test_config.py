"""Where settings come from, and which wins."""

from __future__ import annotations

from pathlib import Path

from pinakes_ask.config import ModelSection, load_config
from tests.cli.pnk import pnk
from tests.cli.test_bad_input import one_line


def test_flags_win_over_variables_over_the_library_over_the_user_over_defaults(tmp_path: Path) -> None:
    library = tmp_path / "library" / "deep"
    library.mkdir(parents=True)
    (tmp_path / "library" / "pinakes-ask.toml").write_text("[ask]\nk = 2\nmax_rounds = 2\nmax_nodes = 2\n")
    user = tmp_path / "config.toml"
    user.write_text("[ask]\nk = 1\nmax_rounds = 1\nmax_nodes = 1\nmax_grown = 1\n")
    loaded = load_config(
        library,
        environment={"PNK_ASK_K": "3", "PNK_ASK_MAX_ROUNDS": "3"},
        user_file=user,
        flags={"ask": {"k": 4}},
    )
    ask = loaded.config.ask
    assert (ask.k, ask.max_rounds, ask.max_nodes, ask.max_grown, ask.memory_tokens) == (4, 3, 2, 1, 250)
    assert loaded.sources["ask.k"] == "the command line"
    assert loaded.sources["ask.max_rounds"] == "PNK_ASK_MAX_ROUNDS"
    assert loaded.sources["ask.max_grown"] == str(user)


def test_config_shows_values_and_sources(tmp_path: Path) -> None:
    (tmp_path / "pinakes-ask.toml").write_text("[transcripts]\ncommit = true\n")
    ran = pnk("config", "--kb", tmp_path, home=tmp_path)
    assert ran.code == 0
    assert f"commit = true  # {tmp_path / 'pinakes-ask.toml'}" in ran.out
    assert "k = 5  # default" in ran.out


def test_init_writes_one_file_and_leaves_an_existing_one(tmp_path: Path) -> None:
    assert pnk("init", tmp_path).code == 0
    file = tmp_path / "pinakes-ask.toml"
    assert "commit = false" in file.read_text()
    file.write_text("[ask]\nk = 7\n")
    again = pnk("init", tmp_path)
    assert again.code == 0
    assert "left as it is" in again.err
    assert file.read_text() == "[ask]\nk = 7\n"
    assert [path.name for path in tmp_path.iterdir()] == ["pinakes-ask.toml"]


def test_init_of_a_folder_that_is_not_there_says_so_and_makes_none(tmp_path: Path) -> None:
    line = one_line(pnk("init", tmp_path / "nowhere"), 2)
    assert "there is no such folder" in line
    assert list(tmp_path.iterdir()) == []


def test_what_is_said_of_one_model_is_not_taken_for_another(tmp_path: Path) -> None:
    (tmp_path / "pinakes-ask.toml").write_text(
        '[model]\nname = "small"\nbase_url = "http://127.0.0.1:1/v1"\nprompt_price = 1.0\ncompletion_price = 2.0\n'
        "context_window = 4000\nrequests_per_minute = 60\n"
    )

    def model(name: str | None = None, **environment: str) -> ModelSection:
        flags = {"model": {"name": name}} if name else {}
        absent = tmp_path / "absent.toml"
        return load_config(tmp_path, environment=environment, user_file=absent, flags=flags).config.model

    assert (model().prompt_price, model("small").prompt_price) == (1.0, 1.0)
    other = model("large")
    assert (other.prompt_price, other.completion_price, other.context_window) == (None, None, None)
    assert (other.base_url, other.requests_per_minute) == ("http://127.0.0.1:1/v1", 60)
    priced = model(PNK_ASK_MODEL="large", PNK_ASK_COMPLETION_PRICE="7", PNK_ASK_PROMPT_PRICE="8")
    assert (priced.completion_price, priced.prompt_price) == (7.0, 8.0)


def test_prices_without_a_name_are_those_of_the_model_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "pinakes-ask.toml").write_text("[model]\nprompt_price = 1.0\n")
    loaded = load_config(
        tmp_path, environment={}, user_file=tmp_path / "absent.toml", flags={"model": {"name": "any"}}
    )
    assert loaded.config.model.prompt_price == 1.0
