"""A model behind the scripted server that answers every task rightly, from a world that a test makes up.

It reads what was sent as a model would: it finds the sub-questions in the request, and cites a sentence by
the number in front of it, so that it can only answer from what reached the prompt.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from werkzeug import Response

from pinakes_ask.memory import estimate_tokens
from pinakes_ask.models.endpoint.prompts import prompt_text
from tests.endpoint.server import completion

KINDS = ("plan", "solve", "write", "reinfer", "propositions", "reinference")


@dataclass(frozen=True)
class Step:
    """One step of a question: how it is planned, its answer, and the sentence that states it.

    ``fact`` is subject, relation and object of that sentence; an operator has neither.
    """

    question: str
    answer: str
    sentence: str = ""
    fact: tuple[str, str, str] = ("", "", "")
    needs: tuple[int, ...] = ()
    kind: str = "find"
    grown: bool = False


@dataclass(frozen=True)
class World:
    """A question, the documents that answer it, and how. A grown step is not planned: it turns out missing."""

    question: str
    documents: dict[str, str]
    steps: tuple[Step, ...]
    short_answer: str
    form: str = "chain"
    branches: tuple[tuple[str, str], ...] = ()

    def filled(self, step: Step) -> str:
        """A step's question with the answers that it needs in place."""
        return re.sub(r"\{(\d)\}", lambda slot: self.steps[int(slot[1]) - 1].answer, step.question)


@dataclass
class Oracle:
    """A step of the scripted server that serves every kind of task. ``calls`` and ``tokens`` are by kind."""

    world: World
    delay: float = 0.0
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    def __call__(self, body: dict[str, Any]) -> Response:
        kind = kind_of(body)
        prompt = sum(estimate_tokens(message["content"]) for message in body["messages"])
        self.calls[kind] += 1
        self.tokens[kind] += prompt
        if self.delay:
            time.sleep(self.delay)
        text = json.dumps(self.reply(kind, body["messages"][1]["content"]))
        reply = estimate_tokens(text)
        usage = {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": prompt + reply}
        return completion(text, usage=usage)

    def reply(self, kind: str, user: str) -> dict[str, Any]:
        """The right reply to what was sent."""
        match kind:
            case "plan":
                return self._plan()
            case "solve":
                return self._solve(user)
            case "write":
                return self._write(user)
            case "propositions":
                return self._propositions(user)
            case _:
                wanted = [step.answer for step in self.world.steps if step.kind == "find"]
                known = all(name_in(answer, user) for answer in wanted)
                return {"reasoning": "", "short_answer": self.world.short_answer if known else None}

    def _plan(self) -> dict[str, Any]:
        planned = [
            {"question": step.question, "needs": list(step.needs), "kind": step.kind}
            for step in self.world.steps
            if not step.grown
        ]
        return {"reasoning": "", "form": self.world.form, "sub_questions": planned}

    def _solve(self, user: str) -> dict[str, Any]:
        asked = re.findall(r"^- id (\d+) \([^)]*\): (.*)$", user, re.MULTILINE)
        findings = [self._finding(int(number), question, user) for number, question in asked]
        missing = [
            self.world.filled(step)
            for step in self.world.steps
            if step.grown and all(name_in(self.world.steps[need - 1].answer, user) for need in step.needs)
        ]
        known = [step.sentence for step in self.world.steps if step.sentence and place(user, step.sentence)]
        memory = re.findall(r"^MEMORY: (.*)$", user, re.MULTILINE)[0].removeprefix("(empty)")
        return {"findings": findings, "memory": " ".join([memory, *known]).strip(), "missing": missing}

    def _finding(self, number: int, question: str, user: str) -> dict[str, Any]:
        step = next((one for one in self.world.steps if self.world.filled(one) == question), None)
        cite = place(user, step.sentence) if step is not None and step.sentence else None
        if step is None or (step.kind == "find" and cite is None):
            return {"id": number, "reasoning": "", "supported": False, "answer": None, "citations": []}
        cites = [cite] if cite else []
        return {"id": number, "reasoning": "", "supported": True, "answer": step.answer, "citations": cites}

    def _write(self, user: str) -> dict[str, Any]:
        places = [(step.sentence, place(user, step.sentence)) for step in self.world.steps if step.sentence]
        statements = [{"text": text, "citations": [cite]} for text, cite in places if cite]
        whole = len(statements) == len(places)
        return {
            "statements": statements,
            "short_answer": self.world.short_answer if whole else None,
            "withheld": "" if whole else "a step is missing",
        }

    def _propositions(self, user: str) -> dict[str, Any]:
        request = json.loads(user.splitlines()[1])
        by_sentence = {step.sentence: step.fact for step in self.world.steps if step.sentence}
        propositions = []
        for number, text in enumerate(request["statements"], start=1):
            subject, relation, value = by_sentence[text]
            fact = {"subject": subject, "relation": relation, "object": value, "negated": False}
            propositions.append(
                {"statement": number, "text": text, "role": "body", "triples": [fact], "coreferences": []}
            )
        names = [one for fact in by_sentence.values() for one in (fact[0], fact[2])]
        names = [one for one in dict.fromkeys(names) if name_in(one, request["question"])]
        branches = [{"entity": entity, "value": value} for entity, value in self.world.branches]
        return {
            "reasoning": "",
            "question_entities": names,
            "persons": [],
            "form": self.world.form,
            "branches": branches,
            "propositions": propositions,
        }


def kind_of(body: dict[str, Any]) -> str:
    """Which task a request asks."""
    system = body["messages"][0]["content"]
    return next(kind for kind in KINDS if system.startswith(prompt_text(kind).splitlines()[0]))


def place(user: str, sentence: str) -> dict[str, int] | None:
    """The citation of a sentence as the request numbered it, None where it was not sent."""
    found = re.search(rf"^\[(\d+)\.(\d+)\] {re.escape(sentence)}$", user, re.MULTILINE)
    return {"passage": int(found[1]), "sentence": int(found[2])} if found else None


def name_in(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
