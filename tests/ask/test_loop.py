"""The loop's calls, stops and failures, with a model that is told its replies."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pinakes_ask.budget import Limits
from pinakes_ask.check import SelfCheck
from pinakes_ask.errors import BudgetRefused, QuestionError
from pinakes_ask.loop import Loop
from pinakes_ask.memory import bound, estimate_tokens
from pinakes_ask.run import Run
from pinakes_ask.settings import LoopSettings, Settings
from pinakes_ask.tasks import (
    Cite,
    Finding,
    PlannedQuestion,
    PlanReply,
    ReinferReply,
    SolveReply,
    SolveTask,
    WriteReply,
    WriteTask,
    WrittenStatement,
)
from retrieval.types import Confidence
from tests.ask.fakes import QueueModel, TestClock, TextSearcher, model_failure

QUESTION = "Where was the author of The Reed born?"
DOCUMENTS = {
    "The Reed": "The Reed is a novel. The Reed was written by Ann Bell.",
    "Ann Bell": "Ann Bell was born in Dale.",
    "Orm": "Orm is a town.",
}
PLAN = PlanReply(
    sub_questions=(
        PlannedQuestion(question="Who is the author of The Reed?"),
        PlannedQuestion(question="Where was {1} born?", needs=(1,)),
    )
)


def cite(task: SolveTask | WriteTask, title: str, sentence: int) -> Cite:
    number = next(passage.number for passage in task.passages if passage.title == title)
    return Cite(passage=number, sentence=sentence)


def solve_author(task: SolveTask) -> SolveReply:
    finding = Finding(id=1, supported=True, answer="Ann Bell", citations=(cite(task, "The Reed", 2),))
    return SolveReply(findings=(finding,), memory="Ann Bell wrote The Reed.")


def solve_place(task: SolveTask) -> SolveReply:
    finding = Finding(id=2, supported=True, answer="Dale", citations=(cite(task, "Ann Bell", 1),))
    return SolveReply(findings=(finding,), memory="Ann Bell wrote The Reed. She was born in Dale.")


def write_answer(task: WriteTask) -> WriteReply:
    return WriteReply(
        statements=(
            WrittenStatement(text="The Reed was written by Ann Bell.", citations=(cite(task, "The Reed", 2),)),
            WrittenStatement(text="Ann Bell was born in Dale.", citations=(cite(task, "Ann Bell", 1),)),
        ),
        short_answer="Dale",
    )


def replies(**changes: Any) -> dict[str, Any]:
    usual = {
        "plan": PLAN,
        "solve": [solve_author, solve_place],
        "write": write_answer,
        "reinfer": ReinferReply(short_answer="Dale"),
    }
    return {**usual, **changes}


def ask(
    model: QueueModel,
    *,
    confidence: Confidence | None = None,
    documents: dict[str, str] | None = None,
    question: str = QUESTION,
    clock: TestClock | None = None,
    limits: Limits | None = None,
    **knobs: Any,
) -> Run:
    searcher = TextSearcher(DOCUMENTS if documents is None else documents, confidence)
    settings = Settings(LoopSettings(**knobs), limits or Limits())
    return asyncio.run(Loop(searcher, model, SelfCheck(), settings, clock or TestClock()).ask(question))


def test_a_two_hop_question_takes_its_plan_two_rounds_a_write_and_a_check() -> None:
    model = QueueModel(**replies())
    run = ask(model)
    assert model.kinds() == ["plan", "solve", "solve", "write", "reinfer"]
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("answered", "answered", "Dale")
    assert model.asked[2].sub_questions[0].question == "Where was Ann Bell born?"
    assert run.report is not None
    verdict = run.report.verdict
    assert (verdict.completeness, verdict.essentiality, verdict.determinateness) == (1, 1.0, 1)


def test_enough_evidence_is_answered_with_one_call_and_a_check() -> None:
    model = QueueModel(**replies())
    run = ask(model, confidence=Confidence(0.95, "fitted", threshold=0.9))
    assert model.kinds() == ["write", "reinfer"]
    assert (run.status, run.stop_reason) == ("answered", "sufficient")


def test_where_the_gate_was_wrong_and_the_write_withholds_the_question_is_planned_after_all() -> None:
    model = QueueModel(**replies(write=[WriteReply(withheld="the birthplace is missing"), write_answer]))
    run = ask(model, confidence=Confidence(0.95, "fitted", threshold=0.9))
    assert model.kinds() == ["write", "plan", "solve", "solve", "write", "reinfer"]
    assert (run.status, run.stop_reason, run.answer.short_answer) == ("answered", "answered", "Dale")
    assert "looked sufficient" in run.warnings[0]


def test_unknown_confidence_is_not_enough() -> None:
    model = QueueModel(**replies())
    ask(model, confidence=Confidence(None, "another embedder", threshold=0.9))
    assert model.kinds()[0] == "plan"


def test_every_retrieved_passage_is_offered_with_its_own_sub_question() -> None:
    model = QueueModel(**replies())
    run = ask(model)
    for task in model.asked:
        if isinstance(task, SolveTask):
            offered = {passage.number for passage in task.passages}
            assert {number for asked in task.sub_questions for number in asked.passages} <= offered
    write = next(task for task in model.asked if isinstance(task, WriteTask))
    assert {passage.number for passage in write.passages} == set(run.evidence.numbers())


def test_a_rank_is_told_what_is_planned_for_later_ranks() -> None:
    told: list[tuple[str, ...]] = []

    def solve(task: SolveTask) -> SolveReply:
        told.append(task.planned)
        return solve_author(task) if len(told) == 1 else solve_place(task)

    ask(QueueModel(**replies(solve=solve)))
    assert told == [("Where was {1} born?",), ()]


def test_the_only_finding_of_a_rank_of_one_is_about_it_whatever_its_number() -> None:
    def misnumbered(task: SolveTask) -> SolveReply:
        reply = solve_place(task)
        return reply.model_copy(update={"findings": (reply.findings[0].model_copy(update={"id": 1}),)})

    run = ask(QueueModel(**replies(solve=[solve_author, misnumbered])))
    assert run.plan is not None
    assert (run.stop_reason, run.plan.node(2).answer) == ("answered", "Dale")


def test_a_yes_is_determined_in_any_wording() -> None:
    def write(task: WriteTask) -> WriteReply:
        return write_answer(task).model_copy(update={"short_answer": "ja"})

    run = ask(QueueModel(**replies(write=write, reinfer=ReinferReply(short_answer="Yes, Dale."))))
    assert run.report is not None
    assert run.report.verdict.determinateness == 1
    run = ask(QueueModel(**replies(write=write, reinfer=ReinferReply(short_answer="No."))))
    assert run.report is not None
    assert run.report.verdict.determinateness == 0


def test_nothing_found_makes_no_call() -> None:
    model = QueueModel(**replies())
    run = ask(model, documents={"Orm": "Orm is a town."}, question="Who wrote Zyx?")
    assert model.kinds() == []
    assert (run.status, run.stop_reason) == ("no_evidence", "no_evidence")


def test_an_answer_without_a_statement_is_no_evidence() -> None:
    run = ask(QueueModel(**replies(write=WriteReply(withheld="not in these documents"))))
    assert (run.status, run.stop_reason) == ("no_evidence", "no_evidence")
    assert run.answer.withheld == "not in these documents"


def test_an_answer_that_only_says_that_nothing_is_said_is_no_evidence() -> None:
    reply = WriteReply(statements=(WrittenStatement(text="The documents do not say who wrote The Reed."),))
    run = ask(QueueModel(**replies(write=reply)))
    assert (run.stop_reason, run.status, run.answer.statements) == ("no_evidence", "no_evidence", ())
    assert run.answer.withheld == "The documents do not say who wrote The Reed."


def test_a_model_that_never_has_enough_stops_at_the_round_cap_and_answers() -> None:
    endless = [SolveReply(missing=(f"What is thing {letter * 3}?",)) for letter in "abcdefgh"]
    model = QueueModel(**replies(plan=PlanReply(), solve=endless))
    run = ask(model, max_rounds=2)
    assert model.kinds().count("solve") == 2
    assert run.stop_reason == "round_cap"
    assert run.status == "partial"
    assert run.answer.short_answer == "Dale"


def test_a_model_that_rephrases_one_gap_for_ever_is_not_followed() -> None:
    again = SolveReply(missing=("Where was the author of The Reed born",))
    model = QueueModel(**replies(plan=PlanReply(), solve=again))
    run = ask(model)
    assert model.kinds().count("solve") == 1
    assert run.stop_reason == "plan_exhausted"


def test_growth_is_asked_in_the_next_round() -> None:
    first = SolveReply(missing=("Who is Ann Bell?",))
    model = QueueModel(**replies(plan=PlanReply(), solve=[first, SolveReply()]))
    run = ask(model)
    assert [[text for _, text in one.asked] for one in run.rounds] == [[QUESTION], ["Who is Ann Bell?"]]


def test_a_call_budget_leaves_the_write_and_says_what_ended_the_run() -> None:
    model = QueueModel(**replies())
    run = ask(model, limits=Limits(calls=3))
    assert model.kinds() == ["plan", "solve", "write"]
    assert (run.stop_reason, run.status) == ("budget", "partial")
    assert run.report is not None
    assert run.report.verdict.determinateness is None


def test_a_budget_below_one_write_is_refused_before_a_call() -> None:
    model = QueueModel(**replies())
    with pytest.raises(BudgetRefused):
        ask(model, limits=Limits(tokens=10))
    assert model.kinds() == []


def test_the_deadline_ends_the_rounds_and_still_answers() -> None:
    run = ask(QueueModel(**replies()), clock=TestClock(step=1.0), limits=Limits(seconds=3.0))
    assert (run.stop_reason, run.status, run.answer.short_answer) == ("deadline", "partial", "Dale")


def test_a_failed_plan_falls_back_to_the_question() -> None:
    run = ask(QueueModel(**replies(plan=model_failure())))
    assert run.plan is not None
    assert [node.question for node in run.plan.nodes] == [QUESTION]
    assert "Planning failed" in run.warnings[0]


def test_a_failure_in_round_two_keeps_round_one() -> None:
    run = ask(QueueModel(**replies(solve=[solve_author, model_failure()])))
    assert run.plan is not None
    assert run.plan.node(1).answer == "Ann Bell"
    assert run.answer.short_answer == "Dale"
    assert "Round 2 found nothing" in run.warnings[0]


def test_a_failed_write_is_a_failed_run_that_keeps_its_findings() -> None:
    run = ask(QueueModel(**replies(write=model_failure())))
    assert run.status == "failed"
    assert "The model did not answer" in run.failure
    assert run.plan is not None
    assert run.plan.answered
    assert len(run.exchanges) == 4


def test_invented_citations_are_removed_and_kept_apart() -> None:
    bad = WriteReply(
        statements=(
            WrittenStatement(text="Ann Bell was born in Dale.", citations=(Cite(passage=99, sentence=1),)),
        ),
        short_answer="Dale",
    )
    run = ask(QueueModel(**replies(write=bad)), max_repairs=0)
    assert run.answer.removed == (Cite(passage=99, sentence=1),)
    assert run.answer.unsupported == 1


def test_a_claim_of_sufficiency_without_its_sentence_is_not_believed() -> None:
    lie = SolveReply(
        findings=(Finding(id=1, supported=True, answer="Cy Dunn", citations=(Cite(passage=1, sentence=1),)),)
    )
    run = ask(QueueModel(**replies(solve=lie)))
    assert run.stop_reason == "plan_exhausted"
    assert run.plan is not None
    assert not run.plan.answered


def test_a_bound_is_named_also_where_nothing_was_written() -> None:
    run = ask(QueueModel(**replies(solve=SolveReply(), write=WriteReply(withheld="no"))), limits=Limits(calls=2))
    assert (run.stop_reason, run.status) == ("budget", "partial")


def test_a_short_answer_without_a_cited_statement_is_withheld() -> None:
    run = ask(QueueModel(**replies(write=WriteReply(short_answer="Paris"))))
    assert run.answer.short_answer is None
    assert "cites" in run.answer.withheld
    assert run.status == "no_evidence"


def test_the_deadline_stops_every_new_step_but_the_write() -> None:
    model = QueueModel(**replies())
    run = ask(model, clock=TestClock(step=100.0), limits=Limits(seconds=1.0))
    assert model.kinds() == ["write"]
    assert run.stop_reason == "deadline"


def test_a_write_past_the_deadline_is_made_once() -> None:
    model = QueueModel(**replies(write=WriteReply(withheld="no")))
    run = ask(model, clock=TestClock(step=100.0), limits=Limits(seconds=1.0))
    assert model.kinds() == ["write"]
    assert (run.stop_reason, run.status) == ("deadline", "partial")
    assert not any("looked sufficient" in warning for warning in run.warnings)


def test_where_no_plan_can_be_paid_the_bound_is_named_and_the_write_made_once() -> None:
    model = QueueModel(**replies(write=WriteReply(withheld="no")))
    run = ask(model, limits=Limits(calls=1))
    assert model.kinds() == ["write"]
    assert (run.stop_reason, run.status) == ("budget", "partial")
    enough = QueueModel(**replies(write=WriteReply(withheld="no")))
    run = ask(enough, limits=Limits(calls=1), confidence=Confidence(0.95, "fitted", threshold=0.9))
    assert enough.kinds() == ["write"]
    assert (run.stop_reason, run.status, run.failure) == ("budget", "partial", "")


def test_what_the_model_still_misses_reopens_an_answered_plan_within_bounds() -> None:
    def greedy(task: SolveTask) -> SolveReply:
        return solve_place(task).model_copy(update={"missing": ("Who is Cy Dunn?",)})

    model = QueueModel(**replies(solve=[solve_author, greedy, SolveReply(missing=("Who is Cy Dunn again?",))]))
    run = ask(model)
    assert run.plan is not None
    assert [node.question for node in run.plan.nodes if node.grown] == ["Who is Cy Dunn?"]
    assert (run.stop_reason, run.status, run.answer.short_answer) == ("plan_exhausted", "answered", "Dale")


def test_a_plan_without_a_way_on_is_exhausted_whatever_the_round_cap() -> None:
    for cap in (1, 2):
        run = ask(QueueModel(**replies(solve=SolveReply())), max_rounds=cap)
        assert run.stop_reason == "plan_exhausted"


def test_what_does_not_fit_into_the_write_is_left_out_and_said() -> None:
    documents = {f"Note {letter}": f"The Reed {letter}. " * 40 for letter in "abcdef"}
    model = QueueModel(**replies(plan=PlanReply(), solve=SolveReply(), write=WriteReply()))
    run = ask(model, documents={**DOCUMENTS, **documents}, k=9, write_tokens=300)
    write = next(task for task in model.asked if isinstance(task, WriteTask))
    assert sum(len(sentence) for passage in write.passages for sentence in passage.sentences) <= 1200
    assert any("did not fit" in warning for warning in run.warnings)


def test_the_memory_is_folded_to_its_bound() -> None:
    long = SolveReply(memory="Ann Bell wrote The Reed. " * 100)
    run = ask(QueueModel(**replies(plan=PlanReply(), solve=long)), memory_tokens=40)
    assert 0 < len(run.memory) <= 160
    assert run.memory.endswith(".")
    assert any("cut to its bound" in warning for warning in run.warnings)


@pytest.mark.parametrize("limit", [1, 5, 40])
def test_one_sentence_above_the_bound_is_cut_inside_it(limit: int) -> None:
    kept, cut = bound("word " * 500, limit)
    assert (cut, estimate_tokens(kept) <= limit, kept[:1]) == (True, True, "w")
    assert bound("Short.", 40) == ("Short.", False)


@pytest.mark.parametrize("question", ["", "  \n", "??!", "word " * 10_000, "Who is \udcff Ann?"])
def test_no_question_and_no_document_are_taken_for_a_question(question: str) -> None:
    with pytest.raises(QuestionError):
        ask(QueueModel(), question=question)
