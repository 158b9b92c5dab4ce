"""The public interface: exactly the names that are listed, and one function that asks."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

import pinakes_ask
import scoring
from pinakes_ask import Endpoint, EndpointModel, Library, Limits, PinakesAskError, Settings, ask, ask_async
from scoring.extract import Statement, extract
from tests.endpoint.oracle import Oracle
from tests.endpoint.server import MODEL, ChatServer
from tests.endpoint.worlds import chain
from transcripts.store import load

QUESTION = "Where was the composer of The Lantern Suite born?"


def test_the_public_names_are_exactly_these_and_each_is_there() -> None:
    assert sorted(pinakes_ask.__all__) == sorted(
        "Endpoint EndpointModel ExtractiveModel Filters Library Limits LoopSettings Outcome PinakesAskError "
        "Settings Transcript __version__ ask ask_async sync".split()
    )
    assert dir(pinakes_ask) == sorted(pinakes_ask.__all__)
    for name in pinakes_ask.__all__:
        assert getattr(pinakes_ask, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = pinakes_ask.nonsense  # type: ignore[attr-defined]


def test_scoring_has_these_names_and_score_is_the_function() -> None:
    assert sorted(scoring.__all__) == sorted(
        "Branch CitedStatement Coreference Extraction Gap Path Proposition Triple Verdict check_citations "
        "score".split()
    )
    extraction = extract("Who wrote The Reed?", [Statement("The Reed was written by Ann Bell.")], "Ann Bell")
    assert scoring.score(extraction, short_answer="Ann Bell").completeness == 1


def test_importing_the_package_loads_nothing_slow() -> None:
    code = (
        "import sys, pinakes_ask; print([m for m in ('pydantic', 'numpy', 'openai', 'spacy') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_asking_needs_a_library_and_a_question(sample_library: Path, tmp_path: Path) -> None:
    with Library.open(sample_library) as library:
        outcome = ask(QUESTION, library, save_to=tmp_path)
        again = asyncio.run(ask_async(QUESTION, library))
    assert outcome.transcript.answer.short_answer == "Merrowick"
    assert outcome.transcript.library.name == sample_library.name
    assert outcome.folder is not None
    assert load(outcome.folder) == outcome.transcript
    assert (again.transcript.answer, again.folder) == (outcome.transcript.answer, None)


def test_paths_may_be_texts(sample_library: Path, tmp_path: Path) -> None:
    with Library.open(str(sample_library)) as library:
        outcome = ask(QUESTION, library, save_to=str(tmp_path))
    assert outcome.folder is not None
    assert load(outcome.folder) == outcome.transcript
    (tmp_path / "note.md").write_text("# Note\n\nThe lamp is lit.\n", encoding="utf-8")
    assert pinakes_ask.sync(str(tmp_path), state=str(tmp_path / "state")).documents == 1


def test_in_a_notebook_it_says_what_to_use(sample_library: Path) -> None:
    async def cell() -> None:
        with Library.open(sample_library) as library:
            ask(QUESTION, library)

    with pytest.raises(RuntimeError, match=r"await ask_async\("):
        asyncio.run(cell())


def test_what_is_mistaken_for_a_library_or_a_model_is_told_apart(sample_library: Path) -> None:
    with pytest.raises(TypeError, match=r"Library\.open\('notes'\)"):
        ask(QUESTION, "notes")  # type: ignore[arg-type]
    with Library.open(sample_library) as library:
        with pytest.raises(TypeError, match=r"EndpointModel\(Endpoint\(base_url, 'some-model'\)\)"):
            ask(QUESTION, library, model="some-model")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="must be a text, not NoneType"):
            ask(None, library)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="save_to"):
            ask(QUESTION, library, commit=True)


def test_a_closed_library_says_so_however_often_it_is_closed(sample_library: Path) -> None:
    with Library.open(sample_library) as library:
        library.close()
    with pytest.raises(PinakesAskError, match="it was closed"):
        ask(QUESTION, library)
    with pytest.raises(PinakesAskError, match="it was closed"):
        next(library.passages())


def test_two_libraries_are_asked_side_by_side(sample_library: Path, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Lamp\n\nThe lamp was lit in 1901.\n", encoding="utf-8")
    pinakes_ask.sync(tmp_path)

    async def both(one: Library, other: Library) -> list[str]:
        outcomes = await asyncio.gather(ask_async(QUESTION, one), ask_async("When was the lamp lit?", other))
        return [outcome.transcript.evidence[0].document for outcome in outcomes]

    with Library.open(sample_library) as one, Library.open(tmp_path) as other:
        found = asyncio.run(both(one, other))
    assert found[1] == "note.md"
    assert found[0] != "note.md"


def test_a_model_can_be_asked_again_and_again_within_a_budget(
    chat: ChatServer, tmp_path: Path, sample_library: Path
) -> None:
    world = chain(2)
    for title, text in world.documents.items():
        (tmp_path / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    pinakes_ask.sync(tmp_path)
    oracle = Oracle(world)
    chat.script(oracle)
    model = EndpointModel(Endpoint(chat.url, MODEL))
    with Library.open(tmp_path) as library:
        first = ask(world.question, library, model=model)
        second = ask(world.question, library, model=model, settings=Settings(limits=Limits(calls=2)))
    assert first.transcript.answer.short_answer == "Ivo Orr"
    assert oracle.calls["propositions"] == 1
    assert (second.transcript.usage.calls, second.transcript.stop_reason) == (2, "budget")
