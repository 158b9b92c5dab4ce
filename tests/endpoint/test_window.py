"""A window that is too small: evidence is left out and noted, and the task is asked all the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from pinakes_ask.check import SelfCheck
from pinakes_ask.errors import ModelError
from pinakes_ask.loop import Loop, Run
from pinakes_ask.models.endpoint.client import EndpointModel
from pinakes_ask.models.endpoint.prompts import Prompt, prompt_for
from pinakes_ask.models.endpoint.transport import Endpoint
from pinakes_ask.models.endpoint.trimming import fitted
from pinakes_ask.models.endpoint.usage import reply_limit
from pinakes_ask.settings import Settings
from pinakes_ask.tasks import Cite, Established, OfferedPassage, PlanTask, RankQuestion, SolveTask, WriteTask
from tests.ask.fakes import TestClock, TextSearcher
from tests.endpoint.server import MODEL, ChatServer, completion, failure, tokens_of
from tests.endpoint.tasks import PLAN, QUESTION, REINFER, REPLIES, SOLVE, WRITE
from tests.endpoint.test_loop import REINFER as REINFERRED
from tests.endpoint.test_loop import plan, solve, write

Ask = Callable[..., Any]
LONG = tuple(
    OfferedPassage(
        number=number,
        title=f"Note {number}",
        sentences=tuple(
            f"This is what sentence {n} of note {number} has to say of the author." for n in range(1, 7)
        ),
    )
    for number in range(1, 6)
)
#: Questions of which the second was given the passages 4 and 5.
RANK = (RankQuestion(id=1, question="Who?", passages=(2,)), RankQuestion(id=2, question="Where?", passages=(4, 5)))
LONG_SOLVE: SolveTask = SOLVE.model_copy(update={"passages": LONG, "sub_questions": RANK})
LONG_PLAN: PlanTask = PLAN.model_copy(update={"passages": LONG})
LONG_WRITE: WriteTask = WRITE.model_copy(
    update={
        "passages": LONG,
        "established": (Established(id=1, question="Who?", answer="A", citations=(Cite(passage=3, sentence=2),)),),
    }
)
WORDINGS = (
    "maximum context length is {window} tokens. However, you requested {total} tokens",
    "request ({prompt} tokens) exceeds the available context size ({window} tokens), try increasing it",
    "Your input exceeds the context window of this model",
)


def needed(task: Any) -> int:
    """What ``task`` takes at most, as the server counts."""
    return tokens_of({"messages": prompt_for(task).messages}) + reply_limit(task, 1000)


@pytest.mark.parametrize("says", WORDINGS)
@pytest.mark.parametrize("task", [LONG_PLAN, LONG_SOLVE, LONG_WRITE], ids=lambda task: task.kind)
def test_a_window_28_tokens_too_small_costs_some_sentences_and_a_note(
    task: Any, says: str, chat: ChatServer, ask: Ask
) -> None:
    chat.script(json.dumps(REPLIES[task.kind]))
    chat.window, chat.too_long = needed(task) - 28, says
    replied = ask(task)
    assert replied.reply == task.reply_model.model_validate(REPLIES[task.kind])
    whole = prompt_for(task).shown or frozenset()
    left_out = len(whole - replied.shown)
    assert replied.shown
    assert replied.notes == (f"{left_out} sentences did not fit into the model's window.",)
    if "{window}" in says:
        # Two of these sentences are 28 tokens and more.
        assert (left_out, chat.count) == (2, 2)
    # What the server refused took nothing.
    assert (replied.usage.prompt_tokens, replied.usage.estimated) == (100, False)


@pytest.mark.parametrize("task", [LONG_PLAN, LONG_SOLVE, LONG_WRITE], ids=lambda task: task.kind)
def test_a_known_window_is_kept_at_the_first_request(task: Any, chat: ChatServer, ask: Ask) -> None:
    chat.script(json.dumps(REPLIES[task.kind]))
    chat.window = needed(task) - 28
    replied = ask(task, context_window=chat.window)
    assert chat.count == 1
    assert "did not fit" in replied.notes[0]
    asked = EndpointModel(Endpoint(chat.url, MODEL, context_window=chat.window)).worst_case(task)
    assert asked.prompt_tokens + asked.completion_tokens <= chat.window


def test_what_fits_is_sent_whole_and_without_a_note(chat: ChatServer, ask: Ask) -> None:
    chat.script(json.dumps(REPLIES["solve"]))
    replied = ask(LONG_SOLVE, context_window=100_000)
    assert (replied.notes, replied.shown) == ((), prompt_for(LONG_SOLVE).shown)


def shown(task: Any, most: int) -> dict[int, int]:
    """How many sentences of each passage are shown where ``most`` sentences fit."""
    prompt = fitted(task, lambda one: len(one.shown or ()) <= most).prompt
    numbers = [cite.passage for cite in prompt.shown or ()]
    return {number: numbers.count(number) for number in numbers}


def test_passages_that_were_found_for_a_question_go_last_the_first_of_each_last_of_all() -> None:
    assert shown(LONG_SOLVE, 18) == {2: 6, 4: 6, 5: 6}
    assert shown(LONG_SOLVE, 13) == {2: 6, 4: 6, 5: 1}
    assert shown(LONG_SOLVE, 6) == {2: 6}
    assert shown(LONG_SOLVE, 1) == {2: 1}


def test_a_cited_sentence_goes_after_all_that_is_not() -> None:
    assert shown(LONG_WRITE, 29) == {1: 6, 2: 6, 3: 6, 4: 6, 5: 5}
    assert shown(LONG_WRITE, 7) == {1: 1, 3: 6}
    assert shown(LONG_WRITE, 2) == {3: 2}


def test_a_passage_that_was_left_out_is_neither_named_nor_cited() -> None:
    prompt = fitted(LONG_SOLVE, lambda one: len(one.shown or ()) <= 6).prompt
    assert "passages 2)" in prompt.messages[1]["content"]
    assert "passages 4" not in prompt.messages[1]["content"]
    prompt = fitted(LONG_WRITE, lambda one: len(one.shown or ()) <= 1).prompt
    assert "[3.2]" not in prompt.messages[1]["content"]


def lines(prompt: Prompt) -> list[str]:
    block = prompt.messages[1]["content"].partition("=== PASSAGES ===")[2]
    return [line.partition("] ")[2] for line in block.splitlines() if line.startswith("[") and "." in line[:5]]


def test_no_sentence_is_cut_unless_it_is_the_only_one_left() -> None:
    texts = {text for passage in LONG for text in passage.sentences}
    for most in range(1, 31):
        assert {*lines(fitted(LONG_SOLVE, lambda one, n=most: len(one.shown or ()) <= n).prompt)} <= texts  # type: ignore[misc]
    long = OfferedPassage(number=2, title="T", sentences=("word " * 500, "More."))
    task = LONG_SOLVE.model_copy(update={"passages": (long,)})
    room = len(prompt_for(task).messages[1]["content"]) - 1500
    cut = fitted(task, lambda one: len(one.messages[1]["content"]) <= room)
    assert len(cut.prompt.messages[1]["content"]) in range(room - 10, room + 1)
    assert cut.prompt.shown == {Cite(passage=2, sentence=1)}
    assert cut.notes == ("1 sentence did not fit into the model's window; the one that was kept was cut short.",)


def test_a_reply_gets_less_room_before_a_task_is_given_up(chat: ChatServer, ask: Ask) -> None:
    chat.script(json.dumps(REPLIES["reinfer"]))
    chat.window = needed(REINFER) - 500
    assert ask(REINFER).notes == ()
    assert [request["max_tokens"] for request in chat.requests] == [1000, 500]


def test_a_window_too_small_for_the_task_itself_is_told(chat: ChatServer, ask: Ask) -> None:
    chat.script("{}")
    chat.window = 300
    with pytest.raises(ModelError, match="does not fit its context window"):
        ask(LONG_SOLVE)
    assert chat.count < 10
    chat.script(failure(413, "Request too large"))
    chat.window = None
    with pytest.raises(ModelError, match="does not fit its context window"):
        ask(LONG_SOLVE)


def test_a_reply_that_was_cut_off_gets_no_more_room_than_the_window_has(chat: ChatServer, ask: Ask) -> None:
    chat.script(completion("{", finish="length"), json.dumps(REPLIES["reinfer"]))
    worst = EndpointModel(Endpoint(chat.url, MODEL)).worst_case(REINFER)
    ask(REINFER, context_window=worst.prompt_tokens + 1300)
    assert [request["max_tokens"] for request in chat.served] == [1000, 1300]


DOCUMENTS = {
    "The Reed": "The Reed was written by Ann Bell. " + "The Reed is a novel of many pages. " * 8,
    "Ann Bell": "Ann Bell was born in Dale. " + "Ann Bell is an author of many books. " * 8,
}


def test_a_run_with_a_window_that_is_too_small_is_answered_and_says_what_did_not_fit(chat: ChatServer) -> None:
    def cites_more(body: dict[str, Any]) -> str:
        # The last sentence of the second passage is cited whether it was shown or not.
        return solve(body).replace('"citations": [', '"citations": [{"passage": 2, "sentence": 9}, ')

    def run(**limits: Any) -> Run:
        async def ask_once() -> Run:
            async with EndpointModel(Endpoint(chat.url, MODEL, **limits)) as model:
                loop = Loop(TextSearcher(DOCUMENTS), model, SelfCheck(), Settings(), TestClock())
                return await loop.ask(QUESTION)

        chat.requests.clear()
        chat.script_kinds(plan=plan, solve=cites_more, write=write, reinfer=REINFERRED)
        return asyncio.run(ask_once())

    whole = run()
    assert whole.answer.short_answer == "Dale"
    assert Cite(passage=2, sentence=9) in first_citations(whole)
    largest = max(tokens_of(body) + body["max_tokens"] for body in chat.requests)
    chat.window = largest - 28
    trimmed = run()
    assert (trimmed.status, trimmed.answer.short_answer) == ("answered", "Dale")
    assert any("did not fit into the model's window" in warning for warning in trimmed.warnings)
    assert not any("did not fit" in warning for warning in whole.warnings)
    assert first_citations(trimmed) == (Cite(passage=2, sentence=1),)
    assert len(chat.requests) > len(trimmed.exchanges)
    assert sum(one.usage.prompt_tokens for one in trimmed.exchanges) == 100 * len(trimmed.exchanges)


def first_citations(run: Run) -> tuple[Cite, ...]:
    assert run.plan is not None
    return run.plan.node(1).citations
