"""What a model is told: the prompt file of a task as the system message, its fields as the user's.

Documents are data. They come last, inside a block whose lines are all numbered, so that no line of a
document can pass for the end of the block, and what looks like a citation in a document is respelt.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pinakes_ask.errors import ModelError
from pinakes_ask.models.endpoint.extraction import PropositionsTask, ReinferenceTask
from pinakes_ask.tasks import (
    Cite,
    OfferedPassage,
    PlanTask,
    RankQuestion,
    ReinferTask,
    SolveTask,
    Task,
    WriteTask,
)
from retrieval.text import content_words
from scoring.extract.model import prompt as scoring_prompt

#: Prompts that scoring owns, by the kind of their task.
_SCORING: dict[str, Literal["propositions", "reinfer"]] = {
    "propositions": "propositions",
    "reinference": "reinfer",
}
#: A plan needs to know what the documents are about, not all that they say.
_PLAN_SENTENCES = 3
_NUMBERED = re.compile(r"\[(\d+(?:\.\d+)?)\]")
_FENCE = re.compile(r"={3,}")


@cache
def prompt_text(kind: str) -> str:
    """Return the prompt file of a kind of task."""
    if kind in _SCORING:
        return scoring_prompt(_SCORING[kind])
    return (files("pinakes_ask") / "prompts" / f"{kind}.md").read_text(encoding="utf-8")


def prompt_digest(kind: str) -> str:
    """Return the version of a prompt: the first 12 hexadecimal digits of its file's SHA-256."""
    return hashlib.sha256(prompt_text(kind).encode("utf-8")).hexdigest()[:12]


def messages_for(task: Task[Any]) -> list[dict[str, str]]:
    """Return the messages that ask ``task``.

    :raises ModelError: for a kind of task that has no prompt.
    """
    match task:
        case PropositionsTask() | ReinferenceTask():
            # JSON has no line breaks of its own inside texts, so that none can hold the line END.
            request = task.request.model_dump_json()
            system, _, rest = prompt_text(task.kind).partition("\nREQUEST\n")
            return _messages(system, f"REQUEST\n{rest}".replace("{request}", request))
        case PlanTask():
            user = _plan(task)
        case SolveTask():
            user = _solve(task)
        case WriteTask():
            user = _write(task)
        case ReinferTask():
            user = _reinfer(task)
        case _:
            raise ModelError(
                f"The task {task.kind!r} was not asked", "it has no prompt", "Serve it by another model"
            )
    return _messages(prompt_text(task.kind), user)


def _messages(system: str, user: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _plan(task: PlanTask) -> str:
    wanted = frozenset(content_words(task.question))
    shortened = [_best(passage, wanted) for passage in task.passages]
    return "\n".join(
        [
            f"QUESTION: {_line(task.question)}",
            f"AT MOST: {task.max_nodes} sub-questions",
            *_block(shortened),
        ]
    )


def _best(passage: OfferedPassage, wanted: frozenset[str]) -> list[str]:
    """The first sentence and those that share most with the question, as numbered lines in their order."""
    shared = {n: len(wanted & set(content_words(text))) for n, text in enumerate(passage.sentences)}
    best = {0, *sorted(shared, key=lambda n: (-shared[n], n))[: _PLAN_SENTENCES - 1]}
    return _passage(passage, best)


def _solve(task: SolveTask) -> str:
    return "\n".join(
        [
            f"QUESTION: {_line(task.question)}",
            "SUB-QUESTIONS:",
            *(_sub_question(one) for one in task.sub_questions),
            f"MEMORY: {_line(task.memory) or '(empty)'}",
            f"MEMORY LIMIT: {task.memory_tokens} tokens",
            *_block([_passage(one) for one in task.passages]),
        ]
    )


def _sub_question(one: RankQuestion) -> str:
    about: str = one.kind
    if one.passages:
        about += f"; passages {', '.join(map(str, one.passages))} were found for it"
    if one.inputs:
        about += f"; inputs: {' | '.join(_line(text) or '(none)' for text in one.inputs)}"
    return f"- id {one.id} ({about}): {_line(one.question)}"


def _write(task: WriteTask) -> str:
    return "\n".join(
        [
            f"QUESTION: {_line(task.question)}",
            f"FORM: {task.form}",
            "ESTABLISHED:" if task.established else "ESTABLISHED: (nothing)",
            *(
                f"- {one.id}. {_line(one.question)} -> {_line(one.answer)} {_cites(one.citations)}".rstrip()
                for one in task.established
            ),
            f"COMPLETE: {'yes' if task.complete else 'no'}",
            f"MEMORY: {_line(task.memory) or '(empty)'}",
            f"AT MOST: {task.max_statements} statements, {task.max_words} words",
            f"SHORT ANSWER: {'always give your best' if task.force_answer else 'only if it follows'}",
            *_block([_passage(one) for one in task.passages]),
        ]
    )


def _cites(cites: Sequence[Cite]) -> str:
    return " ".join(f"[{cite.passage}.{cite.sentence}]" for cite in cites)


def _reinfer(task: ReinferTask) -> str:
    lines = [
        f"[{n}] {_line(one.text)}" + (f" (from: {_line(one.source)})" if one.source else "")
        for n, one in enumerate(task.statements, start=1)
    ]
    return "\n".join(
        [f"QUESTION: {_line(task.question)}", "=== STATEMENTS ===", *lines, "=== END OF STATEMENTS ==="]
    )


def _passage(passage: OfferedPassage, only: Iterable[int] | None = None) -> list[str]:
    names = f" (also: {', '.join(map(_line, passage.aliases))})" if passage.aliases else ""
    shown = range(len(passage.sentences)) if only is None else sorted(set(only))
    return [
        f"[{passage.number}] {_line(passage.title)}{names}",
        *(
            f"[{passage.number}.{n + 1}] {_line(passage.sentences[n])}"
            for n in shown
            if n < len(passage.sentences)
        ),
    ]


def _block(passages: Iterable[Sequence[str]]) -> list[str]:
    return ["", "=== PASSAGES ===", *(line for one in passages for line in one), "=== END OF PASSAGES ==="]


def _line(text: str) -> str:
    """The text on one line, without what would pass for a citation or the end of the block."""
    return _FENCE.sub("==", _NUMBERED.sub(r"(\1)", " ".join(text.split())))
