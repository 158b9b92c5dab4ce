"""What a model is told: the prompt file of a task as the system message, its fields as the user's.

Documents are data. They come last, inside a block whose lines are all numbered, so that no line of a
document can pass for the end of the block, and what looks like a citation in a document is respelt.

A model is shown what its task needs, since every token is paid: a plan the sentences that tell what the
documents know, a rank the whole passages that were found for it, a complete plan's write the sentences
that its steps cited. Only what was shown can be cited.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pinakes_ask.errors import ModelError
from pinakes_ask.models.endpoint.extraction import PropositionsTask, ReinferenceTask
from pinakes_ask.tasks import (
    Cite,
    JudgeTask,
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
#: A passage, and the places of its sentences that are shown, from 0.
_Excerpt = tuple[OfferedPassage, list[int]]
#: Told only where there is one.
_ABOUT_GAP = "an earlier version left these unconnected; state what connects them, if a passage does"
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


@dataclass(frozen=True)
class Prompt:
    """What is sent for a task. ``shown`` are the sentences in it, None for a task that offers none."""

    messages: list[dict[str, str]]
    shown: frozenset[Cite] | None = None


def prompt_for(task: Task[Any]) -> Prompt:
    """Return what is sent for ``task``.

    :raises ModelError: for a kind of task that has no prompt.
    """
    match task:
        case PropositionsTask() | ReinferenceTask():
            # JSON has no line breaks of its own inside texts, so that none can hold the line END.
            request = task.request.model_dump_json()
            system, _, rest = prompt_text(task.kind).partition("\nREQUEST\n")
            return Prompt(_messages(system, f"REQUEST\n{rest}".replace("{request}", request)))
        case PlanTask():
            return _with_passages(task.kind, _plan(task), _for_plan(task))
        case SolveTask():
            return _with_passages(task.kind, _solve(task), _for_solve(task))
        case WriteTask():
            return _with_passages(task.kind, _write(task), _for_write(task))
        case ReinferTask():
            return Prompt(_messages(prompt_text(task.kind), _reinfer(task)))
        case JudgeTask():
            return Prompt(_messages(prompt_text(task.kind), _judge(task)))
        case _:
            raise ModelError(
                f"The task {task.kind!r} was not asked", "it has no prompt", "Serve it by another model"
            )


def _with_passages(kind: str, about: list[str], excerpts: list[_Excerpt]) -> Prompt:
    user = "\n".join([*about, *_block(excerpts)])
    shown = frozenset(Cite(passage=passage.number, sentence=n + 1) for passage, places in excerpts for n in places)
    return Prompt(_messages(prompt_text(kind), user), shown)


def _messages(system: str, user: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _plan(task: PlanTask) -> list[str]:
    return [f"QUESTION: {_line(task.question)}", f"AT MOST: {task.max_nodes} sub-questions"]


def _for_plan(task: PlanTask) -> list[_Excerpt]:
    return [(passage, _best(passage, task.question)) for passage in task.passages]


def _best(passage: OfferedPassage, question: str) -> list[int]:
    """Return the place of the sentence that shares most with the question, the first of equals; none of none."""
    wanted = set(content_words(question))
    shared = [len(wanted & set(content_words(text))) for text in passage.sentences]
    return [shared.index(max(shared))] if shared else []


def _whole(passage: OfferedPassage) -> list[int]:
    return list(range(len(passage.sentences)))


def _solve(task: SolveTask) -> list[str]:
    return [
        f"QUESTION: {_line(task.question)}",
        "SUB-QUESTIONS:",
        *(_sub_question(one) for one in task.sub_questions),
        *(f"PLANNED: {_line(text)}" for text in task.planned),
        f"MEMORY: {_line(task.memory) or '(empty)'}",
        f"MEMORY LIMIT: {task.memory_tokens} tokens",
    ]


def _for_solve(task: SolveTask) -> list[_Excerpt]:
    """What was found for this rank. Of what earlier ranks found, the memory holds what matters."""
    own = {number for one in task.sub_questions for number in one.passages}
    return [(passage, _whole(passage)) for passage in task.passages if passage.number in own]


def _sub_question(one: RankQuestion) -> str:
    about: str = one.kind
    if one.passages:
        about += f"; passages {', '.join(map(str, one.passages))}"
    if one.inputs:
        about += f"; inputs: {' | '.join(_line(text) or '(none)' for text in one.inputs)}"
    return f"- id {one.id} ({about}): {_line(one.question)}"


def _write(task: WriteTask) -> list[str]:
    return [
        f"QUESTION: {_line(task.question)}",
        # Without a plan the form is not known, and the question says it well enough.
        *([f"FORM: {task.form}"] if task.established else []),
        "ESTABLISHED:" if task.established else "ESTABLISHED: (nothing)",
        *(
            f"- {one.id}. {_line(one.question)} -> {_line(one.answer)} {_cites(one.citations)}".rstrip()
            for one in task.established
        ),
        f"COMPLETE: {'yes' if task.complete else 'no'}",
        f"MEMORY: {_line(task.memory) or '(empty)'}",
        *([f"GAP: {_line(task.gap)} ({_ABOUT_GAP})"] if task.gap else []),
        f"AT MOST: {task.max_statements} statements, {task.max_words} words",
        f"SHORT ANSWER: {'always give your best' if task.force_answer else 'only if it follows'}",
    ]


def _for_write(task: WriteTask) -> list[_Excerpt]:
    """All passages; once a plan is complete, the sentences that its steps cited, and what no step has read."""
    if not task.complete:
        return [(passage, _whole(passage)) for passage in task.passages]
    cited = {(cite.passage, cite.sentence - 1) for one in task.established for cite in one.citations}
    excerpts = [
        (
            passage,
            [n for n in _whole(passage) if passage.number in task.unread or (passage.number, n) in cited],
        )
        for passage in task.passages
    ]
    return [(passage, places) for passage, places in excerpts if places]


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


def _judge(task: JudgeTask) -> str:
    return "\n".join(
        [
            f"QUESTION: {_line(task.question)}",
            *(f"KNOWN ANSWER: {_line(known)}" for known in task.known),
            f"GIVEN ANSWER: {_line(task.given)}",
        ]
    )


def _block(excerpts: Iterable[_Excerpt]) -> list[str]:
    lines = [line for passage, places in excerpts for line in _passage(passage, places)]
    return ["", "=== PASSAGES ===", *lines, "=== END OF PASSAGES ==="]


def _passage(passage: OfferedPassage, places: Iterable[int]) -> list[str]:
    names = f" (also: {', '.join(map(_line, passage.aliases))})" if passage.aliases else ""
    return [
        f"[{passage.number}] {_line(passage.title)}{names}",
        *(f"[{passage.number}.{n + 1}] {_line(passage.sentences[n])}" for n in places),
    ]


def _line(text: str) -> str:
    """The text on one line, without what would pass for a citation or the end of the block."""
    return _FENCE.sub("==", _NUMBERED.sub(r"(\1)", " ".join(text.split())))
