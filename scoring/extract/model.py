"""Extraction by a language model: what it is asked, what it replies, and what of that is believed.

Two calls an answer, whatever its length: one for the propositions, one to infer the short answer
again. Which model answers, and how, is the caller's; this module states the requests and checks the
replies. The prompts stand in ``scoring/prompts/``, named after the requests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from retrieval.text import fold, name_key
from retrieval.text.errors import PinakesAskError
from scoring.extract.given import from_propositions
from scoring.extract.heads import is_answer_line
from scoring.extract.statement import Statement
from scoring.identity import is_reference
from scoring.types import Branch, Coreference, Extraction, Form, Proposition, Triple


class _Strict(BaseModel):
    """Every field required and no other allowed, which is all that strict servers accept."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TripleReply(_Strict):
    """A fact as a model states it; subject and object in the words of the proposition."""

    subject: str
    relation: str
    object: str
    negated: bool


class CoreferenceReply(_Strict):
    """What a pronoun or short form in the proposition stands for, in words used elsewhere."""

    mention: str
    entity: str


class PropositionReply(_Strict):
    """One thing that one statement says. ``statement`` is the statement's number, from 1."""

    statement: int
    text: str
    role: Literal["body", "head", "meta"]
    triples: list[TripleReply]
    coreferences: list[CoreferenceReply]


class BranchReply(_Strict):
    """A compared or counted thing, and its value; "" where the answer states none."""

    entity: str
    value: str


class PropositionsReply(_Strict):
    """The reply to :class:`PropositionsRequest`; the reasoning comes first."""

    reasoning: str
    question_entities: list[str]
    persons: list[str]
    form: Literal["chain", "comparison", "intersection", "count", "yes/no"]
    branches: list[BranchReply]
    propositions: list[PropositionReply]


class PropositionsRequest(_Strict):
    """Turn a long answer into propositions."""

    question: str
    short_answer: str | None
    statements: tuple[str, ...]


class ReinferenceReply(_Strict):
    """The short answer that the statements alone yield; None where they yield none."""

    reasoning: str
    short_answer: str | None


class ReinferenceRequest(_Strict):
    """Infer the short answer from the question and the statements alone."""

    question: str
    statements: tuple[str, ...]


class ExtractionModel(Protocol):
    """What extraction needs of a language model: a reply of the right shape to each request."""

    async def propositions(self, request: PropositionsRequest) -> PropositionsReply:
        """Answer with the propositions of a long answer."""

    async def reinfer(self, request: ReinferenceRequest) -> ReinferenceReply:
        """Answer with the short answer that the statements yield."""


def prompt(name: Literal["propositions", "reinfer"]) -> str:
    """Return the text of a prompt; the request's JSON goes where it says ``{request}``."""
    return (files("scoring") / "prompts" / f"{name}.md").read_text(encoding="utf-8")


async def extract_with(
    model: ExtractionModel,
    question: str,
    statements: Sequence[Statement | str],
    short_answer: str | None,
    *,
    form: Form | None = None,
    plan_hops: int | None = None,
    aliases: Sequence[Sequence[str]] = (),
    branches: Sequence[Branch] | None = None,
    reinfer: bool = True,
) -> Extraction:
    """Return the extraction that ``model`` makes, in two calls; one without ``reinfer``.

    What is given (form, hops, branches) wins over what the model says. When the second call fails, the
    first is kept, and the extraction says why nothing was inferred.

    :raises PinakesAskError: whatever the model raises in the first call.
    """
    texts = tuple(one if isinstance(one, str) else one.text for one in statements)
    request = PropositionsRequest(question=question, short_answer=short_answer, statements=texts)
    extraction = from_reply(
        await model.propositions(request),
        request,
        form=form,
        plan_hops=plan_hops,
        aliases=aliases,
        branches=branches,
    )
    if not reinfer or short_answer is None:
        return extraction
    second = ReinferenceRequest(question=question, statements=evidence_only(extraction, texts))
    try:
        reply = await model.reinfer(second)
    except PinakesAskError as error:
        return Extraction.from_json(extraction.to_json() | {"not_reinferred": str(error)})
    return Extraction.from_json(extraction.to_json() | {"reinferred": reply.short_answer or ""})


def evidence_only(extraction: Extraction, statements: Sequence[str]) -> tuple[str, ...]:
    """Return the statements from which the short answer may be inferred again.

    Without the answer line, and without those statements that hold conclusions only.
    """
    roles: dict[int, set[str]] = {}
    for one in extraction.propositions:
        roles.setdefault(one.statement, set()).add(one.role)
    return tuple(
        text
        for place, text in enumerate(statements)
        if not is_answer_line(text) and roles.get(place, {"body"}) != {"head"}
    )


def from_reply(
    reply: PropositionsReply,
    request: PropositionsRequest,
    *,
    form: Form | None = None,
    plan_hops: int | None = None,
    aliases: Sequence[Sequence[str]] = (),
    branches: Sequence[Branch] | None = None,
) -> Extraction:
    """Return the extraction of a reply, with everything in it checked against the request.

    A triple is believed where both its arguments are spans of its proposition or declared
    coreferences, a coreference where its mention is a span of the proposition and its entity one of
    the question or the answer, a question entity where it is a span of the question. What is not is
    dropped, and counted by reason. Where no question entity is left, they are found in its wording.
    """
    dropped: Counter[str] = Counter()
    whole = " \n ".join([request.question, *request.statements, request.short_answer or ""])
    propositions: list[Proposition] = []
    for one in reply.propositions:
        if not 1 <= one.statement <= len(request.statements):
            dropped["proposition of a statement that does not exist"] += 1
            continue
        propositions.append(_proposition(one, request.statements[one.statement - 1], whole, dropped))
    entities = [name for name in reply.question_entities if is_span(name, request.question)]
    dropped["question entity not in the question"] += len(reply.question_entities) - len(entities)
    persons = tuple(name for name in reply.persons if is_span(name, whole))
    if branches is None and reply.branches:
        stated = [one for one in reply.branches if is_span(one.entity, whole)]
        dropped["branch whose entity is not mentioned"] += len(reply.branches) - len(stated)
        branches = [Branch(one.entity, one.value if is_span(one.value, whole) else None) for one in stated]
    extraction = from_propositions(
        request.question,
        propositions,
        request.short_answer,
        with_role=[True] * len(propositions),
        entities=entities or None,
        form=form or reply.form,
        plan_hops=plan_hops,
        aliases=aliases,
        branches=branches,
    )
    failed = None if propositions or not request.statements else "the model found no proposition"
    more = {
        "persons": persons,
        "dropped": tuple(sorted((reason, count) for reason, count in dropped.items() if count)),
        "failed": failed,
        "method": "model",
    }
    return Extraction.from_json(extraction.to_json() | more)


def _proposition(one: PropositionReply, statement: str, whole: str, dropped: Counter[str]) -> Proposition:
    context = f"{one.text} \n {statement}"
    coreferences = [
        Coreference(c.mention, c.entity)
        for c in one.coreferences
        if is_span(c.mention, context) and is_span(c.entity, whole) and not is_reference(c.entity)
    ]
    dropped["coreference without a mention or an entity"] += len(one.coreferences) - len(coreferences)
    declared = {name_key(name) for c in coreferences for name in (c.mention, c.entity)}
    triples = []
    for t in one.triples:
        if all(name_key(arg) in declared or is_span(arg, one.text) for arg in (t.subject, t.object)):
            triples.append(Triple(t.subject, t.relation, t.object, t.negated))
        else:
            dropped["triple with an argument that is no span of its proposition"] += 1
    return Proposition(one.text, tuple(triples), one.statement - 1, one.role, tuple(coreferences))


def is_span(part: str, text: str) -> bool:
    """Return whether ``part`` stands in ``text`` as whole words, in any case and with any spacing."""
    wanted, there = (" ".join(re.findall(r"\w+", fold(one))) for one in (part, text))
    return bool(wanted) and f" {wanted} " in f" {there} "
