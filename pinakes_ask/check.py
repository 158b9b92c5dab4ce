"""The self-check: LogicScore and citations of a run's answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pinakes_ask.answer import Answer
from pinakes_ask.errors import BudgetSpent, ModelError
from pinakes_ask.evidence import Evidence
from pinakes_ask.gate import same_yes_or_no, yes_or_no
from pinakes_ask.metered import MeteredModel
from pinakes_ask.models.endpoint.extraction import BudgetedExtraction
from pinakes_ask.plan import Plan
from pinakes_ask.settings import Extractor
from pinakes_ask.tasks import ReinferTask, ShownStatement
from retrieval.text import find_names, name_key, without_markup
from scoring.citations import CitationReport, CitedStatement, check_citations
from scoring.extract import Statement, extract
from scoring.extract.model import extract_with
from scoring.extract.parentheses import acronyms
from scoring.logicscore import score
from scoring.types import Branch, Extraction
from scoring.verdict import Gap, Verdict


@dataclass(frozen=True)
class Report:
    """What the check found. ``extraction`` is frozen: scoring it again gives the same verdict.

    :param notes: what of the check could not be had, for the run's reader.
    """

    extraction: Extraction
    verdict: Verdict
    citations: CitationReport
    notes: tuple[str, ...] = ()

    @property
    def gap(self) -> Gap | None:
        """The missing link, or None where nothing is missing."""
        return self.verdict.gap if self.verdict.completeness == 0 else None


class Checker(Protocol):
    """Scores an answer. It may ask the model, within the run's budget."""

    async def check(
        self, question: str, answer: Answer, plan: Plan | None, evidence: Evidence, model: MeteredModel
    ) -> Report:
        """Return the report on ``answer``."""


class SelfCheck:
    """Finds the facts of the answer, then asks the model to infer the short answer again from them.

    :param extractor: ``rules`` for a check of one call, ``model`` for one of two. Rules take over where
        the model fails or the budget ends, and the report says so.
    """

    def __init__(self, extractor: Extractor = "rules") -> None:
        self._extractor = extractor

    async def check(
        self, question: str, answer: Answer, plan: Plan | None, evidence: Evidence, model: MeteredModel
    ) -> Report:
        """Return the report on ``answer``; a measure that could not be had is None, with its reason."""
        statements = [_statement(index, answer, evidence) for index in range(len(answer.statements))]
        extraction, notes = await self._extract(question, statements, answer, plan, evidence, model)
        reinferred, by = await self._reinfer(question, extraction, statements, answer, model)
        extraction = replace(extraction, reinferred=reinferred, reinferred_by=by)
        cited = [
            CitedStatement(one.text, tuple((cite.passage, cite.sentence - 1) for cite in one.citations), two.title)
            for one, two in zip(answer.statements, statements, strict=True)
        ]
        texts = {number: evidence.passage(number).sentence_texts for number in evidence.numbers()}
        verdict = score(extraction, short_answer=answer.short_answer)
        titles = {number: _names_of(number, evidence) for number in texts}
        return Report(extraction, verdict, check_citations(cited, texts, titles=titles), notes)

    async def _extract(
        self,
        question: str,
        statements: Sequence[Statement],
        answer: Answer,
        plan: Plan | None,
        evidence: Evidence,
        model: MeteredModel,
    ) -> tuple[Extraction, tuple[str, ...]]:
        """Return the facts of the answer, and a note where they are not the model's as they should be."""
        form = plan.form if plan else None
        hops = _hops(plan) if plan else None
        aliases = _aliases(answer, evidence)
        branches = _branches(question, plan) if plan else ()
        notes: tuple[str, ...] = ()
        # Without a short answer nothing can be scored, whoever finds the facts.
        if self._extractor == "model" and answer.short_answer is not None and not model.past_deadline:
            try:
                extraction = await extract_with(
                    BudgetedExtraction(model),
                    question,
                    statements,
                    answer.short_answer,
                    form=form,
                    plan_hops=hops,
                    aliases=aliases,
                    reinfer=False,
                )
            except (BudgetSpent, ModelError) as error:
                notes = (f"The answer's facts were found by rules, not by the model. {error}",)
            else:
                # The model names what it read in the answer's own words; the plan knows what it left unread.
                if len(extraction.branches or ()) < len(branches):
                    extraction = replace(extraction, branches=branches)
                return extraction, ()
        by_rules = extract(
            question,
            statements,
            answer.short_answer,
            form=form,
            plan_hops=hops,
            aliases=aliases,
            branches=branches,
        )
        return by_rules, notes

    @staticmethod
    async def _reinfer(
        question: str,
        extraction: Extraction,
        statements: Sequence[Statement],
        answer: Answer,
        model: MeteredModel,
    ) -> tuple[str | None, str | None]:
        kept = dict.fromkeys(one.statement for one in extraction.propositions if one.role == "body")
        body = tuple(
            ShownStatement(text=statements[index].text, source=statements[index].title or "") for index in kept
        )
        if answer.short_answer is None or not body or model.past_deadline:
            return None, None
        try:
            reply = (await model.ask(ReinferTask(question=question, statements=body))).reply
        except (BudgetSpent, ModelError):
            return None, None
        found = reply.short_answer or ""
        return answer.short_answer if same_yes_or_no(found, answer.short_answer) else found, "same-model"


def _aliases(answer: Answer, evidence: Evidence) -> list[tuple[str, ...]]:
    """What a cited passage declares to be one thing: aliases, and "World Health Organization (WHO)"."""
    cited = dict.fromkeys(cite.passage for one in answer.statements for cite in one.citations)
    passages = [evidence.passage(number) for number in cited]
    groups = [(one.title, *one.aliases) for one in passages if one.aliases]
    return [*groups, *(pair for one in passages for pair in acronyms(one.text))]


def _statement(index: int, answer: Answer, evidence: Evidence) -> Statement:
    """A statement; where it quotes its only source word for word, that document's title says what "he" is."""
    statement = answer.statements[index]
    if len(statement.citations) == 1:
        quote = evidence.quote(statement.citations[0]) or ""
        if without_markup(quote) == statement.text:
            return Statement(statement.text, evidence.passage(statement.citations[0].passage).title)
    return Statement(statement.text)


def _names_of(number: int, evidence: Evidence) -> str:
    """What a passage is about, which its sentences may leave unsaid: its title and its other names."""
    passage = evidence.passage(number)
    return "; ".join((passage.title, *passage.aliases))


def _hops(plan: Plan) -> int:
    """The longest run of look-ups in which each needs the one before."""
    depth: dict[int, int] = {}
    for node in plan.in_order():
        below = max((depth[need] for need in node.needs), default=0)
        depth[node.id] = below + (node.kind == "find")
    return max(depth.values(), default=1)


def _branches(question: str, plan: Plan) -> tuple[Branch, ...]:
    """What a comparing node compares: for each input the thing the question names, and its value.

    Nothing where an input is a yes or a no, which is no value that an answer states of a thing.
    """
    operator = next((node for node in plan.nodes if node.kind != "find" and node.needs), None)
    if operator is None or any(yes_or_no(text) for text in plan.inputs(operator)):
        return ()
    asked = name_key(question)
    branches: list[Branch] = []
    for need in sorted(operator.needs):
        root = plan.node(need)
        while root.needs:
            root = plan.node(min(root.needs))
        named = [one.text for one in find_names(root.question) if name_key(one.text) in asked]
        if named:
            branches.append(Branch(named[-1], plan.node(need).answer))
    return tuple(branches)
