"""Where the check names a gap, the answer is written once more, or kept."""

from __future__ import annotations

from typing import Any

from pinakes_ask.tasks import (
    PlanReply,
    SolveReply,
    WriteReply,
    WriteTask,
    WrittenStatement,
)
from tests.ask.fakes import QueueModel
from tests.ask.test_loop import (
    DOCUMENTS,
    ask,
    cite,
    replies,
    write_answer,
)


def broken_answer(task: WriteTask) -> WriteReply:
    statement = WrittenStatement(text="Ann Bell was born in Dale.", citations=(cite(task, "Ann Bell", 1),))
    return WriteReply(statements=(statement,), short_answer="Dale")


def test_a_named_gap_is_searched_once_and_the_answer_rewritten() -> None:
    model = QueueModel(**replies(plan=PlanReply(), solve=SolveReply(), write=[broken_answer, write_answer]))
    documents = {**DOCUMENTS, "The Reed": "A book.", "Printing": "The Reed was written by Ann Bell of Dale."}
    first = [broken_answer]

    def second(task: WriteTask) -> WriteReply:
        statement = WrittenStatement(
            text="The Reed was written by Ann Bell of Dale.", citations=(cite(task, "Printing", 1),)
        )
        return WriteReply(statements=(statement, *broken_answer(task).statements), short_answer="Dale")

    model = QueueModel(**replies(plan=PlanReply(), solve=SolveReply(), write=[*first, second]))
    run = ask(model, documents=documents, k=1)
    assert model.kinds().count("write") == 2
    assert run.before_repair is not None
    assert run.before_repair[1].verdict.completeness == 0
    assert run.report is not None
    assert run.report.verdict.completeness == 1


def test_a_repair_that_finds_nothing_new_is_not_paid_where_the_model_cannot_be_told_the_gap() -> None:
    model = QueueModel(**replies(plan=PlanReply(), solve=SolveReply(), write=broken_answer))
    run = ask(model)
    assert model.kinds().count("write") == 1
    assert run.before_repair is None


def test_a_model_that_reads_a_prompt_is_told_the_gap_also_where_nothing_new_is_found() -> None:
    class Reader(QueueModel):
        def prompt_digest(self, task: Any) -> str:
            return "0" * 12

    model = Reader(**replies(plan=PlanReply(), solve=SolveReply(), write=[broken_answer, write_answer]))
    run = ask(model)
    writes = [task for task in model.asked if isinstance(task, WriteTask)]
    assert [task.gap for task in writes] == ["", "The Reed | Ann Bell"]
    assert run.before_repair is not None
    assert run.report is not None
    assert (run.before_repair[1].verdict.completeness, run.report.verdict.completeness) == (0, 1)


def test_a_repair_that_comes_back_empty_keeps_the_first_answer() -> None:
    empty = WriteReply(withheld="no")
    documents = {**DOCUMENTS, "The Reed": "A book.", "Printing": "The Reed was written by Ann Bell of Dale."}
    model = QueueModel(**replies(plan=PlanReply(), solve=SolveReply(), write=[broken_answer, empty]))
    run = ask(model, documents=documents, k=1)
    assert model.kinds().count("write") == 2
    assert (run.status, run.answer.short_answer) == ("answered", "Dale")
    assert run.report is not None
    assert any("first answer was kept" in warning for warning in run.warnings)
