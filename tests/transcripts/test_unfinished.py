"""A run that is cut off leaves what it had, and can be taken up or closed without paying twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pinakes_ask.asking import Outcome, ask_and_record
from pinakes_ask.budget import Limits
from pinakes_ask.replaying import replay
from pinakes_ask.resuming import finish, resume
from pinakes_ask.seams import Replied
from pinakes_ask.settings import Settings
from pinakes_ask.tasks import PlanReply, SolveReply, Task, WriteReply
from tests.ask.fakes import CountingIds, QueueModel, TestClock, TextSearcher, model_failure
from tests.ask.test_loop import DOCUMENTS, QUESTION, replies, write_answer
from tests.ask.test_loop_repair import broken_answer
from transcripts.compare import first_difference
from transcripts.record import Transcript
from transcripts.store import load, save
from transcripts.unfinished import Checkpoint, claimed, forget, sweep, unfinished_ids

KINDS = ["plan", "solve", "solve", "write", "reinfer"]


class Killed(BaseException):
    """Ends a run where it stands, as no handler of the program can prevent."""


class DyingModel(QueueModel):
    """Dies when it is asked for the call after ``calls``."""

    def __init__(self, calls: int, **queues: Any) -> None:
        super().__init__(**queues)
        self._calls = calls

    async def reply(self, task: Task[Any]) -> Replied[Any]:
        if len(self.asked) == self._calls:
            raise Killed
        return await super().reply(task)


def ask(asks: Path, model: QueueModel, settings: Settings | None = None) -> Outcome:
    return asyncio.run(
        ask_and_record(
            QUESTION,
            searcher=TextSearcher(DOCUMENTS),
            library_name="texts",
            model=model,
            settings=settings or Settings(),
            clock=TestClock(0.25),
            ids=CountingIds(),
            asks=asks,
        )
    )


def cut_off(asks: Path, calls: int, settings: Settings | None = None) -> Transcript:
    """What a run has that dies after so many calls."""
    with pytest.raises(Killed):
        ask(asks, DyingModel(calls, **replies()), settings)
    (run_id,) = unfinished_ids(asks)
    with claimed(asks, run_id) as found:
        assert found is not None
        assert found.transcript is not None
        return found.transcript


def taken_up(checkpoint: Transcript, asks: Path, model: QueueModel, searcher: TextSearcher) -> Outcome:
    return asyncio.run(resume(checkpoint, model, searcher=searcher, clock=TestClock(0.25), asks=asks))


def rest(calls: int) -> QueueModel:
    """A model with the replies that are still missing."""
    queues = {kind: list(queue) if isinstance(queue, list) else [queue] for kind, queue in replies().items()}
    for kind in KINDS[:calls]:
        queues[kind] = queues[kind][1:] or queues[kind]
    return QueueModel(**queues)


@pytest.mark.parametrize("calls", range(1, 5))
def test_a_run_that_dies_leaves_a_readable_record_of_what_it_had(calls: int, tmp_path: Path) -> None:
    had = cut_off(tmp_path, calls)
    assert [one.kind for one in had.exchanges] == KINDS[:calls]
    assert had.sha256 == had.content_hash()
    assert had.evidence
    assert had.usage.calls == calls


@pytest.mark.parametrize("calls", range(1, 5))
def test_taken_up_it_pays_only_for_what_is_missing_and_ends_as_if_never_cut(calls: int, tmp_path: Path) -> None:
    whole = ask(tmp_path / "whole", QueueModel(**replies())).transcript
    model, searcher = rest(calls), TextSearcher(DOCUMENTS)
    outcome = taken_up(cut_off(tmp_path / "cut", calls), tmp_path / "cut", model, searcher)
    assert model.kinds() == KINDS[calls:]
    assert QUESTION not in searcher.queries
    ended = outcome.transcript
    assert (ended.id, ended.status, ended.usage.calls) == (whole.id, "answered", whole.usage.calls)
    assert (ended.answer, ended.plan, ended.rounds, ended.score) == (
        whole.answer, whole.plan, whole.rounds, whole.score,
    )  # fmt: skip
    assert ended.warnings[0] == "The run was killed and taken up again."
    assert first_difference(ended, asyncio.run(replay(ended, clock=TestClock()))) is None
    assert outcome.folder is not None
    assert load(outcome.folder) == ended
    assert unfinished_ids(tmp_path / "cut") == []


@pytest.mark.parametrize(
    ("calls", "plan", "rounds", "status"), [(1, 2, 0, "failed"), (3, 2, 2, "failed"), (4, 2, 2, "partial")]
)
def test_closed_without_a_model_it_keeps_all_it_had(
    calls: int, plan: int, rounds: int, status: str, tmp_path: Path
) -> None:
    had = cut_off(tmp_path, calls)
    closed, path = asyncio.run(finish(had, clock=TestClock()))
    assert (closed.id, closed.status, closed.usage.calls) == (had.id, status, calls)
    assert closed.stop_reason == "interrupted"
    assert closed.plan is not None
    assert (len(closed.plan.nodes), len(closed.rounds)) == (plan, rounds)
    assert closed.exchanges == had.exchanges
    assert closed.evidence[: len(had.evidence)] == had.evidence
    assert load(save(tmp_path, closed, path)) == closed
    assert first_difference(closed, asyncio.run(replay(closed, clock=TestClock()))) is None


def test_a_run_that_only_lacked_its_record_becomes_whole(tmp_path: Path) -> None:
    whole = ask(tmp_path / "whole", QueueModel(**replies())).transcript
    closed, _ = asyncio.run(finish(whole, clock=TestClock()))
    assert closed == whole


def test_a_run_taken_up_keeps_to_the_budget_it_began_with(tmp_path: Path) -> None:
    had = cut_off(tmp_path, 2, Settings(limits=Limits(calls=3)))
    model = rest(2)
    ended = taken_up(had, tmp_path, model, TextSearcher(DOCUMENTS)).transcript
    assert (model.kinds(), ended.stop_reason, ended.status) == (["write"], "budget", "partial")
    assert ended.usage.calls == 3


def test_a_run_taken_up_says_where_its_library_has_changed(tmp_path: Path) -> None:
    searcher = TextSearcher(DOCUMENTS)
    searcher.fingerprint = "other"
    ended = taken_up(cut_off(tmp_path, 1), tmp_path, rest(1), searcher).transcript
    assert "The library has changed since the run began." in ended.warnings


def test_what_belongs_to_a_living_run_cannot_be_claimed(tmp_path: Path) -> None:
    seen: list[object] = []

    class Looking(QueueModel):
        async def reply(self, task: Task[Any]) -> Replied[Any]:
            for run_id in unfinished_ids(tmp_path):
                with claimed(tmp_path, run_id) as found:
                    seen.append(found)
            return await super().reply(task)

    assert ask(tmp_path, Looking(**replies())).folder is not None
    assert seen == [None] * 4


def test_what_was_forgotten_leaves_nothing_behind(tmp_path: Path) -> None:
    run_id = cut_off(tmp_path, 2).id
    with claimed(tmp_path, run_id) as found:
        assert found is not None
        forget(tmp_path, run_id)
    assert [path.name for path in (tmp_path / ".unfinished").iterdir()] == [".gitignore"]


def test_a_run_leaves_only_its_record(tmp_path: Path) -> None:
    outcome = ask(tmp_path, QueueModel(**replies()))
    assert outcome.folder is not None
    assert outcome.notes == ()
    assert [path.name for path in (tmp_path / ".unfinished").iterdir()] == [".gitignore"]


def test_a_first_checkpoint_that_was_never_whole_is_swept_away(tmp_path: Path) -> None:
    """Killed before its first checkpoint was in place, a run leaves a draft and a lock that nobody holds."""
    folder = tmp_path / ".unfinished"
    kept = cut_off(tmp_path, 2).id
    for name in ("DEAD.json.new", "DEAD.lock", f"{kept}.json.new"):
        (folder / name).write_text("")
    sweep(tmp_path)
    assert not list(folder.glob("DEAD*"))
    assert unfinished_ids(tmp_path) == [kept]


def test_a_first_checkpoint_that_is_being_written_is_not_swept_away(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path, "LIVE")
    checkpoint.write_sealed("{}")
    file = tmp_path / ".unfinished" / "LIVE.json"
    draft = file.rename(file.with_suffix(".json.new"))
    sweep(tmp_path)
    assert draft.exists()
    checkpoint.close()


def test_a_checkpoint_that_was_cut_short_is_named(tmp_path: Path) -> None:
    run_id = cut_off(tmp_path, 2).id
    file = tmp_path / ".unfinished" / f"{run_id}.json"
    file.write_text(file.read_text(encoding="utf-8")[:500], encoding="utf-8")
    with claimed(tmp_path, run_id) as found:
        assert found is not None
        assert found.transcript is None
        assert run_id in found.problem


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(calls=3), Limits(calls=4), Limits(seconds=2.0), Limits(seconds=3.0)]
)
def test_a_replay_is_identical_whatever_ended_the_run(limits: Limits, tmp_path: Path) -> None:
    record = ask(tmp_path, QueueModel(**replies()), Settings(limits=limits)).transcript
    again = asyncio.run(replay(record, clock=TestClock()))
    assert first_difference(record, again) is None


def test_a_replay_repeats_the_failures_of_the_run(tmp_path: Path) -> None:
    for changes in ({"plan": model_failure()}, {"solve": model_failure()}, {"write": model_failure()}):
        record = ask(tmp_path, QueueModel(**replies(**changes))).transcript
        assert any(one.error for one in record.exchanges)
        assert first_difference(record, asyncio.run(replay(record, clock=TestClock()))) is None


class Reader(QueueModel):
    """A model that reads a prompt, so that it is told a gap also where no new passage was found."""

    def prompt_digest(self, task: Task[Any]) -> str:
        return f"{task.kind}-1"


@pytest.mark.parametrize("model", [QueueModel, Reader])
@pytest.mark.parametrize("writes", [[broken_answer, write_answer], [broken_answer, WriteReply(withheld="no")]])
def test_a_replay_repeats_a_repair(model: type[QueueModel], writes: list[Any], tmp_path: Path) -> None:
    record = ask(tmp_path, model(**replies(plan=PlanReply(), solve=SolveReply(), write=writes))).transcript
    assert [one.kind for one in record.exchanges].count("write") == (2 if model is Reader else 1)
    assert first_difference(record, asyncio.run(replay(record, clock=TestClock()))) is None


def test_a_replay_names_the_first_place_where_the_library_has_changed(tmp_path: Path) -> None:
    record = ask(tmp_path, QueueModel(**replies())).transcript
    changed = TextSearcher({**DOCUMENTS, "The Reed": "The Reed is a novel. The Reed was written by Jo Ash."})
    found = first_difference(record, asyncio.run(replay(record, clock=TestClock(), searcher=changed)))
    assert found is not None
    assert found.path == "evidence.2.text"
    assert "Jo Ash" in (found.after or "")
